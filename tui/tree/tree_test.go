package tree

import (
	"fmt"
	"image/color"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

var noon = time.Date(2026, 11, 21, 14, 4, 0, 0, time.UTC)

// cast has agents in every state.
func cast() []api.Row {
	var rows []api.Row
	add := func(id, parent string, state society.Status, ago time.Duration, more func(*api.Row)) {
		row := api.Row{
			ID: society.AgentID(id), Parent: society.AgentID(parent), Order: uint64(len(rows) + 1),
			Role: strings.TrimRight(id, "-0123456789"), State: state, Since: noon.Add(-ago), Usage: society.Usage{Input: 1000 * len(id), Output: 100},
		}
		if more != nil {
			more(&row)
		}
		rows = append(rows, row)
	}
	add("root", "user", society.WaitingLLM, 2*time.Minute, func(r *api.Row) { r.Doing = "assigning chapter reviews" })
	add("research-lead", "root", society.WaitingLLM, 2*time.Minute, func(r *api.Row) { r.Doing = "writes brief" })
	add("web-1", "research-lead", society.WaitingLLM, 41*time.Second, func(r *api.Row) { r.Doing = "reading 3/9" })
	add("web-2", "research-lead", society.Processing, 12*time.Second, func(r *api.Row) { r.Tool = "http_request" })
	add("web-3", "research-lead", society.Idle, 3*time.Minute, func(r *api.Row) { r.Asks = true })
	add("web-4", "research-lead", society.Idle, 6*time.Minute, func(r *api.Row) { r.Report, r.Unread = true, 2 })
	add("writer-lead", "root", society.Idle, 3*time.Minute, func(r *api.Row) { r.WaitsOn = []society.AgentID{"web-3"} })
	add("draft-1", "writer-lead", society.Stopped, 3*time.Minute, nil)
	add("draft-2", "writer-lead", society.WaitingLLM, 2*time.Second, func(r *api.Row) {
		r.Retry = &api.Retry{Attempt: 2, Most: 3, At: noon.Add(4 * time.Second), Cause: "429"}
	})
	add("draft-3", "writer-lead", society.Idle, 5*time.Minute, func(r *api.Row) { r.Error = "LLM error" })
	add("reviewers", "root", society.WaitingLLM, 19*time.Minute, nil)
	for i := range 40 {
		add(fmt.Sprintf("rev-%d", i+1), "reviewers", society.Idle, time.Minute, func(r *api.Row) {
			switch {
			case i < 31:
				r.State = society.WaitingLLM
			case i < 33:
				r.Asks = true
			case i < 34:
				r.Error = "LLM error"
			}
		})
	}
	add("librarian", "root", society.Idle, 9*time.Minute, nil)
	add("agent-1", "root", society.WaitingLLM, 9*time.Hour, func(r *api.Row) { r.Role, r.Doing, r.Queued = "校对员", "第七章", true })
	add("paused-1", "root", society.Idle, 9*time.Minute, func(r *api.Row) { r.Paused = society.Interrupted })
	add("leaving-1", "root", society.WaitingLLM, 9*time.Second, func(r *api.Row) { r.Draining, r.Waiting = true, 2 })
	add("archive", "root", society.Idle, 22*time.Minute, nil)
	for i := range 7 {
		add(fmt.Sprintf("old-%d", i+1), "archive", society.Idle, time.Hour, nil)
	}
	return rows
}

func model(theme themes.Theme, lang protocol.Lang, set symbols.Set) *Model {
	r := New(replica.New(symbols.TextYou.In(lang)), theme, i18n.Printer{Lang: lang, ASCII: set.ASCII}, set)
	r.Tick(noon, 6)
	r.Focus(true)
	return r
}

// apply passes changes to a tree.
func apply(r *Model, c api.Changes) { r.Forget(r.society.Apply(&c).Removed) }

func english() *Model { return model(themes.Auto(color.Black), protocol.English, symbols.Set{}) }

// peopled is a tree with the cast, two of them folded.
func peopled(r *Model) *Model {
	r.folded["reviewers"], r.folded["archive"] = true, true
	apply(r, api.Changes{All: true, Rows: cast(), Inbox: 2})
	return r
}

func TestTreeMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ width, height int }{{44, 30}, {28, 30}, {60, 18}, {38, 12}, {20, 9}} {
		name := fmt.Sprintf("tree-%dx%d", size.width, size.height)
		for suffix, r := range map[string]*Model{
			"":       english(),
			"-zh":    model(themes.Auto(color.White), protocol.Chinese, symbols.Set{}),
			"-ascii": model(themes.Plain(), protocol.English, symbols.Set{ASCII: true}),
		} {
			peopled(r)
			rows := r.Rows(size.width, size.height)
			if len(rows) != size.height {
				t.Errorf("%s has %d rows, want %d", name+suffix, len(rows), size.height)
			}
			cellstest.Golden(t, name+suffix, rows, size.width)
			if suffix == "-ascii" {
				cellstest.Colourless(t, rows)
			}
		}
	}
}

// An agent in a graph shows its node, also behind the name in a narrow tree.
// Other columns stay in place.
func TestTreeShowsTheNodeOfAnAgent(t *testing.T) {
	t.Parallel()
	at := func(row api.Row) api.Row {
		row.ID, row.Parent, row.Order, row.Since, row.Doing = "lead-1", society.Root, 2, noon.Add(-3*time.Second), "writes a text"
		return row
	}
	walk := func(doing graph.WorkKind) api.Walk {
		return api.Walk{Node: "Review it", Doing: doing, Iterations: 2, Most: 50}
	}
	for want, row := range map[string]api.Row{
		"Review it (2/50)":   at(api.Row{State: society.WaitingLLM, Walk: walk(graph.Execute)}),
		"judging: Review it": at(api.Row{State: society.WaitingLLM, Walk: walk(graph.Judge)}),
		"writes a text":      at(api.Row{State: society.WaitingLLM, Walk: api.Walk{Most: 50}}),
	} {
		for _, width := range []int{26, 60} {
			r := New(replica.New(""), themes.Auto(color.Black), i18n.Printer{}, symbols.Set{Still: true})
			r.Tick(noon, 0)
			apply(r, api.Changes{All: true, Rows: []api.Row{{ID: society.Root, Parent: society.User, Order: 1}, row}})
			rows := r.Rows(width, 5)
			cellstest.Widths(t, rows, width)
			said := ansi.Strip(rows[3])
			if width == 60 && !strings.Contains(said, want) {
				t.Errorf("%q does not say %q", said, want)
			}
			if width == 26 && row.Walk.Doing != 0 && !strings.Contains(said, "lead-1 "+want[:4]) {
				t.Errorf("%q does not begin to say %q", said, want)
			}
			if !strings.HasSuffix(said, " 3s") {
				t.Errorf("%q does not end in its age", said)
			}
		}
	}
}

func TestTreeShowsHowMuchOfAListIsDone(t *testing.T) {
	t.Parallel()
	row := api.Row{
		ID: "lead-1", Parent: society.Root, Order: 2, State: society.WaitingLLM, Since: noon.Add(-3 * time.Second),
		Doing: "writes a very long text about the parts of the program", Done: 3, Todo: 7, Unread: 2,
	}
	for width, want := range map[int]string{20: "lead-1", 26: "lead-1 3/7 ", 60: "… 3/7 •2"} {
		r := New(replica.New(""), themes.Auto(color.Black), i18n.Printer{}, symbols.Set{Still: true})
		r.Tick(noon, 0)
		apply(r, api.Changes{All: true, Rows: []api.Row{{ID: society.Root, Parent: society.User, Order: 1}, row}})
		rows := r.Rows(width, 5)
		cellstest.Widths(t, rows, width)
		if said := ansi.Strip(rows[3]); !strings.Contains(said, want) || width == 20 && strings.Contains(said, "3/7") {
			t.Errorf("at %d: %q does not say %q", width, said, want)
		}
	}
}

func TestTreeCountsBackgroundProcesses(t *testing.T) {
	t.Parallel()
	row := api.Row{
		ID: "lead-1", Parent: society.Root, Order: 2, State: society.Idle, Done: 3, Todo: 7,
		Processes: []api.Process{{ID: "p1", Command: "sleep 1"}, {ID: "p2", Command: "sleep 2"}},
	}
	for width, want := range map[int]string{26: "lead-1 3/7 &2", 60: "idle 3/7 &2"} {
		r := New(replica.New(""), themes.Auto(color.Black), i18n.Printer{}, symbols.Set{Still: true})
		r.Tick(noon, 0)
		apply(r, api.Changes{All: true, Rows: []api.Row{{ID: society.Root, Parent: society.User, Order: 1}, row}})
		if rows := r.Rows(width, 5); !strings.Contains(strings.Join(strings.Fields(ansi.Strip(rows[3])), " "), want) {
			t.Errorf("at %d: %q does not say %q", width, ansi.Strip(rows[3]), want)
		}
	}
}

// No sign of the tree is also a sign of a state, which is hard in ASCII.
func TestNothingInTheTreeLooksLikeAState(t *testing.T) {
	t.Parallel()
	r := model(themes.Plain(), protocol.English, symbols.Set{ASCII: true})
	drawn := strings.Join([]string{
		letteredTwig.through, letteredTwig.none, letteredTwig.fork, letteredTwig.end, r.set.Mark(symbols.Folded), r.set.Mark(symbols.Unfolded), letteredTwig.leaf,
		r.lead(chosen, true), r.lead(plain, true), r.lead(chosen, false), ansi.Strip(r.frame.Top(4, "", "", true)), ansi.Strip(r.frame.Bottom(4, "", true)),
	}, "")
	for k := symbols.Thinking; k <= symbols.Idle; k++ {
		if letter := (symbols.Set{ASCII: true}).Symbol(k, 0); strings.Contains(drawn, letter) {
			t.Errorf("%s, that is %s, is in %q", letter, k.Name(), drawn)
		}
	}
}

// Activities are aligned whatever the name or the state, so that nothing moves
// when a state changes. A name that is too long may push its own row.
func TestActivitiesAreAligned(t *testing.T) {
	t.Parallel()
	for _, width := range []int{38, 44, 48, 60, 100} {
		r := peopled(english())
		column := columnsFor(width).name + 1 // behind a blank
		for _, state := range cast() {
			state.ID, state.Parent, state.Order = "web-1", "research-lead", 3
			apply(r, api.Changes{Rows: []api.Row{state}})
			for i, row := range r.Rows(width, 20)[2:17] {
				l := r.lines[i+1]
				n := l.agent
				if 1+r.widthOf(r.branches(l, width))+2+len(n.Name()) > columnsFor(width).name {
					continue
				}
				does := r.activity(n)
				if r.isFolded(n) && len(n.Children) > 0 {
					does = "+"
				}
				does, row = string([]rune(does)[:1]), ansi.Strip(row)
				if row = ansi.Cut(row, column-1, width); !strings.HasPrefix(row, " "+does) {
					t.Errorf("at %d, while web-1 is %q: %s's state does not begin in column %d: %q", width, symbols.Word(&state, i18n.Printer{}, r.society.Name), n.Row.ID, column, row)
				}
			}
		}
	}
}
