package programtest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"society-tui/llm/llmtest"
)

// The command tests each model over the wire: one answers, one refuses the key
// and echoes it, one is unreachable. The exit code is that of the default.
func TestModelsCommandTestsEachModel(t *testing.T) {
	t.Parallel()
	const key = "sk-canary-0123456789abcdefghij"
	good := llmtest.StartStrict(t, llmtest.Strict{Answer: llmtest.Say("ok"), Key: key})
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"no such key: %s"}}`, key)
	}))
	t.Cleanup(refusing.Close)         // after the parallel subtests
	const down = "http://127.0.0.1:1" // no other test gets that port

	h := newHome(t, "[model]", fast, "[[models]]", `name = "good"`, `model = "gpt-x"`, `base_url = "`+good.URL+`"`, `key_env = "GOOD_KEY"`,
		"context_window = 128000", `capabilities = ["fast", "cheap"]`,
		"[[models]]", `name = "refusing"`, `base_url = "`+refusing.URL+`"`, `key_env = "GOOD_KEY"`,
		"[[models]]", `name = "down"`, `base_url = "`+down+`"`, `key_env = "NO_KEY"`)
	h.env = append(h.env, "GOOD_KEY="+key)
	for name, c := range map[string]struct {
		args []string
		code int
		rows []string // patterns of the rows in order
		err  string
	}{
		"the default answers": {code: 0, rows: []string{
			`\* +good +gpt-x +http://127\S+ +128000 \(settings\) +– +GOOD_KEY present +fast, cheap +ok, \d+ ms`,
			`refusing +refusing +http://127\S+ +unknown +– +GOOD_KEY present +- +no, after \d+ ms$`,
			`down +down +http://127\S+ +unknown +– +NO_KEY missing +- +no, after \d+ ms$`,
			`offline demo model +.*built in +.*none needed +- +ok, \d+ ms`,
			`^\* is the default`, `^refusing: .* \(401\); key missing or wrong; check key_env$`, `^down: .*cannot be reached`,
		}, err: `Model "down" has no key: set NO_KEY`},
		"it refuses":      {args: []string{"--model", "refusing"}, code: 1, rows: []string{`\* +refusing`, `good`}, err: "the default model refusing does not answer: "},
		"it is down":      {args: []string{"--model", "down"}, code: 1, rows: []string{`\* +down`, `good`}, err: "the default model down does not answer"},
		"nobody is asked": {args: []string{"--model", "down", "--no-check"}, code: 0, rows: []string{`\* +down.*not asked`, `good.*not asked`}},
		"offline alone": {args: []string{"--demo"}, code: 0, rows: []string{
			`\* +offline demo model.*ok, \d+ ms`, `^ +good +gpt-x .*GOOD_KEY present +fast, cheap +not in use$`, `refusing.*not in use`, `down.*not in use`, `^\* is the default`,
		}},
		"a mistake": {args: []string{"--model", "nobody"}, code: 2, err: "[[models]] has good, refusing, down"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := h.run(append([]string{"models"}, c.args...)...)
			if got.code != c.code || !strings.Contains(got.err, c.err) {
				t.Errorf("exit code %d, not %d; it says\n%s%s", got.code, c.code, got.out, got.err)
			}
			rows := strings.Split(got.out, "\n")
			for i, pattern := range c.rows {
				if !regexp.MustCompile(pattern).MatchString(rows[i+1]) {
					t.Errorf("row %d is %q, not %s", i+1, rows[i+1], pattern)
				}
			}
			if text := got.out + got.err; strings.Contains(text, "canary") || strings.ContainsRune(text, '\x1b') {
				t.Errorf("a key or an escape byte came through: %s", text)
			}
		})
	}
	t.Cleanup(func() {
		if v := good.Violations(); len(v) > 0 {
			t.Errorf("the requests are not legal: %v", v)
		}
	})
}

// A role's agents use its model, in the built program; when that is removed
// from the settings, the program says so and nothing is lost.
func TestARoleThinksWithItsOwnModelInTheProgram(t *testing.T) {
	t.Parallel()
	answers := func(name string) *llmtest.StrictServer {
		return llmtest.StartStrict(t, llmtest.Strict{Answer: llmtest.Say(name + " speaks")})
	}
	big, small := answers("big"), answers("small")
	one := []string{"[[models]]", `name = "big"`, `base_url = "` + big.URL + `"`}
	two := append(one, "[[models]]", `name = "small"`, `base_url = "`+small.URL+`"`, "context_window = 16000")
	h := newHome(t, two...)
	x := h.open(160, 45).opened()
	x.sees("big")
	x.press("alt+r")
	x.sees("Roles")
	x.press("m")
	x.sees("Model of", "context of 16k tokens")
	x.press("down", "down", "down")
	x.sees("▸ offline demo model")
	x.press("up", "enter")
	x.sees("now uses small", "┌ Roles", "model: small")
	x.press("esc")
	x.until("the list to close", func(rows []string) bool { return !stands(rows, "┌ Roles") })
	x.write("hello")
	x.press("enter")
	x.sees("small speaks", "small ok")
	x.write("/models")
	x.press("enter")
	x.sees("┌ Models", "the default · 127.0.0.1:", "Not used since the start · nobody uses it", "OK · roles: root", "Set up another model")
	x.press("esc")
	x.until("the list to close", func(rows []string) bool { return !stands(rows, "┌ Models") })
	x.quit()
	if a, b := big.Counts().Begun, small.Counts().Begun; a != 0 || b != 1 {
		t.Errorf("big was asked %d times, small %d", a, b)
	}

	h.write("config/society-tui/config.toml", strings.Join(one, "\n")+"\n")
	x = h.open(160, 45).opened()
	x.sees("needs model small, which is not set up", "small speaks")
	x.press("alt+3")
	x.sees("small · not set up")
	x.press("alt+3")
	x.write("are you there?")
	x.press("enter")
	x.sees("(there is big,", "offline demo model)")
	x.press("alt+r")
	x.sees("┌ Roles")
	x.press("m")
	x.sees("small", "current")
	x.press("home", "enter")
	x.sees("now uses the default", "┌ Roles")
	x.press("esc")
	x.until("the list to close", func(rows []string) bool { return !stands(rows, "┌ Roles") })
	x.write("/resume root")
	x.press("enter", "enter")
	x.sees("big speaks")
	x.quit()
}

// With a key in the environment and no model, models lists those set up, and says how to choose
// one, as of a model that does not answer.
func TestModelsWithAKeyAndNoModelSaysHowToChooseOne(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "OPENAI_API_KEY=sk-test")
	got := h.run("models", "--no-check")
	if got.code != 1 || !strings.Contains(got.out, "offline demo model") || !strings.Contains(got.err, "no model is chosen: set SOCIETY_MODEL") {
		t.Errorf("models = %+v", got)
	}
}

// Only the endpoint knows whether it needs a key.
func TestModelsTellThatNoKeyIsSet(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[[models]]", `name = "bare"`, `base_url = "http://127.0.0.1:1"`)
	if got := h.run("models", "--no-check"); !strings.Contains(got.out, " none set ") {
		t.Errorf("models = %+v", got)
	}
}
