package programtest

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/feature/logs"
	"society-tui/tui/feature/sessions/sessionstest"
	"society-tui/tui/feature/settings"
	"society-tui/tui/plain"
)

// hears waits until all texts were written in order after from, and returns
// their end.
func (x *terminal) hears(from int, texts ...string) int {
	x.t.Helper()
	for _, text := range texts {
		x.wait(text, func() bool { return strings.Contains(string(x.raw[from:]), text) })
		from += strings.Index(x.written()[from:], text) + len(text)
	}
	return from
}

// The main tasks in plain mode, in a terminal that cannot draw.
func TestSocietyIsLedInPlainMode(t *testing.T) {
	t.Parallel()
	h := newHome(t, "plain = true", "[model]", fast)
	h.env = append(h.env, "TERM=dumb")
	x := h.open(80, 24)
	at := x.hears(0, "You write to root.", "Tell root what you want.")

	x.write("Compare these two plans. Plan A: we cook together. It is cheap.\\\nPlan B: we eat out. It costs more and nobody cleans.\n")
	at = x.hears(at, "Sent to root.", "root made Planner: ", "root to you, message:", "Compare these two plans", "Facts with figures", "No language model made this", "All agents are idle.")

	// An unclear task is clarified by a question.
	x.write("Plan a picnic. Ask me first.\n")
	at = x.hears(at, "Sent to root.", "root to you, asks:", "1: Steps", "1 agent needs you.")
	x.write("1\n")
	at = x.hears(at, "Sent to root.", "root to you, message:", "All agents are idle.")
	x.write("/messages planner-1 2\n")
	at = x.hears(at, "Planner, newest 2 messages.", "End of what Planner has: ")

	x.write("/agents\n")
	at = x.hears(at, "root: ", "  Planner (planner-1): ")
	x.write("/terminate planner-1\n")
	at = x.hears(at, "Terminate Planner?", "Terminates 1 agent and deletes its conversation", "Yes or no?")
	x.write("yes\n")
	at = x.hears(at, "Terminated 1 agent (Planner).")
	x.write("@planner-1 are you there?\n")
	at = x.hears(at, "No agent named planner-1.")

	x.signal(os.Interrupt)
	x.hears(at, "Ctrl+c interrupts no agent")
	x.write("/quit\n")
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	said := x.written()
	if strings.Contains(said, "\x1b") {
		t.Errorf("an escape sequence was written: %q", said)
	}
	for _, once := range []string{"Processed", "root made Planner", "1: Steps", "Terminated 1 agent (Planner)."} {
		if n := strings.Count(said, once); n != 1 {
			t.Errorf("%q was written %d times", once, n)
		}
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("the store is not sound: %s", got.err)
	}
}

func TestSignalEndsPlainModeInOrder(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(80, 24, "--plain")
	x.hears(0, "You write to root.")
	const again = "Ctrl+c again within two seconds leaves"
	x.signal(os.Interrupt)
	// If the machine stalls for two seconds in between, the first ctrl+c is
	// repeated.
	for at := 0; !x.over(); {
		at = x.hears(at, again)
		_ = x.cmd.Process.Signal(os.Interrupt) // until the message is there
		x.wait("the end, or the same again", func() bool { return x.ended || strings.Contains(string(x.raw[at:]), again) })
	}
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	if said := x.written(); !strings.Contains(said, "Processed 0 messages, 0 pending.") || strings.Contains(said, "\x1b") {
		t.Errorf("it left with %q", said)
	}
}

// Without a terminal the input is read to its end, and then the program leaves
// in order.
func TestPlainModeNeedsNoTerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	c := h.command("--plain", "--lang", "zh-CN")
	c.Stdin = strings.NewReader("/agents\n")
	out, err := c.CombinedOutput()
	if said := string(out); err != nil || !strings.Contains(said, "正在写给 root") || !strings.Contains(said, "已处理 0 条消息") || strings.Contains(said, "\x1b") {
		t.Errorf("%v: %q", err, said)
	}
	h.env = append(h.env, "TERM=dumb")
	x := h.open(80, 24)
	if code := x.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if said := x.written(); !strings.Contains(said, "(TERM=dumb): start it with --plain") {
		t.Errorf("it says %q", said)
	}
}

// The lines of a pipe are done in order, and /quit and the end of the input wait for what they have
// asked for. Nobody can answer a question then, which the exit code tells.
func TestLinesOfAPipeAreDoneInOrderToTheirEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		lines string
		code  int
		says  []string
	}{
		{"Plan a picnic\n/new\n/quit\n", 0, []string{"Sent to root.", "Your next message starts a new task", "root to you, message:", "No language model made this", "All agents are idle.", "Leaving;"}},
		{"/new\nPlan a picnic", 0, []string{"Your next message starts a new task", "root to you, message:", "All agents are idle.", "Leaving;"}},
		{"Plan a picnic. Ask me first.\n", 3, []string{"Sent to root.", "root to you, asks:", "root waits for your answer, and the input has ended.", "Leaving;"}},
		{"Plan a picnic. Ask me first.\n/quit\n/stop\n", 3, []string{"Sent to root.", "root to you, asks:", "root waits for your answer, and the input has ended.", "Leaving;"}},
		{"/template review\n/template review", 3, []string{"Add review again?", "Nothing was done.", "Leaving;"}},
		{"/template review\n/template review\nmaybe\n", 1, []string{"Add review again?", "Nothing was done.", "Leaving;"}},
		{"/template review\n/template review\nno\n", 0, []string{"Add review again?", "Nothing was done.", "Leaving;"}},
		{"/quit\n", 0, []string{"Leaving;", "Processed 0 messages"}},
	} {
		t.Run(c.lines, func(t *testing.T) {
			t.Parallel()
			said := newHome(t, "[model]", fast).feed(c.lines, "--plain")
			if said.code != c.code {
				t.Errorf("exit code %d, want %d", said.code, c.code)
			}
			if !strings.HasPrefix(said.err, "society-tui: Processed ") || strings.Contains(said.out, "Processed ") {
				t.Errorf("the last line is not on standard error alone: %+v", said)
			}
			rest := said.out + said.err
			for _, text := range c.says {
				_, after, found := strings.Cut(rest, text)
				if !found {
					t.Fatalf("no %q in order in\n%s", text, said.out+said.err)
				}
				rest = after
			}
		})
	}
}

// So is the last line of one that only attaches.
func TestTheLastLineOfAnAttachedPipeIsOnStandardError(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve()
	said := h.feed("/agents\n", "--plain")
	if says := "society-tui: Session society stays open, and its agents continue\n"; said.code != 0 || !strings.HasSuffix(said.err, says) || strings.Contains(said.out, "stays open") {
		t.Errorf("attached to an open session: %+v", said)
	}
}

// englishOf returns the English of all texts, in pieces between what is inserted. Single words are
// left out, which may be names and commands.
func englishOf(t *testing.T) (pieces []string) {
	t.Helper()
	for _, s := range product(t) {
		for _, x := range s.texts {
			for _, form := range []string{"EN", "One", "Other"} {
				for _, piece := range verb.Split(inBraces.ReplaceAllString(x.in[form], "%s"), -1) {
					piece = strings.ToLower(strings.Trim(piece, " .,:;?!…·()[]\"“”"))
					if strings.Contains(piece, " ") && len(piece) >= 8 && !strings.Contains(strings.ToLower(x.in["ZH"]), piece) {
						pieces = append(pieces, piece)
					}
				}
			}
		}
	}
	return pieces
}

// plainSweep has plain mode in Chinese print all notices, events and answers that the society can
// lead to, with what models and tools say in Chinese, and returns the output.
func plainSweep(t *testing.T) (said string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root, Parent: society.User, State: society.Idle, RoleID: "role-p", Task: "T1", Model: "模型"})
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.WaitingLLM, Doing: "查找"})
		f.Holds.Models = []api.Model{{Name: "模型", Host: "主机", Window: 1000, Price: &api.Price{Included: true}, PriceFrom: api.Known{Source: api.KnownFromEndpoint}}}
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-p", Name: "校对", Prompt: "找出错误。", CreatedBy: society.User, Model: "模型", Effort: "high"}, Agents: 2}}
		f.Holds.Figures = api.Figures{Made: 3, Ended: 1, Messages: 2, Roles: []api.RoleFigures{{Name: "校对", Made: 2, Ended: 1}}, Spent: []api.Spent{{Model: "模型", Day: "2026-11-29", Calls: 2, Retries: 1, Usage: society.Usage{Input: 9}}}}
		var answer error
		f.Answer = func(cmd society.Command) (society.Reply, error) { return sweepReply(cmd), answer }
		in, keys := io.Pipe()
		var out bytes.Buffer
		ended := make(chan error)
		go func() {
			_, err := plain.Run(t.Context(), tui.Config{
				Society: f, Watcher: f, Input: in, Output: &out, Lang: protocol.Chinese, Spoken: protocol.Chinese, Sessions: sessionstest.New(), Session: "book",
				Settings: []tui.Setting{{Key: "data", From: "默认", Fixed: true}, {Key: "lang", From: "默认", About: i18n.Text{EN: "The language of it.", ZH: "语言。"}, OneOf: []string{"en"}}},
				ChangeSetting: func(_ context.Context, _, text string) (settings.Changed, error) {
					return settings.Changed{Settings: []tui.Setting{{Key: "lang"}}, Overridden: "--lang"}, nil
				},
				Log: func(context.Context, bool) ([]logs.Line, error) { return nil, nil }, StoreSize: func(context.Context) (int64, error) { return 9, nil },
				Started: api.StartReport{AtWork: 1, Paused: 2, Stopped: 3},
			}, nil)
			ended <- err
		}()
		synctest.Wait()
		write := func(line string) {
			if _, err := keys.Write([]byte(line + "\n")); err != nil {
				t.Error(err)
			}
			time.Sleep(3 * time.Second) // the bubble's clock
			synctest.Wait()
		}
		tell := func(change func(*api.Changes)) {
			f.Tell(change)
			time.Sleep(3 * time.Second)
			synctest.Wait()
		}
		sweepEvents(f, tell)
		write("/help")
		for _, line := range strings.Split(out.String(), "\n") {
			if name, _, _ := strings.Cut(strings.TrimPrefix(line, "  "), "："); strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "/quit") && !strings.HasPrefix(name, "/detach") {
				name, _, _ = strings.Cut(name, " ")
				for _, args := range []string{"", " root", " 不存在", " 7"} {
					write(name + args)
					write("取消") // if it asks
				}
			}
		}
		for _, text := range []string{
			"/budget task 3", "/budget taks 3", "/budget task 1,000", "/effort", "/effort high", "/compress root", "/hear all", "/nothing", "@不存在 好", "/mode all", "/rule allow x y z", "/find 好", "/spawn 校对 检查", "/graph none", "/template plan", "/settings data /",
			"/settings lang", "/settings lang en", "/log all", "/copy", "/filter", "/mouse", "/theme",
		} {
			write(text)
		}
		for _, answer = range sweepErrors() {
			write("做这件事")
			write("取消")
			write("/interrupt root")
			write("/compress cut root 3")
		}
		_ = keys.Close() // the end of the input ends it
		if err := <-ended; err != nil {
			t.Error(err)
		}
		said = out.String()
	})
	return said
}

// sweepReply answers commands so that their notices say much.
func sweepReply(cmd society.Command) society.Reply {
	switch cmd.(type) {
	case society.Send:
		return society.Sent{}
	case society.Interrupt:
		return society.Interruption{}
	case society.PauseAgent:
		return society.Pausing{}
	case society.Resume:
		return society.Resumption{}
	case society.Stop:
		return society.StopResult{OK: true, Stopped: true}
	case society.Terminate:
		return society.TerminateResult{OK: true, Terminated: true}
	case society.CompressContext:
		return society.ContextCompression{Compressed: true, Entries: 34, Left: 10, Before: 61_000, After: 9000}
	case society.SetBudget:
		return society.BudgetSet{Budget: society.BudgetStatus{Limit: society.Amount{Cost: 3 * society.Currency}}, Resumed: 1}
	case society.Spawn:
		return society.Spawned{Agent: "agent-1"}
	case society.ChooseGraph:
		return society.RoleChange{Changed: true, Agents: 2}
	case society.AddTeam:
		return society.AddTeamResult{Before: 1}
	case society.SetEffort:
		return society.EffortChange{Roles: []society.RoleEffort{{Role: "role-p", Name: "策划"}}, Changed: true}
	}
	return society.Done{}
}

// sweepErrors are those with which commands can end.
func sweepErrors() []error {
	errs := []error{
		api.ErrDisconnected, api.ErrLookOnly, api.ErrNoWorktree, api.ErrWorktreeInUse, api.ErrNoProcess, api.ErrNoServer, api.ErrSocketOnly,
		i18n.Text{EN: "the settings are unreadable", ZH: "无法读取设置"}.With(),
	}
	for _, code := range []society.Code{
		society.InvalidTaskBrief, society.InvalidMessageFormat, society.InvalidArguments, society.InvalidRecipient, society.AgentNotFound, society.AgentStopped,
		society.NotYourChild, society.TaskNotFound, society.LimitReached, society.MailboxFull, society.TooLarge, society.StoreUnavailable, society.NoWorktree,
	} {
		errs = append(errs, &society.Refusal{Code: code, Agent: society.Root, Why: protocol.Because(protocol.NoBudget)})
	}
	return errs
}

// sweepEvents tells of everything that plain mode has lines for.
func sweepEvents(f *apitest.Society, tell func(func(*api.Changes))) {
	spent := society.BudgetStatus{
		BudgetScope: society.BudgetScope{Task: "T1"}, Limit: society.Amount{Cost: society.Currency}, Spent: society.Usage{Input: 1000, Cost: 2 * society.Currency, Priced: 500}, Percent: 200, Lead: society.Root,
	}
	near := spent
	near.BudgetScope, near.Spent.Cost, near.Percent = society.BudgetScope{Day: "2026-01-01"}, 9*society.Currency/10, 90
	seq := uint64(0)
	for _, e := range []api.TimelineEvent{
		{Kind: "failed", Text: "出了问题"},
		{Kind: "quarantined", Text: "出了问题"},
		{Kind: "spawned", Agent: "web-1"},
		{Kind: "retry", Text: "2 in 2m10s: 太忙"},
		{Kind: "retry", Text: "in 5s: 太忙"},
		{Kind: "paused", Text: string(society.Quarantined)},
		{Kind: "paused", Text: string(society.MessageGuard)},
		{Kind: "budget_spent", Text: "task T1 200%"},
		{Kind: "budget_near", Text: "day 2026-01-01 90%"},
		{Kind: "undelivered", Text: string(society.AgentNotFound)},
		{Kind: "undelivered", Text: string(society.MailboxFull)},
		{Kind: "drained", Text: "ended 3, cut off 2"},
	} {
		if e.Agent == "" {
			e.Agent = society.Root
		}
		seq++
		e.Seq = seq
		tell(func(c *api.Changes) {
			c.Log, c.Budgets, c.Missed = []api.TimelineEvent{e}, []society.BudgetStatus{spent, near}, 2
		})
	}
	for _, e := range []conversation.Entry{
		{Kind: conversation.Inbound, From: "web-1", To: "root", Text: "好"},
		{Kind: conversation.Notice, Text: "注意"},
		{Kind: conversation.Aborted, Tokens: 300, Cause: "aborted"},
		{Kind: conversation.Dropped, From: "web-1", To: "root", Text: "丢弃"},
		{Kind: conversation.Answer, From: "root", Calls: []conversation.Call{{ID: "1", Name: "a"}, {ID: "2", Name: "b"}, {ID: "3", Name: "c"}, {ID: "4", Name: "d"}, {ID: "5", Name: "e", Problem: "不对"}}},
		{Kind: conversation.Result, CallID: "1", Outcome: conversation.Failed, Text: "不行"},
		{Kind: conversation.Result, CallID: "2", Outcome: conversation.Skipped},
		{Kind: conversation.Result, CallID: "3", Outcome: conversation.AbortedCall},
		{Kind: conversation.Result, CallID: "4", Outcome: conversation.Unknown},
		{Kind: conversation.Summary, Text: "摘要", Compression: &conversation.Compression{Entries: 3, Left: 1, Before: 900, After: 300, ByUser: true}},
		{Kind: conversation.Merged, Text: "合并"},
	} {
		f.Say(society.Root, e)
		tell(func(*api.Changes) {})
	}
	tell(func(c *api.Changes) { c.Unsaved = "磁盘已满" })
	tell(func(c *api.Changes) { c.Unsaved = "" })
	tell(func(c *api.Changes) { c.Disconnected = true })
	tell(func(c *api.Changes) { c.Disconnected = false })
	f.Put(api.Row{ID: society.Root, Parent: society.User, State: society.Idle, RoleID: "role-p", Task: "T1", Model: "模型", Asks: true, Question: "哪个？", Replies: []string{"甲", "乙"}})
	f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Stopped})
	tell(func(*api.Changes) {})
}

func TestPlainModeInChinesePrintsNoEnglish(t *testing.T) {
	t.Parallel()
	pieces, said := englishOf(t), plainSweep(t)
	if len(pieces) < 300 || strings.Count(said, "\n") < 150 {
		t.Fatalf("%d pieces, said:\n%s", len(pieces), said)
	}
	for _, line := range strings.Split(said, "\n") {
		if strings.ContainsRune(line, utf8.RuneError) {
			t.Errorf("a letter is broken: %q", line)
		}
		for _, piece := range pieces {
			if strings.Contains(strings.ToLower(line), piece) {
				t.Errorf("it prints %q: %s", piece, line)
			}
		}
	}
	for _, want := range []string{"root 正在重试：第 2 次，2m10s 后：太忙", "root 的延迟消息未送达：收件人已不存在", "无法读取设置", "策划：按模型的设置。从下一次请求起生效。\n", "额度，再来一份：", "已压缩 root：34 条，其中 10 条未写入摘要，从 61k 到 9.0k 词元。", "从 900 到 300 词元，由你，其中 1 条未写入摘要", "已创建 校对-1，在 root 之下。", "再次添加 plan？", "语言是 en。下次启动时由 --lang 决定。"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said", want)
		}
	}
}
