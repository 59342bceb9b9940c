package conversation

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"pgregory.net/rapid"
)

// refusal returns why a strict endpoint would refuse a history, or "". It shares no code
// with Legal: it reads the history as an endpoint does, entry by entry.
func refusal(history []Entry) string {
	var waiting []string // ids of the calls that must be answered next
	for i, e := range history {
		if len(waiting) > 0 {
			if e.Kind != Result || e.CallID != waiting[0] {
				return fmt.Sprintf("entry %d: call %s is not answered directly after its answer", i, waiting[0])
			}
			if strings.TrimSpace(e.Text) == "" {
				return fmt.Sprintf("entry %d: an empty result", i)
			}
			waiting = waiting[1:]
			continue
		}
		switch {
		case e.Compressed:
			return fmt.Sprintf("entry %d: it was compressed away", i)
		case e.Kind == Result:
			return fmt.Sprintf("entry %d: a result that answers nothing", i)
		case e.Kind == Summary && i > 0:
			return fmt.Sprintf("entry %d: a summary that is not first", i)
		case e.Kind == Answer:
			if strings.TrimSpace(e.Text) == "" && len(e.Calls) == 0 {
				return fmt.Sprintf("entry %d: an answer with nothing in it", i)
			}
			ids, problem := callIDs(e)
			if problem != "" {
				return fmt.Sprintf("entry %d: %s", i, problem)
			}
			waiting = ids
		case e.Kind != Inbound && e.Kind != Summary:
			return fmt.Sprintf("entry %d: a %s is not for a model", i, e.Kind)
		case strings.TrimSpace(e.Text) == "":
			return fmt.Sprintf("entry %d: an empty %s", i, e.Kind)
		}
	}
	if len(waiting) > 0 {
		return "the history ends before call " + waiting[0] + " is answered"
	}
	return ""
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

func callIDs(e Entry) (ids []string, problem string) {
	seen := map[string]bool{}
	for _, c := range e.Calls {
		if c.ID == "" || seen[c.ID] {
			return nil, fmt.Sprintf("call id %q is empty or there twice", c.ID)
		}
		seen[c.ID] = true
		if !nameForm.MatchString(c.Name) {
			return nil, fmt.Sprintf("name %q", c.Name)
		}
		var arguments map[string]any
		if err := json.Unmarshal([]byte(c.Arguments), &arguments); err != nil || arguments == nil {
			return nil, fmt.Sprintf("arguments %q", c.Arguments)
		}
		ids = append(ids, c.ID)
	}
	return ids, ""
}

// anyHistory draws entries of every kind in any order, torn, doubled, mixed:
// what a damaged store could hold.
func anyHistory(t *rapid.T) []Entry {
	kinds := rapid.SampledFrom([]Kind{Inbound, Inbound, Answer, Answer, Answer, Result, Result, Result, Result, Summary, Notice, Superseded, Aborted})
	ids := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", ""})
	texts := rapid.SampledFrom([]string{"", " \n", "hello", "你好", "(no output)"})
	n := rapid.IntRange(0, 30).Draw(t, "entries")
	entries := make([]Entry, n)
	for i := range entries {
		e := Entry{Slot: uint64(i), Kind: kinds.Draw(t, "kind"), Text: texts.Draw(t, "text")}
		e.Compressed = rapid.IntRange(0, 5).Draw(t, "compressed") == 0
		switch e.Kind {
		case Answer, Superseded:
			for range rapid.IntRange(0, 3).Draw(t, "calls") {
				e.Calls = append(e.Calls, Call{
					ID:   ids.Draw(t, "id"),
					Name: rapid.SampledFrom([]string{"get_org", "", "a b", strings.Repeat("x", 65), "说"}).Draw(t, "name"),
					Arguments: rapid.SampledFrom([]string{
						"", "{}", `{"a":1}`, "null", "[]", `"{}"`, `{"a":`, "{}{}", " {} ", `{"a":1,"a":2}`, strings.Repeat("[", 20000),
					}).Draw(t, "arguments"),
				})
			}
		case Result:
			e.CallID, e.Outcome = ids.Draw(t, "call"), OK
		}
		entries[i] = e
	}
	return entries
}
