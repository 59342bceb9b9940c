package runtime_test

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// A stepper is a model that answers each node of a graph with its title, calls a
// tool first in the node that is called Draft and in branches, and has one draft mended. What it
// says follows from the request alone, which it holds to be legal.
type stepper struct{ t *testing.T }

func (stepper) Name() string { return "stepper" }

var presentStep = regexp.MustCompile(`(?m)^# Your present step: (.*)$`)

func (s stepper) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	if err := llm.CheckHistory(req); err != nil {
		s.t.Errorf("the history is not legal: %v", err)
	}
	last, drafts := req.Messages[len(req.Messages)-1], 0
	for _, m := range req.Messages {
		if m.Role == llm.Assistant && strings.HasPrefix(m.Text, "Draft") {
			drafts++
		}
	}
	say := func(text string, calls ...llm.Call) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			_ = yield(llm.Chunk{Text: text}, nil) && yield(llm.Chunk{Done: true, Calls: calls, Finish: llm.FinishStop}, nil)
		}
	}
	step := presentStep.FindStringSubmatch(req.System)
	switch {
	case step == nil:
		return say("no step")
	case strings.HasPrefix(last.Text, "Judge this"):
		if len(req.Tools) > 0 {
			s.t.Errorf("a judge is offered %d tools", len(req.Tools))
		}
		if drafts < 2 {
			return say("Yes, once more.")
		}
		return say("No.")
	case slices.Contains([]string{"Draft", "Benefits", "Risks", "Costs"}, step[1]) && last.Role != llm.Tool:
		return say("", llm.Call{ID: fmt.Sprint(step[1], len(req.Messages)), Name: "get_org", Arguments: "{}"})
	}
	var heard []string
	for _, m := range req.Messages {
		if m.Role == llm.Assistant && m.Text != "" {
			heard = append(heard, strings.Fields(m.Text)[0])
		}
	}
	return say(fmt.Sprintf("%s after %s.", step[1], strings.Join(heard, " ")))
}

// A camcorder is a store that keeps what it holds after each commit.
type camcorder struct {
	*memdb.Store
	shots []*memdb.Store
}

func (c *camcorder) Update(f func(storage.Tx) error) error {
	err := c.Store.Update(f)
	if err == nil {
		c.shots = append(c.shots, c.Store.Clone())
	}
	return err
}

// stepped opens the society of a store, gives root a graph and a task if it has
// none yet, and returns what is in its conversation and how its run ended, once it
// has come to rest.
func stepped(t *testing.T, store storage.Store, name string, model llm.Model, change ...func(*runtime.Config)) (said []string, ran *graph.Run) {
	t.Helper()
	return steppedOn(t, store, "Write it.", name, model, change...)
}

func steppedOn(t *testing.T, store storage.Store, task, name string, model llm.Model, change ...func(*runtime.Config)) (said []string, ran *graph.Run) {
	t.Helper()
	cfg := runtime.Config{Store: store, Model: model, Check: true, Graphs: withParallel}
	for _, c := range change {
		c(&cfg)
	}
	r, err := runtime.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	time.Sleep(time.Second) // of the bubble: the loop waits a little for more to commit
	synctest.Wait()
	page, err := r.Entries(ctx, society.Root, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range []society.Command{
		society.ChooseGraph{Role: "role-root", Graph: name},
		society.Send{To: society.Root, Text: task},
	} {
		if _, is := cmd.(society.Send); is && len(page.Entries)+len(page.Waiting) > 0 {
			continue
		}
		if _, err := r.Do(ctx, cmd); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(time.Second) // of the bubble: the loop waits a little for more to commit
	synctest.Wait()
	if page, err = r.Entries(ctx, society.Root, 0, 0); err != nil {
		t.Fatal(err)
	}
	profile, err := r.Profile(ctx, society.Root)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, e := range page.Entries {
		if e.Kind == conversation.Answer || e.Kind == conversation.Merged {
			said = append(said, fmt.Sprintf("%s %d: %s", e.Node, e.Branch, e.Text))
		}
	}
	if name == "three-at-once" { // which branch is first is chance
		slices.Sort(said)
	}
	return said, profile.Run
}

// withParallel are the graphs that are built in, and one of them with its branches
// side by side.
func withParallel(lang protocol.Lang) []graph.Definition {
	all := template.Graphs(lang)
	for _, d := range all {
		if d.Name == "three-views" {
			d.Name, d.Parallel = "three-at-once", true
			all = append(all, d)
		}
	}
	return all
}

// nodes are the executions of a run, sorted.
func nodes(run *graph.Run) (all []string) {
	for _, rec := range run.Path {
		if rec.Kind == graph.Execute {
			all = append(all, rec.Node)
		}
	}
	slices.Sort(all)
	return all
}

// Whatever commit a crash comes after, the run goes on at the node where it was:
// what is said in the end, and how often each node was executed, is what it would
// have been (issue: checkpoint after each node).
func TestS004ACrashAfterAnyCommitRepeatsNoNodeThatHasEnded(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"draft-review": {"draft", "review", "draft", "review", "final"},
		"three-views":  {"frame", "benefits", "risks", "costs", "weigh"},

		"three-at-once": {"frame", "benefits", "risks", "costs", "weigh"},
	} {
		slices.Sort(want)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				store := &camcorder{Store: memdb.New()}
				said, ran := stepped(t, store, name, stepper{t})
				if ran == nil || ran.Status != graph.Completed || !slices.Equal(nodes(ran), want) {
					t.Fatalf("it ran %+v", ran)
				}
				if name != "draft-review" && !slices.ContainsFunc(said, func(s string) bool { return strings.HasSuffix(s, "Costs after Question.") }) {
					t.Errorf("a branch has seen another: %q", said)
				}
				for k, shot := range store.shots {
					again, rerun := stepped(t, shot, name, stepper{t})
					if !slices.Equal(again, said) || rerun == nil || !slices.Equal(nodes(rerun), want) {
						t.Errorf("after a crash behind commit %d:\n%s\nnot\n%s", k+1, strings.Join(again, "\n"), strings.Join(said, "\n"))
					}
				}
				t.Logf("%d crashes; %s", len(store.shots), strings.Join(said, " | "))
			})
		})
	}
}

// A file can be opened in which a role has got another graph while its agent was in
// branches side by side: the turn of the agent ends with words.
func TestS004AFileOpensWhoseGraphChangedUnderBranches(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		model := llmtest.Func("waits in branches", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			if step := presentStep.FindStringSubmatch(req.System); step[1] != "Question" {
				return llmtest.When(nil, llmtest.Say("never"))(ctx, req)
			}
			return llmtest.Say("What is the question?")(ctx, req)
		})
		configure := func(cfg *runtime.Config) { cfg.Model, cfg.Graphs = model, withParallel }
		store := memdb.New()
		first := run(t, nil, store, configure)
		first.do(society.ChooseGraph{Role: "role-root", Graph: "three-at-once"})
		first.do(society.Send{To: society.Root, Text: "Write it."})
		synctest.Wait()
		first.do(society.ChooseGraph{Role: "role-root"})
		if n := model.Running(); n != 3 {
			t.Fatalf("%d branches are at work", n)
		}
		crashed := store.Clone()
		first.quit()
		second := run(t, nil, crashed, configure)
		synctest.Wait()
		if row := second.rows()[society.Root]; row.State != society.Idle || !strings.Contains(row.Error, "was changed while") {
			t.Errorf("root is %s, failed with %q", row.State, row.Error)
		}
	})
}

// The graphs that are built in are without a mistake, and the same in each language.
func TestS004WhatIsBuiltInIsTheSameGraphInEachLanguage(t *testing.T) {
	t.Parallel()
	ways := map[string]string{}
	for _, lang := range protocol.Langs() {
		for _, d := range template.Graphs(lang) {
			g, err := graph.Compile(d, graph.Funcs{})
			if err != nil {
				t.Fatal(err)
			}
			shape := g.String()
			for _, e := range d.Edges { // what is asked is in the language
				if e.Question != "" {
					shape = strings.ReplaceAll(shape, fmt.Sprintf("%q", e.Question), "?")
				}
			}
			if other, ok := ways[d.Name]; ok && other != shape {
				t.Errorf("%s is\n%s\nin one language and\n%s\nin the other", d.Name, other, shape)
			}
			ways[d.Name] = shape
		}
	}
	if len(ways) != 2 {
		t.Errorf("built in are %d graphs", len(ways))
	}
}

// A graph that has gone from the settings is named to the user; its agents go on with the
// one that they have.
func TestAGraphThatHasGoneFromTheSettingsIsNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		one := func(protocol.Lang) []graph.Definition {
			return []graph.Definition{{Name: "one", Nodes: []graph.Node{{Key: "a"}}, Entries: []string{"a"}, EndNodes: []string{"a"}}}
		}
		named := func(protocol.Lang) society.AddTeam {
			p := staff(1, "")(protocol.English)
			p.Roles[0].Name, p.Roles[0].Graph, p.Agents[0].Role = "stepper", "one", "stepper"
			return p
		}
		lost := func(graphs func(protocol.Lang) []graph.Definition) (names []string) {
			s := run(t, newCast(), store, func(cfg *runtime.Config) {
				cfg.Model, cfg.Graphs, cfg.FirstTeam = llmtest.Func("m", llmtest.Say("well")), graphs, named
			})
			defer s.quit()
			for _, want := range s.r.MissingModels() {
				names = append(names, want.Role+" "+want.Graph+want.Model+want.Tool)
			}
			return names
		}
		if got := lost(one); got != nil {
			t.Errorf("nothing has gone, and it names %q", got)
		}
		if got := lost(nil); !slices.Equal(got, []string{"stepper one"}) {
			t.Errorf("it names %q", got)
		}
	})
}
