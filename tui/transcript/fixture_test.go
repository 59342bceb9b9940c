package transcript_test

import (
	"fmt"
	"image/color"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	stored "society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

var now = time.Date(2026, 11, 21, 14, 4, 20, 0, time.UTC)

func at(minute, second int) time.Time {
	return time.Date(2026, 11, 21, 14, minute, second, 0, time.UTC)
}

// style is the look of a widget under test.
type style struct {
	theme themes.Theme
	set   symbols.Set
	lang  protocol.Lang
}

func coloured() style { return style{themes.Auto(color.Black), symbols.Set{}, protocol.English} }

func plainly() style { return style{themes.Plain(), symbols.Set{}, protocol.English} }

func printer(lang protocol.Lang, ascii bool) i18n.Printer {
	return i18n.Printer{Lang: lang, ASCII: ascii, Key: func(command string) string {
		return map[string]string{"conversation.follow": "end", "verbs.edit_waiting": "ctrl+x e"}[command]
	}}
}

func newRoom(s style) *transcript.Model {
	r := transcript.New(s.theme, printer(s.lang, s.set.ASCII), s.set)
	r.Tick(now, 2)
	return r
}

// shelf is a stored conversation for tests.
type shelf struct {
	entries []stored.Entry
	waiting []api.Waiting
	asked   []transcript.PageRequest
	scans   int
}

func (s *shelf) next() uint64 {
	if len(s.entries) == 0 {
		return 0
	}
	return s.entries[len(s.entries)-1].Slot + 1
}

func (s *shelf) page(n transcript.PageRequest) api.Entries {
	page := api.Entries{Agent: n.Agent, Next: s.next(), Waiting: s.waiting}
	if len(s.entries) > 0 {
		page.First = s.entries[0].Slot
	}
	at := func(slot uint64) int {
		return sort.Search(len(s.entries), func(i int) bool { return s.entries[i].Slot >= slot })
	}
	upto := n.Upto
	if upto == 0 {
		upto = s.next()
	}
	if from := at(n.From); from < at(upto) {
		page.Entries = slices.Clone(s.entries[from:at(upto)])
	}
	return page
}

// say appends an entry and tells the widget, as the runtime would.
func (s *shelf) say(r *transcript.Model, e stored.Entry) {
	e.Slot = s.next()
	s.entries = append(s.entries, e)
	r.Changed("root", e.Slot)
	s.feed(r)
}

// feed answers the requests of the widget.
func (s *shelf) feed(r *transcript.Model) {
	for range 50 {
		need, ok := r.PageRequest()
		if !ok {
			return
		}
		s.asked = append(s.asked, need)
		r.Extend(need, s.page(need))
	}
}

func root() api.Row {
	return api.Row{
		ID: society.Root, Parent: society.User, Role: "planner",
		State: society.WaitingLLM, Since: at(4, 2),
	}
}

func opened(s style, sh *shelf) *transcript.Model {
	r := newRoom(s)
	row := root()
	row.Next = sh.next()
	r.Show(society.Root, "root · planner")
	r.Row(row)
	r.Rows(80, 24)
	sh.feed(r)
	return r
}

func call(id, name, args string) stored.Call {
	return stored.Call{ID: id, Name: name, Arguments: args}
}

func result(slot uint64, id string, outcome stored.Outcome, text string, took time.Duration) stored.Entry {
	return stored.Entry{Slot: slot, Kind: stored.Result, CallID: id, Outcome: outcome, Text: text, Took: took}
}

// everything is a conversation with one item of each kind.
func everything() *shelf {
	const ms = time.Millisecond
	return &shelf{
		entries: []stored.Entry{
			{Slot: 0, Kind: stored.Inbound, At: at(2, 11), From: "user", To: "root", Type: "general", Body: "Review the 12 chapters and give me one table of problems.\nUse **short** rows."},
			{
				Slot: 1, Kind: stored.Answer, At: at(2, 14), From: "root", Reasoning: strings.Repeat("I should split this.\n", 41),
				Text: "I split the work: research-lead checks **facts**, writer-lead checks *prose*.", Tokens: 1900, Took: 3100 * ms,
				Calls: []stored.Call{
					call("a", "spawn_agent", `{"roleId":"research-lead","taskBrief":{"objective":"facts, chapters 1-12"}}`),
					call("b", "send_message", `{"to":["writer-lead","web-3"],"payload":"wait for web-3 before chapter 7"}`),
					call("c", "web_fetch", `{"url":"https://openlibrary.org/works/OL45883W"}`),
					call("d", "context_status", `{}`), call("e", "list_contacts", ``), call("f", "get_org", `{"depth":`), call("g", "list_roles", `null`),
				},
			},
			result(2, "a", stored.OK, `{"agentId":"research-lead-1"}`, 200*ms),
			result(3, "b", stored.OK, `{"messageId":"01J"}`, 10*ms),
			result(4, "c", stored.Failed, "404 Not Found\nthe page does not exist", 300*ms),
			result(5, "d", stored.Skipped, "skipped", 0),
			result(6, "e", stored.AbortedCall, "aborted", 12*time.Second),
			result(7, "f", stored.NotRun, "not run", 0),
			result(8, "g", stored.Unknown, "unknown", 0),
			{Slot: 9, Kind: stored.Inbound, At: at(3, 40), From: "research-lead", To: "root", Type: "status_report", Body: "Chapters 1-6: 9 claims checked, 2 wrong. 第七章 needs a source.\n\n- ch. 2: the date\n- ch. 5: the quote"},
			{Slot: 10, Kind: stored.Superseded, At: at(3, 44), From: "root", Text: "Let me ask the reviewers now.", Calls: []stored.Call{call("h", "send_message", `{"to":"rev-1","payload":{"text":"please start"}}`)}},
			{Slot: 11, Kind: stored.Aborted, At: at(3, 50), From: "root", Tokens: 1234, Cause: "stream stalled"},
			{Slot: 12, Kind: stored.Aborted, At: at(3, 51), From: "root", Cause: "aborted"},
			{Slot: 13, Kind: stored.Notice, At: at(3, 55), From: "root", Cause: "server", Text: "500 Internal Server Error after 4 attempts: upstream connect error or disconnect before headers"},
			{Slot: 14, Kind: stored.Summary, At: at(3, 56), Text: "They want **one** table."},
			{Slot: 15, Kind: stored.Inbound, At: at(3, 58), From: "user", To: "root", Type: "general", Body: "go on"},
			{Slot: 16, Kind: stored.Answer, At: at(4, 1), From: "root", To: "user,research-lead", Text: "One table it is:\n\n```\na | b\n```", Tokens: 12, Took: 900 * ms},
		},
		waiting: []api.Waiting{{Seq: 99, From: "user", At: at(4, 10), Body: "Add the page numbers."}},
	}
}

func answering() api.Draft {
	return api.Draft{
		Agent: society.Root, Step: 4, Bytes: 230, Last: now, Thought: "first\nthen",
		Text: "## Problems so far\n\n| chapter | problem |\n|---|---|\n| 2 | date is 1911 |\n\nNext I will ask the reviewers to",
	}
}

// many is a conversation of n messages, each of a few rows.
func many(n int) *shelf {
	s := &shelf{}
	for i := range n {
		e := stored.Entry{Slot: uint64(i), At: at(0, i%60), From: "root", Kind: stored.Answer, Text: fmt.Sprintf("answer number %d\n\nwith a second paragraph", i)}
		if i%2 == 0 {
			e = stored.Entry{Slot: uint64(i), At: at(0, i%60), From: "user", To: "root", Kind: stored.Inbound, Type: "general", Body: fmt.Sprintf("question number %d", i)}
		}
		s.entries = append(s.entries, e)
	}
	return s
}

func text(rows []string) string { return ansi.Strip(strings.Join(rows, "\n")) }

func shows(t *testing.T, rows []string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text(rows), w) {
			t.Errorf("%q is not in\n%s", w, text(rows))
		}
	}
}

func hides(t *testing.T, rows []string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(text(rows), w) {
			t.Errorf("%q is in\n%s", w, text(rows))
		}
	}
}
