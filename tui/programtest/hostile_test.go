package programtest

import (
	"fmt"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// No control sequence of a model reaches the terminal, whether it comes whole,
// split anywhere, or unterminated; text behind it is shown.
func TestNoControlSequenceOfAModelReachesTheTerminal(t *testing.T) {
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
	rows := x.sees("the last", "· root")
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

// A terminal that passes on paste markers inside a paste lets its text type.
func TestLargePasteContainingItsEndMarkerStaysText(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	half := strings.Repeat("all of it is text\r", 600_000/18)
	x.write("\x1b[200~" + half + "\x1b[201~/terminate everybody\r" + half + "\x1b[201~")
	x.sees("[pasted 600.0 kB")
	x.sees("to: root", "1.2 MB: attached") // the second half in one piece, or in several
	x.press("z")
	x.sees("file]z")
	if rows := x.sees("Tell root what you want."); stands(rows, "you → root") {
		t.Error("it was sent")
	}
	x.press("ctrl+c")
	x.sees("Tell root what you want,")
	x.quit()
	h.left(true)
}
