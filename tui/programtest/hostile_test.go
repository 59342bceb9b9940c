package programtest

import (
	"fmt"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// What a model writes for the terminal to obey reaches no terminal, whether it comes whole,
// cut in two anywhere, or without its end; what it writes behind that is read.
func TestScreen26Hostile1Hostile2NothingOfAModelReachesTheTerminal(t *testing.T) {
	t.Parallel()
	attacks := []string{"\x1b]52;c;ZXZpbA==\a", "\x1b]0;evil\x1b\\", "\x1b[6n", "\x1bP1$r0m\x1b\\", "\x1bc", "\u009b31m", "\x1b[?1049l", "\x1b_evil\x1b\\"}
	var said []llm.Chunk
	say := func(text string) { said = append(said, llm.Chunk{Text: text}) }
	for i, attack := range attacks {
		say(fmt.Sprintf("\n\nwhole %d ", i) + attack + " goes on")
		for at := range attack {
			say(fmt.Sprintf("\n\ncut %d ", i) + attack[:at])
			say(attack[at:] + " goes on")
		}
	}
	say("\n\nthe last \x1b]52;c;ZXZ")
	said = append(said, llm.Chunk{Done: true, Finish: llm.FinishStop})
	c := newCast(t)
	c.plays("root", llmtest.Chunks(said...))
	h := newHome(t, "[model]")
	h.env = append(h.env, "OPENAI_BASE_URL="+c.server.URL, "SOCIETY_MODEL=cast")
	x := h.open(500, 200).opened()
	x.write("begin")
	x.press("enter")
	rows := x.sees("the last", "· idle")
	for i := range attacks {
		if count(rows, fmt.Sprintf("whole %d ", i)) == 0 || count(rows, fmt.Sprintf("cut %d ", i)) == 0 {
			t.Errorf("of attack %d, %q, the words around it are not all there", i, attacks[i])
		}
	}
	wrote := x.written()
	for _, bad := range []string{"\x1b]52", "\x1b]0;evil", "\x1b[6n", "\x1bP1$r", "\x1bc", "\u009b", "\x1b_", "\x1b[?1049l"} {
		if at := strings.Index(wrote, bad); at >= 0 {
			t.Errorf("%q reached the terminal: %q", bad, wrote[max(at-40, 0):min(at+20, len(wrote))])
		}
	}
	x.quit()
}
