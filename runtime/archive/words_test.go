package archive

import (
	"reflect"
	"strings"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

func TestLabelsOfMarkdownAreCompleteInEachLanguage(t *testing.T) {
	t.Parallel()
	english, chinese := reflect.ValueOf(wordsIn(protocol.English)), reflect.ValueOf(wordsIn(protocol.Chinese))
	for i := range english.NumField() {
		name, e, c := english.Type().Field(i).Name, english.Field(i), chinese.Field(i)
		switch e.Kind() {
		case reflect.String:
			if e.String() == "" || c.String() == "" || e.String() == c.String() {
				t.Errorf("%s is %q and %q", name, e, c)
			}
		case reflect.Map:
			if e.Len() == 0 || e.Len() != c.Len() {
				t.Errorf("%s holds %d words and %d", name, e.Len(), c.Len())
			}
			for _, key := range e.MapKeys() {
				if said := c.MapIndex(key); !said.IsValid() || said.String() == "" || e.MapIndex(key).String() == "" {
					t.Errorf("%s of %v is missing", name, key)
				}
			}
		default:
			t.Errorf("%s is neither a word nor words", name)
		}
	}
}

// A call that was refused before it began has no result, and gives the reason; so does
// one without a result yet.
func TestCallWithoutResultShowsItsOutcome(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang][2]string{
		protocol.English: {"not run: no \\*such\\* tool", "no result yet"}, protocol.Chinese: {"未执行：no \\*such\\* tool", "还没有结果"},
	} {
		m := &markdown{words: wordsIn(lang)}
		if said := m.outcome(&conversation.Call{Problem: "no *such* tool"}, nil); said != want[0] {
			t.Errorf("of one that was refused %q, not %q", said, want[0])
		}
		if said := m.outcome(&conversation.Call{}, nil); said != want[1] {
			t.Errorf("of one that is not over %q, not %q", said, want[1])
		}
	}
}

// One agent at work of several has the singular.
func TestMarkdownCountsAgentsInTheMiddleOfATurn(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{1: "while one of these agents was in", 2: "while 2 of these agents were in"} {
		if w := wordsIn(protocol.English); !strings.Contains(w.midTurn(n, 3), want) {
			t.Errorf("%d of 3: %s", n, w.midTurn(n, 3))
		}
	}
}
