package runtime_test

import (
	"context"
	"iter"
	"strings"
	"sync"
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
	"society-tui/storage/memdb"
)

// A talker answers each node of a graph with its title and so many bytes, and in
// the node called Risks compresses its context first. It keeps what it is sent.
type talker struct {
	bytes    int
	squeezes bool
	sent     *letters
}

// letters are the requests that branches side by side have sent.
type letters struct {
	mu  sync.Mutex
	all []llm.Request
}

func (l *letters) keep(req llm.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, req)
}

func (talker) Name() string { return "talker" }

func (k talker) Generate(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	k.sent.keep(req)
	text, calls := "No.", []llm.Call(nil)
	if step := presentStep.FindStringSubmatch(req.System); step != nil {
		text = step[1] + " says " + strings.Repeat("x", k.bytes)
		if k.squeezes && step[1] == "Risks" && req.Messages[len(req.Messages)-1].Role != llm.Tool {
			calls = []llm.Call{{ID: "c", Name: "compress_context", Arguments: `{"summary":"so far","keepRecentCount":0}`}}
		}
	}
	return func(yield func(llm.Chunk, error) bool) {
		_ = yield(llm.Chunk{Text: text}, nil) && yield(llm.Chunk{Done: true, Calls: calls, Finish: llm.FinishStop}, nil)
	}
}

// The join reads the results of every branch: also those compressed away in a later
// branch, and parts of answers that are too long together.
func TestS004AJoinHearsOfEveryBranch(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]talker{"short": {bytes: 3}, "compressed away": {bytes: 3, squeezes: true}, "long": {bytes: 60 << 10}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var sent letters
				k.sent = &sent
				stepped(t, memdb.New(), "three-views", k)
				var merged string
				for _, m := range sent.all[len(sent.all)-1].Messages {
					if strings.Contains(m.Text, "The branches have come to an end") {
						merged = m.Text
					}
				}
				for _, title := range []string{"Benefits", "Risks", "Costs"} {
					if !strings.Contains(merged, "## "+title+"\n"+title+" says xxx") {
						t.Errorf("the join is not told of %s", title)
					}
				}
				if _, cut := conversation.BudgetsFor(0).Message.Cut(merged); cut {
					t.Errorf("of %d bytes a part is sent", len(merged))
				}
				if left := strings.Count(merged, "call read with path \"entry:"); left != map[bool]int{true: 3}[k.bytes > 3] {
					t.Errorf("of %d answers it is said how the rest is read", left)
				}
			})
		})
	}
}

// A model that judges is not told that a step begins.
func TestS004WhoJudgesIsNotToldThatAStepBegins(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent letters
		stepped(t, memdb.New(), "draft-review", talker{bytes: 3, sent: &sent})
		judged := 0
		for _, req := range sent.all {
			if last := len(req.Messages) - 1; strings.HasPrefix(req.Messages[last].Text, "Judge this") {
				judged++
				if before := req.Messages[last-1]; before.Role != llm.Assistant {
					t.Errorf("before the question stands %q", before.Text)
				}
			}
		}
		if judged == 0 {
			t.Error("nothing was judged")
		}
	})
}

// Who is in the trunk or in a branch is warned of what it sees itself, not of what
// others have said (S000 P10).
func TestS004NobodyIsWarnedOfWhatIsSaidInOtherBranches(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"three-views", "three-at-once"} {
		synctest.Test(t, func(t *testing.T) {
			var sent letters
			limits := society.DefaultLimits()
			limits.ContextMessages = 3 // the message, the first node's answer, and the results of one branch or of all
			stepped(t, memdb.New(), name, talker{bytes: 3, sent: &sent}, func(cfg *runtime.Config) { cfg.Limits = limits })
			for _, req := range sent.all {
				if strings.Contains(req.System, "the most it should hold") {
					t.Errorf("%s: warned of %d messages in the step %q", name, len(req.Messages), presentStep.FindStringSubmatch(req.System)[1])
				}
			}
			if len(sent.all) != 5 {
				t.Errorf("%d requests were sent", len(sent.all))
			}
		})
	}
}

// A full context in a branch is compressed in that branch, also side by side, and the run
// ends.
func TestS004AFullContextInABranchIsCompressed(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"three-views", "three-at-once"} {
		synctest.Test(t, func(t *testing.T) {
			var sent letters
			var mu sync.Mutex
			full := map[string]bool{}
			first := func(step string) bool {
				mu.Lock()
				defer mu.Unlock()
				was := full[step]
				full[step] = full[step] || step == "Risks" || step == "Costs"
				return full[step] && !was
			}
			says := talker{bytes: 3000, sent: &sent}
			model := llmtest.Func("narrow", summing(llmtest.Say("SUMMARY"), func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
				step := presentStep.FindStringSubmatch(req.System)[1]
				if first(step) {
					return llmtest.Fail(tooLong)(ctx, req)
				}
				return says.Generate(ctx, req)
			}))
			said, ran := steppedOn(t, memdb.New(), "Write it. "+long(1000), name, model)
			if ran == nil || ran.Status != graph.Completed || !full["Risks"] || !full["Costs"] {
				t.Fatalf("%s: it ran %+v", name, ran)
			}
			summaries := 0
			for _, req := range sent.all {
				step, has := presentStep.FindStringSubmatch(req.System)[1], strings.Contains(req.Messages[0].Text, "SUMMARY")
				if has != (step == "Risks" || step == "Costs") {
					t.Errorf("%s: in the step %q a summary is seen: %t", name, step, has)
				}
				if has {
					summaries++
				}
			}
			if summaries != 2 {
				t.Errorf("%s: %d summaries were made; said was %q", name, summaries, said)
			}
		})
	}
}

// Of each branch the join reads all that it has answered, or its last answer alone,
// as the graph says.
func TestS004AJoinMergesAsTheGraphSays(t *testing.T) {
	t.Parallel()
	for merge, want := range map[graph.Merge]string{
		graph.MergeAppend: "## Plan\nPlan says xxx\n\n## Build\nBuild says xxx\n\n## Check\nCheck says xxx",
		graph.MergeLast:   "## Build\nBuild says xxx\n\n## Check\nCheck says xxx",
	} {
		synctest.Test(t, func(t *testing.T) {
			steps := graph.Definition{
				Name: "merges",
				Nodes: []graph.Node{
					{Key: "open", Title: "Open"}, {Key: "plan", Title: "Plan"}, {Key: "build", Title: "Build"}, {Key: "check", Title: "Check"}, {Key: "end", Title: "End"},
				},
				Edges: []graph.Edge{{From: "plan", To: "build"}, {From: "build", To: "end"}, {From: "check", To: "end"}},
				FanOuts: []graph.FanOut{
					{From: "open", Join: "end", Merge: merge, Branches: []graph.Branch{{To: "plan"}, {To: "check"}}},
				},
				Entries: []string{"open"}, EndNodes: []string{"end"},
			}
			var sent letters
			stepped(t, memdb.New(), "merges", talker{bytes: 3, sent: &sent}, func(cfg *runtime.Config) {
				cfg.Graphs = func(protocol.Lang) []graph.Definition { return []graph.Definition{steps} }
			})
			last := sent.all[len(sent.all)-1].Messages
			if got := last[len(last)-1].Text; len(sent.all) != 5 || !strings.HasSuffix(got, "\n\n"+want) || strings.Count(got, "##") != strings.Count(want, "##") {
				t.Errorf("merged by %q, the join reads %q, not %q", merge, got, want)
			}
		})
	}
}

// What ends a run is said of the agent, not of its model, which has answered; a model
// that fails is said to.
func TestS004TheEndOfARunIsNoFailureOfTheModel(t *testing.T) {
	t.Parallel()
	for want, answer := range map[string]llmtest.Answer{"ok": llmtest.Say("well"), "no such key": llmtest.Fail(&llm.Error{Class: llm.Auth, Status: 401, Text: "no such key"})} {
		synctest.Test(t, func(t *testing.T) {
			steps := graph.Definition{
				Name: "short", MaxIterations: 1, Nodes: []graph.Node{{Key: "one"}, {Key: "two"}},
				Edges: []graph.Edge{{From: "one", To: "two"}}, Entries: []string{"one"}, EndNodes: []string{"two"},
			}
			s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
				cfg.Model = llmtest.Func("brief", answer)
				cfg.Graphs = func(protocol.Lang) []graph.Definition { return []graph.Definition{steps} }
			})
			s.do(society.ChooseGraph{Role: "role-root", Graph: "short"})
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Minute)
			w := s.r.Watch()
			defer w.Close()
			c, err := w.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := c.Health["brief"]; got != want || c.Rows[0].Error == "" {
				t.Errorf("of the model is said %q, of root %q", got, c.Rows[0].Error)
			}
		})
	}
}
