package programtest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"society-tui/runtime/httpapi"
)

// Lists and verbs are in the user's language; what programs read is not.
func TestCommandsForScriptsSpeakBothLanguages(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	for _, args := range [][]string{{"agents"}, {"tasks"}, {"messages", "x"}, {"events"}, {"stop", "root"}, {"send", "hello"}} {
		if got := h.run(args...); got.code != 1 || got.out != "" || !strings.Contains(got.err, "session society is not open; start society-tui or society-tui serve, or name the place") {
			t.Errorf("%v without a session: %+v", args, got)
		}
	}
	if got := h.run("quit"); got.code != 1 || got.err != "society-tui: session society is not open\n" {
		t.Errorf("quit without a session: %+v", got)
	}
	if got := h.run("agents", "--session", "rev"); got.code != 1 || got.err != "society-tui: there is no session rev yet; society-tui --session rev or society-tui serve --session rev begins it\n" {
		t.Errorf("agents of a session that is named: %+v", got)
	}
	if got := h.run("--lang", "zh-CN", "agents"); got.code != 1 || !strings.Contains(got.err, "会话 society 未打开") {
		t.Errorf("agents without a session: %+v", got)
	}
	h.serve()
	for _, c := range []struct {
		args   string
		code   int
		en, zh string
	}{
		{"agents", 0, "AGENT  NAME  STATE  UNREAD  WORKS ON\nroot   root  idle   0\n", "智能体  名称  状态  未读  正在做\nroot    root  空闲  0\n"},
		{"agents --state stopped --output json", 0, `{"agents":[]}` + "\n", `{"agents":[]}` + "\n"},
		{"agents --state Processing", 0, "AGENT  NAME  STATE  UNREAD  WORKS ON\n", "智能体  名称  状态  未读  正在做\n"},
		{"agents --state none", 2, "there is no state “none”\n--state takes: idle, waiting_llm,", "没有状态“none”\n--state 可用：idle、waiting_llm、"},
		{"agents --state Idle", 0, "AGENT  NAME  STATE  UNREAD  WORKS ON\nroot   root  idle   0\n", "智能体  名称  状态  未读  正在做\nroot    root  空闲  0\n"},
		{"tasks", 0, "TASK  STATE  BEGUN  REQUEST\n", "任务  状态  开始时间  请求\n"},
		{"messages none", 1, "no such task; society-tui tasks lists them\n", "没有这个任务；society-tui tasks 列出全部任务\n"},
		{"pause root", 0, "Paused root\n", "root 已经暂停\n"},
		{"resume root", 0, "Resumed 1 agent\n", "没有可恢复的：root 没有暂停或停止\n"},
		{"interrupt root", 0, "root is not working; nothing to interrupt\n", "root 没有在工作，无需中断\n"},
		{"stop root", 0, "Stopped 1 agent\n", "root 已经停止\n"},
		{"send hello", 1, "root is stopped and takes no messages; society-tui resume root lets it go on\n", "root 已停止，不接收消息；恢复：society-tui resume root\n"},
		{"resume root", 0, "Resumed 1 agent · it waits for your message; what was cut off is gone: society-tui send --to root TEXT\n", "没有可恢复的：root 没有暂停或停止\n"},
		{"stop nobody", 1, "no agent named nobody; society-tui agents lists them\n", "没有名为 nobody 的智能体；society-tui agents 列出全部\n"},
		{"send --to rot hello", 1, "no agent named rot; did you mean root?\n", "没有名为 rot 的智能体；你是否指 root？\n"},
		{"terminate root", 1, "Not possible: ", "无法执行："},
	} {
		for lang, want := range []string{c.en, c.zh} {
			got := h.run(append([]string{"--lang", []string{"en", "zh-CN"}[lang]}, strings.Fields(c.args)...)...)
			said := got.out
			if c.code != 0 {
				said = strings.TrimPrefix(got.err, "society-tui: ")
			}
			if got.code != c.code || !strings.HasPrefix(said, want) {
				t.Errorf("%s: %+v, want %q", c.args, got, want)
			}
		}
	}
}

// A line that names the agent names it once.
func TestAVerbForSeveralNamesEachOnce(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve()
	if got := h.run("pause", "root", "nobody"); got.code != 1 || got.out != "Paused root\n" {
		t.Errorf("pause = %+v", got)
	}
	if got := h.run("stop", "root", "nobody"); got.code != 1 || got.out != "root: Stopped 1 agent\n" {
		t.Errorf("stop = %+v", got)
	}
}

func TestSendAndMessagesOfATask(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	server := h.serve()
	events := h.begin(nil, "events", "--kinds", "message,task")
	eventually(t, "events are told", func() bool { return strings.Contains(events.out.String(), `"type":"begin"`) })
	got := h.run("send", "--wait", "--to", "root", "Thanks! Note 1.")
	if got.code != 0 || got.out == "" || got.err != "" {
		t.Errorf("send --wait = %+v", got)
	}
	answer := strings.TrimSpace(got.out)
	task := strings.Fields(strings.TrimPrefix(h.run("send", "Thanks! Note 2.").out, "Sent to root in task "))[0]
	if list := h.run("tasks"); strings.Count(list.out, task) != 1 {
		t.Errorf("send continues no task: %q is none of %s", task, list.out)
	}
	if list := h.run("messages", task); list.code != 0 || !strings.Contains(list.out, "  root\n"+answer) {
		t.Errorf("messages = %+v", list)
	}
	h.run("ask", "Thanks! Note 3.")
	if got := h.run("send", "--task", task, "Thanks! Note 4."); got.code != 0 || got.out != "Sent to root in task "+task+"\n" {
		t.Errorf("send --task %s = %+v", task, got)
	}
	server.signal(syscall.SIGTERM)
	server.ends()
	if got := events.ends(); got.code != 0 || got.err != "" || !strings.Contains(got.out, `"type":"message","id":"`) || !strings.Contains(got.out, `"type":"task","data"`) {
		t.Errorf("events = %+v", got)
	}
}

// An agent at rest is not interrupted, but it gets the text.
func TestInterruptOfAnAgentAtRestSaysThatItSends(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "late")
	h := newHome(t, held.settings()...)
	h.serve()
	if got := h.run("interrupt", "root", "plan a walk"); got.code != 0 || got.out != "root was not working, so nothing was interrupted; your text was sent to it\n" {
		t.Errorf("interrupt of an agent at rest = %+v", got)
	}
	held.isAsked(t)
	if got := h.run("interrupt", "root", "plan a feast"); got.code != 0 || got.out != "Interrupted root; it continues with your message\n" {
		t.Errorf("interrupt of an agent at work = %+v", got)
	}
}

// A message to a paused agent prints that it resumed the agent.
func TestAMessageSaysThatItResumes(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve()
	for _, args := range [][]string{{"ask", "plan a picnic"}, {"send", "Thanks!"}} {
		if got := h.run("pause", "root"); got.code != 0 {
			t.Fatal(got)
		}
		if got := h.run(args...); got.code != 0 || !strings.HasPrefix(got.err, "society-tui: root was paused; your message resumes it\n") {
			t.Errorf("%v to a paused agent = %+v", args, got)
		}
	}
	if got := h.run("send", "Thanks!"); got.code != 0 || got.err != "" {
		t.Errorf("send to another = %+v", got)
	}
}

// What a list prints is what the commands take: the state as a word, an agent by its name.
func TestListedWordsAndNamesAreTaken(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve("--template", "views")
	h.run("send", "--wait", "ask me: plan a trip")
	list := h.run("agents")
	if !strings.Contains(list.out, "asks you") || !strings.Contains(h.run("tasks").out, "asks you") {
		t.Fatalf("nothing shows who asks: %+v", list)
	}
	if asks := h.run("agents", "--state", "asks you"); strings.Count(asks.out, "\n") != 2 || !strings.Contains(asks.out, "root ") {
		t.Errorf("who asks is %+v", asks)
	}
	var all, idle struct{ Agents []httpapi.Agent }
	if err := errors.Join(json.Unmarshal([]byte(h.run("agents", "--output", "json").out), &all), json.Unmarshal([]byte(h.run("agents", "--output", "json", "--state", "idle").out), &idle)); err != nil {
		t.Fatal(err)
	}
	if len(idle.Agents) == 0 || len(idle.Agents) != len(all.Agents) || !slices.ContainsFunc(idle.Agents, func(a httpapi.Agent) bool { return a.ID == "root" }) {
		t.Errorf("idle are %+v of %+v", idle, all)
	}
	for _, state := range []string{"idle", "asks you", "stopped"} { // idle is the code of one that asks, too
		rows, list := h.run("agents", "--state", state), h.run("agents", "--state", state, "--output", "json")
		if strings.Count(rows.out, "\n")-1 != strings.Count(list.out, `"id":`) || strings.Contains(rows.out, "\nroot ") != strings.Contains(list.out, `"id":"root"`) {
			t.Errorf("%s: as text %+v, as JSON %+v", state, rows, list)
		}
	}
	if got := h.run("complete-words", "--", "stop", "Ass"); !strings.Contains(got.out, "Assessor\tassessor-1\n") {
		t.Errorf("a name is completed with %+v", got)
	}
	if got := h.run("complete-words", "--", "send", "--to", "assess"); !strings.Contains(got.out, "assessor-1\t") {
		t.Errorf("an id is completed with %+v", got)
	}
	if got := h.run("send", "--to", "Assessor", "hello"); got.code != 0 || !strings.HasPrefix(got.out, "Sent to assessor-1 ") {
		t.Errorf("send --to a name: %+v", got)
	}
}

// terminate asks at a terminal, since it is for good, unless it is told not to.
func TestTerminateAsksAtATerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve("--template", "views")
	x := h.open(100, 30, "terminate", "assessor")
	x.sees("Terminate Assessor? What is its own is erased for good. (y/n)")
	x.write("n\r")
	if code := x.ends(); code != 1 || !strings.Contains(x.written(), "society-tui: nothing was done") || !strings.Contains(h.run("agents").out, "assessor-1") {
		t.Errorf("after no: exit code %d, %s", code, x.written())
	}
	x = h.open(100, 30, "terminate", "assessor")
	x.sees("(y/n)")
	x.write("y\r")
	if code := x.ends(); code != 0 || strings.Contains(h.run("agents").out, "assessor-1") {
		t.Errorf("after yes: exit code %d, %s", code, x.written())
	}
	x = h.open(100, 30, "terminate", "--yes", "root")
	if x.ends(); strings.Contains(x.written(), "(y/n)") {
		t.Errorf("with --yes: %s", x.written())
	}
}

// Each of several agents has an outcome of its own, the lowest first; one that fails does not
// keep the others from theirs.
func TestAVerbForSeveralAgents(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.serve("--template", "views")
	for _, c := range []struct {
		args string
		want said
	}{
		{"stop root nobody assessor root", said{"assessor-1: Stopped 1 agent\nroot: Stopped 1 agent\n", "society-tui: no agent named nobody; society-tui agents lists them\n", 1}},
		{"stop root assessor", said{"assessor-1 is already stopped\nroot is already stopped\n", "", 0}},
		{"resume assessor-1 root", said{"assessor-1: Resumed 1 agent · it waits for your message; what was cut off is gone: society-tui send --to assessor-1 TEXT\nroot: Resumed 1 agent · it waits for your message; what was cut off is gone: society-tui send --to root TEXT\n", "", 0}},
		{"pause --output json nobody root", said{
			`{"agentId":"nobody","error":"no agent named nobody; society-tui agents lists them"}` + "\n" + `{"agentId":"root","busy":false,"changed":true}` + "\n", "", 1,
		}},
		{"pause --output json root", said{`{"agentId":"root","busy":false,"changed":false}` + "\n", "", 0}},
		{"terminate assessor root", said{"assessor-1: Terminated 1 agent\n", "society-tui: Not possible: root cannot be terminated; stop it instead\n", 1}},
	} {
		if got := h.run(strings.Fields(c.args)...); got != c.want {
			t.Errorf("%s = %+v, want %+v", c.args, got, c.want)
		}
	}
}

// After quit the next command finds the session free, also if a call had to end first.
func TestQuitWaitsUntilTheSessionIsClosed(t *testing.T) {
	t.Parallel()
	held := newHeldModel(t, "it is answered")
	h := newHome(t, held.settings()...)
	server := h.serve()
	if got := h.run("send", "plan a walk"); got.code != 0 {
		t.Fatal(got)
	}
	held.isAsked(t)
	quit := h.begin(nil, "quit")
	eventually(t, "the program is leaving", func() bool { return h.run("send", "another walk").code != 0 })
	select {
	case <-quit.waited:
		t.Error("quit ends before the call has")
	default:
	}
	eventually(t, "quit to say what it waits for", func() bool {
		return quit.err.String() == "society-tui: waiting until running calls have ended, at most 30 s; ctrl+c ends only the waiting\n"
	})
	close(held.let)
	if got := quit.ends(); got.code != 0 || !strings.Contains(got.out, "The program has ended") {
		t.Errorf("quit = %+v", got)
	}
	if got := h.run("check"); got.code != 0 {
		t.Errorf("check behind quit = %+v", got)
	}
	server.ends()
}
