package approvals_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/approval"
	"society-tui/runtime/shellwords"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/feature/approvals"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// opens is the command of another feature whose key opens a row of the list, too.
var opens = &command.Command{ID: "open_outside", Keys: command.Keys(command.List, "o"), Run: command.Do(func() {})}

// A crew is a society whose agents ask.
type crew struct {
	*apitest.Society
	asked  uint64
	folder action.NewFolder
	deps   *page.Deps
	// chose are the answers for the folder, and chooses what each of them meets.
	chose   []approval.Mode
	chooses error
}

// asks lets an agent of a role ask to edit a file.
func (c *crew) asks(agent society.AgentID, role, path string, with ...func(*api.Approval)) api.Approval {
	c.asked++
	w := api.Approval{
		ID: c.asked, Agent: agent, Call: fmt.Sprint("call-", c.asked), At: time.Now(), Mode: approval.AskFirst,
		Request: approval.Request{Tool: "edit", Class: tool.ClassEdit, Paths: []tool.Path{{Name: path}}, Line: []string{string(agent), "root"}, Role: role, RoleName: role},
		Summary: path + " +1 −1", Preview: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1 @@\n-old\n+new\n",
	}
	for _, change := range with {
		change(&w)
	}
	c.Put(api.Row{ID: agent, Parent: society.Root, Role: role, RoleID: society.RoleID(role), Order: w.ID, State: society.Processing, Approvals: 1, Doing: "mend the parser"})
	c.Tell(func(n *api.Changes) { n.Approvals = append(n.Approvals, w) })
	return w
}

// runs lets an agent of a role ask to run a command.
func (c *crew) runs(agent society.AgentID, role, text string, with ...func(*api.Approval)) api.Approval {
	return c.asks(agent, role, "", append([]func(*api.Approval){func(w *api.Approval) {
		parsed := shellwords.Parse(text)
		w.Request.Tool, w.Request.Class, w.Request.Paths = "bash", tool.ClassRun, nil
		w.Request.Target.Command = &parsed
		w.Summary, w.Preview = strings.Join(strings.Fields(text), " "), "# in the sandbox\n"+text
	}}, with...)...)
}

// ends lets a request end.
func (c *crew) ends(id uint64, how society.ApprovalOutcome) {
	c.Tell(func(n *api.Changes) { n.Ended = append(n.Ended, api.ApprovalEnd{ID: id, Outcome: how}) })
}

// answers are those that were sent.
func (c *crew) answers() (all []society.AnswerApproval) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	for _, cmd := range c.Did {
		if cmd, ok := cmd.(society.AnswerApproval); ok {
			all = append(all, cmd)
		}
	}
	return all
}

func wantAnswers(t *testing.T, c *crew, want ...society.AnswerApproval) {
	t.Helper()
	if got := c.answers(); !reflect.DeepEqual(got, want) {
		t.Fatalf("answered %+v, want %+v", got, want)
	}
}

// led runs a script with the feature on a screen.
func led(t *testing.T, script func(*testing.T, *pagetest.Screen, *crew)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &crew{Society: apitest.New()}
		c.folder = action.NewFolder{Dir: "/home/ann/site\x1b[2J", Allow: func(_ context.Context, m approval.Mode) error {
			c.chose = append(c.chose, m)
			return c.chooses
		}}
		c.Put(api.Row{ID: society.Root, Role: "planner", RoleID: "planner", State: society.Idle})
		c.Answer = func(cmd society.Command) (society.Reply, error) {
			reply := society.ApprovalsAnswered{}
			if cmd, ok := cmd.(society.AnswerApproval); ok {
				if cmd.Answer == society.DenyCall {
					reply.Denied = cmd.IDs
				} else {
					reply.Allowed = cmd.IDs
				}
			}
			return reply, nil
		}
		script(t, pagetest.New(t, c.Society, func(d *page.Deps) page.Feature {
			c.deps = d
			d.Actions.Workspace = action.Workspace{Dir: c.folder.Dir}
			return approvals.New(d, c.folder)
		}, opens), c)
	})
}

// The report names the folder, and how to choose another.
func TestTheFolderOfTheAgentsIsShown(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		s.Do("/workspace").Shows("Where agents work on files", `work in /home/ann/site\x1b[2J.`, "start with --workspace PATH").Press("esc")
		c.deps.Actions.Workspace = action.Workspace{Dir: "/data/society.work", Own: true}
		s.Do("/workspace").Shows("empty folders of the session", "/data/society.work")
	})
}

// grace is how long a dialog that opens by itself takes no answer.
const grace = time.Second

func TestRequestsAreGroupedByToolAndFolder(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		s.Do("/approvals").Shows("No agent asks to use a tool").Hides("Calls that need your yes")
		c.asks("coder-99", "coder", "docs/a.md")
		for i := range 9 {
			c.asks(society.AgentID(fmt.Sprint("coder-", i)), "coder", fmt.Sprintf("src/%d.go", i))
		}
		s.Hear().Do("/approvals").Shows("coder-99: edit docs/a.md +1 −1", "9 agents: edit src/", "coder-3: edit src/3.go +1 −1")
	})
}

func TestDialogNamesTheRoleOfAnAgentWithANameOnce(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("auditor-1", "Auditor", "src/a.go")
		c.Put(api.Row{ID: "auditor-1", Parent: society.Root, Role: "Auditor", Name: "Bug Hunter", Sole: true, State: society.Processing, Approvals: 1})
		s.Hear().Do("/approvals").Shows("Bug Hunter (Auditor) asks to edit").Hides("(Auditor) (")
	})
}

func TestDialogShowsWhoAsksForWhatAndWhy(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go", func(w *api.Approval) {
			w.Request.Paths = []tool.Path{{Name: ".git/\x1b[2Jhooks", Protected: true}}
			w.Protected, w.Preview = true, "+red \x1b[31m\u202e\r\n+   deep"
		})
		s.Hear().Do("/approvals").Shows("coder-1 asks to edit (request 1)", "coder-1 (coder)", "mend the parser",
			`.git/\x1b[2Jhooks (protected)`, "the path is protected", `+red \x1b[31m\u202e\r`, "+   deep").Hides("Rule…")
		s.Pass(grace).Press("r")
		wantAnswers(t, c)
	})
}

// The only request that waits is shown at once, without a list. Its opening by itself, with its
// agent's conversation, is no invitation to a key that was meant for something else.
func TestNoKeyAnswersARequestThatHasJustAppeared(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		s.Hear().OpensAgent("coder-1").Press("o", "enter", "d").Shows("coder-1 asks to edit", "then press o/t/d/r or esc").Hides("Calls that need")
		wantAnswers(t, c)
		s.Pass(grace).Press("y").Shows("coder-1 asks to edit") // the dialog does not name it
		wantAnswers(t, c)
		s.Pass(grace).Press("o").Shows("Allowed 1 call").Hides("asks to edit")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{1}, Answer: society.AllowOnce})
	})
}

// A text that is typed while an agent opens answers by its first letter at most, and only if
// that comes after a pause: neither the list of all calls nor a request that it opens does.
func TestATextThatMeetsARequestAnswersNothingAfterItsFirstLetter(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		draw := rand.New(rand.NewPCG(7, 11))
		words := []string{"looks good to me", "lo", "llooo", "jo", "jjotdr", "go on", "rest", "later", "told you", "rsure", "so"}
		for round := range 60 {
			c.asks("coder-1", "coder", "src/a.go", func(w *api.Approval) { w.Preview = strings.Repeat(w.Preview, 1+29*(round%2)) })
			c.asks("coder-2", "coder", "docs/b.md")
			before := len(c.answers())
			s.Hear().OpensAgent("coder-1").Pass(time.Duration(draw.IntN(900)) * time.Millisecond)
			word := words[draw.IntN(len(words))]
			for _, letter := range strings.Split(word, "") {
				s.Press(letter).Pass(time.Duration(60+draw.IntN(240)) * time.Millisecond)
			}
			if n := len(c.answers()) - before; n > 0 && (n > 1 || !strings.ContainsAny(word[:1], "ot")) {
				t.Fatalf("round %d: %q has given %d answers: %+v", round, word, n, c.answers()[before:])
			}
			c.ends(c.asked-1, society.Allowed)
			c.ends(c.asked, society.Allowed)
			s.Hear().Pass(grace).Press("esc", "esc", "esc")
		}
	})
}

func TestAKeyAnswersAtOnceTheRequestThatAKeyHasOpened(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		s.Hear().Do("approvals").Press("o").Shows("Allowed 1 call")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{1}, Answer: society.AllowOnce})
	})
}

// A preview that has to be read first opens later than its key, so that the next key may be
// meant for something else.
func TestNoKeyAnswersARequestThatWasReadFirst(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go", func(w *api.Approval) { w.Cut = true })
		s.Hear().Do("approvals").Press("o").Shows("coder-1 asks to edit")
		wantAnswers(t, c)
	})
}

func TestTheKeyOfSeveralRequestsOpensThoseThatWereAskedFirst(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		c.asks("coder-2", "coder", "docs/b.md")
		s.Hear().Do("approvals").Shows("coder-1 asks to edit", "until /new or an undo").Press("l").
			Shows("Calls that need your yes", "coder-1: edit src/a.go", "coder-2: edit docs/b.md").Press("esc")
		s.Do("approvals").Press("o").Shows("Allowed 1 call")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{1}, Answer: society.AllowOnce})
	})
}

// In the list the key that allows shows the request first.
func TestTheKeyThatAllowsOpensARowOfTheList(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		c.asks("coder-2", "coder", "docs/b.md")
		s.Hear().Do("/approvals").Press("down", "o").Shows("coder-2 asks to edit (request 2)")
		wantAnswers(t, c)
		s.Pass(grace).Press("o").Shows("Allowed 1 call")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{2}, Answer: society.AllowOnce})
	})
}

// Property: a text that is typed into the list of calls, and sent, answers none of them.
func TestATextTypedIntoTheListOfCallsAnswersNothing(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		draw := rand.New(rand.NewPCG(7, 13))
		words := []string{"/mode", "/models", "/rewind", "odd", "ot", "do it", "go on, deny", "told you", "/allow 1", "list", "jkod"}
		for round := range 60 {
			c.asks("coder-1", "coder", "src/a.go")
			c.asks("coder-2", "coder", "docs/b.md")
			s.Hear().Do("/approvals").Shows("Calls that need").Pass(time.Duration(draw.IntN(900)) * time.Millisecond)
			word := words[draw.IntN(len(words))]
			for _, key := range append(strings.Split(word, ""), "enter") {
				s.Press(key).Pass(time.Duration(60+draw.IntN(240)) * time.Millisecond)
			}
			if all := c.answers(); len(all) > 0 {
				t.Fatalf("round %d: %q has answered: %+v", round, word, all)
			}
			c.ends(c.asked-1, society.Allowed)
			c.ends(c.asked, society.Allowed)
			s.Hear().Pass(grace).Press("esc", "esc", "esc")
		}
	})
}

func TestTheListOfCallsClosesBehindTheLastAnswer(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		c.asks("coder-2", "coder", "docs/b.md")
		s.Hear().Do("/approvals").Shows("coder-1: edit src/a.go", "coder-2: edit docs/b.md")
		c.ends(1, society.Allowed)
		s.Hear().Shows("Calls that need your yes", "coder-2")
		c.ends(2, society.Allowed)
		s.Hear().Hides("Calls that need your yes")
	})
}

func TestTheListOfCallsSaysThatALetterHasNoUse(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		c.asks("coder-2", "coder", "docs/b.md")
		s.Hear().Do("/approvals").Press("m").Shows("Typing does nothing in this list").Press("o", "enter").Shows("Calls that need", "Typing does nothing")
		s.Pass(grace).Press("j", "enter").Shows("coder-2 asks to edit")
	})
}

func TestAnswerCoversTheRowsShownAndNoLaterOnes(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		c.asks("coder-2", "coder", "src/b.go")
		s.Hear().Do("/approvals").Press("enter").Shows("2 agents: edit src/", "coder-2: edit src/b.go", "-old")
		c.asks("coder-3", "coder", "src/c.go")
		s.Hear().Hides("coder-3: edit src/c.go +1 −1\n+++").Pass(grace).Press("t")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{1, 2}, Answer: society.AllowInTask})
	})
}

func TestAnswerOfAnotherScreenClosesTheDialogAndSaysSo(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		for i, end := range []struct {
			how  society.ApprovalOutcome
			says string
		}{{society.Allowed, "Already answered"}, {society.Denied, "Already denied"}, {society.Withdrawn, "No longer asked"}} {
			w := c.asks("coder-1", "coder", "src/a.go")
			s.Hear().Do(fmt.Sprint("/approvals ", w.ID)).Pass(grace)
			if i == 1 { // also while the reason is asked for
				s.Press("d").Shows("Reason")
			}
			c.ends(w.ID, end.how)
			s.Hear().Shows(end.says+" · coder-1: edit src/a.go").Hides("Allow once", "Reason")
		}
		wantAnswers(t, c)
	})
}

func TestDenialTakesAReasonForTheModel(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		s.Hear().Do("/approvals").Press("d").Type("use b.go").Press("enter").Shows("Denied 1 call")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{1}, Answer: society.DenyCall, Reason: "use b.go"})
	})
}

func TestRuleSaysHowManyOfThoseThatWaitItAnswers(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		for i := range 14 {
			role, folder := "coder", "src"
			if i >= 11 {
				role = "tester"
			}
			if i == 13 {
				folder = "docs"
			}
			c.asks(society.AgentID(fmt.Sprint("agent-", i)), role, fmt.Sprintf("%s/%d.go", folder, i))
		}
		s.Hear().Do("/approvals 1").Pass(grace).Press("r").Shows(
			"edit src/** for coder-0: answers 1 of 14", "edit src/** for role coder: answers 11 of 14",
			"edit src/** for agent coder-0 and its subtree: answers 1 of 14", "edit src/** for the society: answers 13 of 14")
		s.Pass(grace).Press("r")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{1}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "edit", Path: "src/**", Role: "coder", Do: approval.Allow}})
	})
}

// The rule for a file beside the folders of the workspace is for its folder alone, which * does
// not say by itself.
func TestARuleForTheTopFolderSaysSo(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("agent-0", "coder", "plan.md")
		s.Hear().Do("/approvals 1").Pass(grace).Press("r").Shows("edit * (files of the top folder) for coder-0")
		s.Pass(grace).Press("s")
		wantAnswers(t, c, society.AnswerApproval{IDs: []uint64{1}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "edit", Path: "*", Do: approval.Allow}})
	})
}

func TestCommandsAreGroupedByTheirFirstWordsHostsAndServersByName(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		for i := range 9 {
			c.runs(society.AgentID(fmt.Sprint("coder-", i)), "coder", fmt.Sprintf("go  test ./p%d | tail", i))
		}
		c.runs("coder-1", "coder", "go vet ./...")
		outside := func(w *api.Approval) { w.Request.Target.Outside = true }
		c.runs("coder-99", "coder", "go test ./x", outside)
		for i, host := range []string{"example.org", "example.org", "example.com"} {
			c.asks(society.AgentID(fmt.Sprint("reader-", i)), "reader", "", func(w *api.Approval) {
				w.Request.Tool, w.Request.Class, w.Request.Paths, w.Request.Target.Host = "fetch", tool.ClassNet, nil, host
				w.Summary = host + "/a"
			})
		}
		s.Hear().Do("/approvals").Shows("9 agents: go test", "coder-1: bash go vet ./...", "coder-99: bash go test ./x", "2 agents: fetch example.org", "reader-2: fetch example.com/a").Hides("10 agents", "11 agents", "3 agents")
	})
}

// What hides in a command, and how long it is, is seen before it runs; what the agent says of
// it is marked as its words.
func TestNothingHidesInACommandThatIsAsked(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.runs("coder-1", "coder", "git status \x1b[2K\u202e # \r"+strings.Repeat("\n", 200)+"rm -rf x\n", func(w *api.Approval) {
			w.Why = "the user\nsaid \x1b[1mso"
			w.Request.Target.Outside = true
		})
		s.Hear().Do("/approvals 1").Shows("coder-1 asks to run a command (request 1)", `git status \x1b[2K\u202e # \r`, "203 lines: scroll to see all of them").Hides("Rule…")
		s.Pass(grace).Press("end").Shows("rm -rf x", `it says`, `“the user\nsaid \x1b[1mso”`, "outside the sandbox", "none can allow it")
	})
}

func TestRuleForACommandIsExactOrOfItsFirstWords(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.runs("coder-1", "coder", "g'o' test ./a")
		c.runs("coder-2", "coder", "go test ./b && go test ./c")
		c.runs("coder-3", "coder", "go vet ./c")
		s.Hear().Do("/approvals 1").Pass(grace).Press("r").Shows("Which commands?", "exactly `go test ./a`", "`go test` with any later words", "git diff --output=F").
			Pass(grace).Press("b").Shows("always allow `go test` with any later words for the society: answers 2 of 3", "git diff --output=F").
			Pass(grace).Press("s")
		c.ends(1, society.Allowed)
		s.Hear().Do("/approvals 3").Pass(grace).Press("r").Pass(grace).Press("e").Shows("always allow exactly `go vet ./c` for coder-3: answers 1 of 2").Hides("any later words").
			Pass(grace).Press("a")
		s.Do("/allow society 2").Shows("No rule can answer").Do("/allow society prefix 2")
		wantAnswers(t, c,
			society.AnswerApproval{IDs: []uint64{1}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "bash", Words: []string{"go", "test"}, Do: approval.Allow}},
			society.AnswerApproval{IDs: []uint64{3}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "bash", Words: []string{"go", "vet", "./c"}, Exact: true, Agent: "coder-3", Do: approval.Allow}},
			society.AnswerApproval{IDs: []uint64{2}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "bash", Words: []string{"go", "test"}, Do: approval.Allow}})
	})
}

// Of commands that share an option alone, any beginning would allow more than they do.
func TestGroupWithoutACommonRuleSaysSo(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.runs("coder-1", "coder", "wc -l a")
		c.runs("coder-2", "coder", "wc -l b")
		s.Hear().Do("/approvals").Press("enter").Shows("2 agents: wc -l", "none for all of these", "for a rule of its own").Hides("Rule…").Pass(grace).Press("esc")
		s.Do("/approvals 1").Shows("Rule…").Hides("none for all")
	})
}

// The reason names what the mode asks about, and leaving the dialog says that the request waits.
func TestCommandIsAskedBecauseItIsOneAndStillWaitsAfterLater(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.runs("coder-1", "coder", "go test ./a")
		s.Hear().Do("/approvals 1").Shows("Ask first (/mode ask): agents ask before they run commands").Hides("runs  in the sandbox").
			Pass(grace).Press("esc").Shows("The request still waits")
	})
}

// Where first words say nothing of what runs, only the exact command is offered, and where a
// command is not plain, nothing. Outside the sandbox a rule says so.
func TestRulesOfferedForCommandsAreNoWiderThanTheCommand(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		outside := func(w *api.Approval) { w.Request.Target.Outside = true }
		builder := c.deps.Actions
		for text, want := range map[string]string{
			"go test ./a": "bash = go test ./a; bash go test", "ls": "bash = ls", "ls -l": "bash = ls -l", "git -C x status": "bash = git -C x status",
			"python3 x.py": "bash = python3 x.py", "bash x.sh": "bash = bash x.sh", "env ls x": "bash = env ls x", "sudo ls x": "bash = sudo ls x", "xargs ls x": "bash = xargs ls x", "find x y": "bash = find x y", "make all": "bash = make all", "go run x": "bash = go run x", "npm run build": "bash = npm run build", "git push origin": "bash = git push origin", "setarch x86_64 ls": "bash = setarch x86_64 ls", "./run all": "bash = ./run all",
			"go test $X": "", "go test > x": "", "go test | tail": "", "eval x": "", "go test &": "", "if": "",
		} {
			for _, out := range []bool{false, true} {
				with := []func(*api.Approval){}
				if out {
					with = append(with, outside)
				}
				w := c.runs("coder-1", "coder", text, with...)
				s.Hear()
				var got []string
				for _, o := range builder.RuleOffers([]api.Approval{w}) {
					if o.Rule.Agent+o.Rule.Role+o.Rule.Under == "" {
						got = append(got, strings.TrimPrefix(o.Rule.String(), "allow "))
					}
				}
				want := want
				if out && want != "" {
					want = strings.ReplaceAll(want, ";", " outside;") + " outside"
				}
				if said := strings.Join(got, "; "); said != want {
					t.Errorf("for %q, outside %t: %q, want %q", text, out, said, want)
				}
				c.ends(w.ID, society.Allowed)
				s.Hear()
			}
		}
	})
}

func TestRuleForAHostOrAToolOfAServerIsForThatAlone(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("reader-1", "reader", "", func(w *api.Approval) {
			w.Request.Tool, w.Request.Class, w.Request.Paths, w.Request.Target.Host = "fetch", tool.ClassNet, nil, "example.org"
		})
		c.asks("reader-2", "reader", "", func(w *api.Approval) {
			w.Request.Tool, w.Request.Class, w.Request.Paths = "mcp_files_read", tool.ClassMCP, nil
			w.Request.Target.Server, w.Request.Target.Identity = "files", "4f2a"
		})
		c.asks("reader-3", "reader", "", func(w *api.Approval) {
			w.Request.Tool, w.Request.Class, w.Request.Paths, w.Request.Target.Host, w.Request.Target.LongQuery = "fetch", tool.ClassNet, nil, "example.net", true
		})
		s.Hear().Do("/approvals 1").Shows("host", "example.org").Pass(grace).Press("r").Shows("fetch example.org for the society").Pass(grace).Press("s")
		c.ends(1, society.Allowed)
		s.Hear().Do("/approvals 2").Shows("asks to use mcp_files_read", "MCP server", "files").Pass(grace).Press("r").Shows("as it is described now").Pass(grace).Press("s")
		c.ends(2, society.Allowed)
		s.Hear().Do("/approvals 3").Shows("long query").Hides("Rule…")
		wantAnswers(t, c,
			society.AnswerApproval{IDs: []uint64{1}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "fetch", Host: "example.org", Do: approval.Allow}},
			society.AnswerApproval{IDs: []uint64{2}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "mcp_files_read", Identity: "4f2a", Do: approval.Allow}})
	})
}

func TestPreviewThatGoesOnIsReadWhole(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		whole := c.asks("coder-1", "coder", "src/a.go", func(w *api.Approval) { w.Cut = true })
		whole.Preview, whole.Cut = "+the end", false
		c.Holds.Approvals = map[uint64]api.Approval{1: whole}
		s.Hear().Do("/approvals 1").Shows("+the end").Hides("There is more")
		delete(c.Holds.Approvals, 1)
		s.Pass(grace).Press("esc").Do("/approvals 1").Shows("-old", "There is more")
	})
}

func TestOpenedAgentShowsWhatItAsks(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		c.asks("coder-1", "coder", "src/b.go")
		s.Hear()
		s.OpensAgent("coder-1").Shows("(request 1)").Pass(grace).Press("esc").OpensAgent(society.Root).Hides("(request")
	})
}

func TestModeIsShownWithItsMeaningAndSet(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		c.asks("coder-1", "coder", "src/a.go")
		c.Holds.Policy = api.Policy{Mode: approval.AskFirst, From: approval.FromFolder, Modes: []society.ScopedMode{{Of: society.ModeScope{Role: "coder"}, Mode: approval.ReadOnly}}}
		s.Hear().Do("/mode").Shows("current, as you answered for the folder", "Ask first (ask)", "agents ask before each change", "Edit with undo (edits)", "Allow everything (all)", "role coder: Read only (read-only)")
		s.Press("down", "enter").Shows("Mode of the society: Edit with undo (edits), agents edit files freely")
		s.Do("/mode").Press("end", "enter").Shows("role coder has no mode of its own now")
		s.Do("/mode").Press("down", "down", "enter").Shows("Let agents do everything").Type("no").Press("enter").Shows("not changed")
		s.Do("/mode all").Shows("/mode all yes")
		s.Do("/mode all yes").Do("/mode edits role coder").Do("/mode ask agent coder-1").Shows("Mode of agent coder-1 and its subtree: Ask first (ask)")
		s.At = "coder-2"
		s.Do("/mode edits agent").Shows("Mode of agent coder-2 and its subtree: Edit with undo (edits)").Do("/mode edits agent @").Shows("Name the agent")
		s.Do("/mode edits role").Shows("Name the role").Hides("No agent has")
		s.Do("/mode slow").Shows(`"slow" is no mode`)
		var set []string
		for _, cmd := range c.Did {
			if cmd, ok := cmd.(society.SetMode); ok {
				set = append(set, cmd.Of.String()+"="+string(cmd.Mode))
			}
		}
		if want := "society=edits role/coder= society=all role/coder=edits agent/coder-1=ask agent/coder-2=edits"; strings.Join(set, " ") != want {
			t.Errorf("set %q, want %q", set, want)
		}
	})
}

func TestWrittenAnswersNameTheRequest(t *testing.T) {
	led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
		s.Do("/allow").Shows("No agent asks")
		c.asks("coder-1", "coder", "src/a.go")
		c.asks("coder-2", "coder", "src/b.go")
		s.Hear().Do("/allow").Shows("Name the request by its number")
		s.Do("/allow 1 2").Do("/deny 2 not now").Do("/allow task 1").Do("/allow society 1")
		wantAnswers(t, c,
			society.AnswerApproval{IDs: []uint64{1, 2}, Answer: society.AllowOnce},
			society.AnswerApproval{IDs: []uint64{2}, Answer: society.DenyCall, Reason: "not now"},
			society.AnswerApproval{IDs: []uint64{1}, Answer: society.AllowInTask},
			society.AnswerApproval{IDs: []uint64{1}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "edit", Path: "src/**", Do: approval.Allow}})
	})
}

func TestNewFolderIsAskedAbout(t *testing.T) {
	for keys, want := range map[string]approval.Mode{"enter": approval.AskFirst, "esc": approval.AskFirst, "right enter": approval.ReadOnly, "left enter": approval.Edits, "down enter": approval.ReadOnly, "down tab enter": approval.Edits, "down up enter": approval.AskFirst, "up enter": approval.Edits} {
		t.Run(keys, func(t *testing.T) {
			led(t, func(t *testing.T, s *pagetest.Screen, c *crew) {
				s.Opens().Shows("What may agents do in this folder?", "/home/ann/site", "Ask first", "Read only", "Edit with undo").Hides("\x1b")
				s.Press("e", "enter").Shows("What may agents do in this folder?")         // typed before it was read
				s.Pass(grace).Press("r", "e").Shows("What may agents do in this folder?") // the beginning of a text
				s.Pass(grace).Press(strings.Fields(keys)...).Shows("In /home/ann/site").Hides("What may agents do")
				if !reflect.DeepEqual(c.chose, []approval.Mode{want}) {
					t.Errorf("%s chose %q, want %q", keys, c.chose, want)
				}
			})
		})
	}
}

func TestAnswerForAFolderThatIsNotKeptIsSaid(t *testing.T) {
	led(t, func(_ *testing.T, s *pagetest.Screen, c *crew) {
		c.chooses = errors.New("disk is full")
		s.Opens().Pass(grace).Press("left", "enter").Shows("Your answer was not kept: ", "disk is full", "/mode changes that")
	})
}
