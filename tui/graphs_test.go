package tui_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// review is a graph with a loop and branches.
func review() *graph.Graph {
	g, err := graph.Compile(graph.Definition{
		Name: "review", MaxIterations: 12,
		Nodes: []graph.Node{{Key: "draft", Title: "Draft"}, {Key: "facts", Title: "Check facts"}, {Key: "style", Title: "校对文体"}, {Key: "weigh", Title: "Weigh"}, {Key: "final", Title: "Final text"}},
		FanOuts: []graph.FanOut{{
			From: "draft", Join: "weigh", Merge: graph.MergeLast,
			Branches: []graph.Branch{{To: "facts", Question: "Does the draft claim anything that can be looked up?"}, {To: "style"}},
		}},
		Edges: []graph.Edge{
			{From: "facts", To: "weigh"},
			{From: "style", To: "weigh"},
			{From: "weigh", To: "draft", Question: "Is there a fault that keeps the text from being sent?"},
			{From: "weigh", To: "final"},
		},
		Entries: []string{"draft"}, EndNodes: []string{"final"},
	}, graph.Funcs{})
	if err != nil {
		panic(err) // it is a constant
	}
	return g
}

// walking puts an agent of the book into the middle of a graph.
func walking(t *testing.T, f *fakeSociety, id society.AgentID, steps int) {
	t.Helper()
	g := review()
	run, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	run.OneByOne = true
	at := time.Now()
	if err := run.Start(at); err != nil {
		t.Fatal(err)
	}
	for range steps {
		at = at.Add(2 * time.Second)
		if err := run.Done(run.Next()[0], graph.Result{At: at, Verdict: graph.Yes, Why: "Two claims have no source."}); err != nil {
			t.Fatal(err)
		}
	}
	w := run.Next()[0]
	f.run(id, run)
	f.set(id, func(r *api.Row) {
		r.State, r.Doing = society.WaitingLLM, "writes the report"
		r.Walk = api.Walk{Graph: g.Version(), Node: g.Title(w.Node), Doing: w.Kind, Iterations: run.Iterations, Most: g.MaxIterations(), Ended: len(run.Path)}
	})
	f.Say(id, conversation.Entry{Kind: conversation.Answer, From: string(id), Text: "The facts hold.", Node: "facts", Branch: 1})
	f.Say(id, conversation.Entry{Kind: conversation.Answer, From: string(id), Text: "The style is plain.", Node: "style", Branch: 2})
	f.Say(id, conversation.Entry{Kind: conversation.Merged, From: "runtime", To: string(id), Text: "Branch 1: the facts hold."})
}

// run sets the run in an agent's profile.
func (f *fakeSociety) run(id society.AgentID, r *graph.Run) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if f.runs == nil {
		f.runs = make(map[society.AgentID]*graph.Run)
	}
	f.runs[id] = r
}

func TestRunningGraphMatchesItsGolden(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		for _, size := range [][2]int{{160, 45}, {100, 30}, {80, 24}, {60, 20}} {
			name := fmt.Sprintf("graph-%s-%dx%d", lang, size[0], size[1])
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					f := newFake()
					book(f)
					walking(t, f, "web-1", 8)
					cfg := config(f)
					cfg.Lang, cfg.Still = lang, true
					s := screentest.Drive(t, size[0], size[1], cfg)
					s.Type("/to web-1").Press("enter", "enter", "alt+3", "5").Pass(time.Second)
					switch {
					case lang == protocol.English && size[0] == 160, lang == protocol.Chinese && size[0] == 60:
						golden(t, name, s.String())
					case size[0] >= 80 && !strings.Contains(s.String(), "│") || strings.Contains(s.String(), "%!"):
						t.Errorf("no pane stands beside the graph, or a text lacks its arguments:\n%s", s)
					}
				})
			})
		}
	}
}

func TestPausingIsShownUntilTheAgentPauses(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		walking(t, f, "web-1", 1)
		f.forget()
		s.Pass(time.Second).Shows("judging: ")
		s.Press("alt+1", "down", "down").Press("ctrl+x").Shows("p pause").Press("p")
		asked(t, f, society.PauseAgent{Agent: "web-1"})
		s.Shows("web-1 will pause after the current step", "¦ web-1", "pausing…")
		f.set("web-1", func(r *api.Row) { r.State = society.Idle })
		s.Pass(time.Second).Shows("‖ web-1", "paused: as asked")
		s.Press("ctrl+x", "p").Shows("web-1 is already paused")
		f.forget()
		s.Pass(time.Second).Press("ctrl+x", "r").Shows("Resumed 1 agent")
		asked(t, f, society.Resume{Agent: "web-1"})
	})
}

func TestPauseCoversMarkedAgentsAndExplainsStoppedOnes(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-2", func(r *api.Row) { r.State = society.Stopped })
		s.Press("alt+1", "down", "down", "space", "down", "space").Press("ctrl+x", "p")
		asked(t, f, society.PauseAgent{Agent: "web-1"}, society.PauseAgent{Agent: "web-2"})
		s.Shows("web-1 will pause after the current step · web-2 is already stopped")
		s.Pass(time.Second).Press("alt+2", "esc").Type("/pause lead-1").Press("enter", "enter")
		asked(t, f, society.PauseAgent{Agent: "lead-1"})
		s.Pass(time.Second).Shows("lead-1 will pause after the current step")
	})
}

func TestARoleIsGivenAnotherGraph(t *testing.T) {
	graphed := func(c *tui.Config) {
		fakeOf(c).Holds.Graphs = []api.Graph{{Name: "draft-review", Description: "Draft, review, and\x1b[31m again"}, {Name: "sides", Description: "Three views, then one"}}
	}
	onScreenWith(t, 100, 30, graphed, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		staffed(f)
		has := func(want string) {
			t.Helper()
			got := ""
			if g := f.Holds.Roles[1].Graph; g != nil {
				got = g.Name
			}
			if got != want {
				t.Errorf("the role has the graph %q, not %q", got, want)
			}
		}
		s.Press("alt+r", "down", "w").Shows("Graph of researcher", "▸ a single step", "current", "Three views, then one", "Draft, review, and again")
		s.Press("down", "enter").Shows("researcher now uses draft-review · turns in progress fail; resume their agents", "graph: draft-review", "▸ researcher")
		has("draft-review")
		s.Press("w").Shows("▸ draft-review").Press("enter").Shows("researcher already uses draft-review")
		s.Press("w", "esc").Hides("Graph of").Shows("▸ researcher").Press("g").Hides("▸ researcher").Press("down").Shows("▸ researcher")
		s.Press("enter").Shows("[ Graph ]").Press("w", "g", "enter").Shows("researcher now uses a single step")
		has("")
		// A missing graph is listed, but cannot be chosen.
		f.Holds.Roles[1].Graph = &graph.Definition{Name: "lost"}
		s.Press("esc", "alt+r", "home", "down", "w").Shows("▸ ✗ lost", "not set up").Press("esc", "esc")
	})
}
