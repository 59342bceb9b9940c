package plain_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/plain"
	"society-tui/tui/screentest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newFake returns a society with root, which does nothing on any command.
func newFake() *apitest.Society {
	f := apitest.New()
	f.Answer = func(cmd society.Command) (society.Reply, error) { return plainReply(cmd), nil }
	f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", State: society.Idle})
	f.Say(society.Root, conversation.Entry{Kind: conversation.Notice, Text: "old"})
	return f
}

// plainReply returns an empty reply to a command.
func plainReply(cmd society.Command) society.Reply {
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
		return society.StopResult{}
	case society.Terminate:
		return society.TerminateResult{}
	case society.AnswerApproval:
		return society.ApprovalsAnswered{Denied: []uint64{7}}
	}
	return society.Done{}
}

// tells adds a message to the user.
func tells(f *apitest.Society, m api.InboxMessage) {
	f.Tell(func(c *api.Changes) {
		m.Seq = uint64(len(f.Messages) + 1)
		f.Messages = append(f.Messages, m)
		c.Inbox++
	})
}

// A paper is the output; while it is held, writes block.
type paper struct {
	mu   sync.Mutex
	text bytes.Buffer
	seen int
	held chan struct{}
}

func (p *paper) Write(b []byte) (int, error) {
	p.mu.Lock()
	held := p.held
	p.mu.Unlock()
	if held != nil {
		<-held
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *paper) hold(c chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.held = c
}

// A person is a user in plain mode with a fake society, in a bubble of
// synctest.
type person struct {
	t          *testing.T
	f          *apitest.Society
	paper      *paper
	keys       *io.PipeWriter
	interrupts chan struct{}
	cancel     context.CancelFunc
	ended      chan error
}

func lead(t *testing.T, lang protocol.Lang, with func(*apitest.Society), does func(*person)) {
	t.Helper()
	leadWith(t, tui.Config{Lang: lang}, with, does)
}

// leadWith is lead with other settings.
func leadWith(t *testing.T, cfg tui.Config, with func(*apitest.Society), does func(*person)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		with(f)
		in, keys := io.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		p := &person{t: t, f: f, paper: &paper{}, keys: keys, interrupts: make(chan struct{}, 1), cancel: cancel, ended: make(chan error, 1)}
		go func() {
			cfg.Society, cfg.Watcher, cfg.Input, cfg.Output = f, f, in, p.paper
			_, err := plain.Run(ctx, cfg, p.interrupts)
			p.ended <- err
		}()
		synctest.Wait()
		defer func() {
			cancel()
			_, _ = keys.Close(), in.Close()
			synctest.Wait()
		}()
		does(p)
		if strings.ContainsFunc(p.all(), func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			t.Errorf("a control character was written: %q", p.all())
		}
	})
}

func (p *person) writes(lines ...string) {
	p.t.Helper()
	for _, line := range lines {
		if _, err := p.keys.Write([]byte(line + "\n")); err != nil {
			p.t.Fatal(err)
		}
		p.passes(time.Second)
	}
}

func (p *person) passes(d time.Duration) {
	time.Sleep(d) // the bubble's clock
	synctest.Wait()
}

func (p *person) all() string {
	p.paper.mu.Lock()
	defer p.paper.mu.Unlock()
	return p.paper.text.String()
}

// news returns the output since the last call.
func (p *person) news() string {
	p.t.Helper()
	p.passes(time.Second)
	all := p.all()
	p.paper.mu.Lock()
	defer p.paper.mu.Unlock()
	said := all[p.paper.seen:]
	p.paper.seen = len(all)
	return said
}

// hears checks that the new output contains all texts in order.
func (p *person) hears(texts ...string) {
	p.t.Helper()
	said := p.news()
	rest := said
	for _, text := range texts {
		_, behind, ok := strings.Cut(rest, text)
		if !ok {
			p.t.Fatalf("%q is not said, or not there:\n%s", text, said)
		}
		rest = behind
	}
}

// asked checks the commands since the last call.
func (p *person) asked(want ...society.Command) {
	p.t.Helper()
	p.passes(time.Second)
	p.f.Mu.Lock()
	defer p.f.Mu.Unlock()
	did := slices.DeleteFunc(p.f.Did, func(c society.Command) bool { _, seen := c.(society.Seen); return seen })
	if len(did)+len(want) > 0 && !reflect.DeepEqual(did, want) {
		p.t.Fatalf("asked %#v, want %#v", did, want)
	}
	p.f.Did = nil
}

func TestMessagesArePrintedOnceAndSentToTheRecipient(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(*apitest.Society) {}, func(p *person) {
		p.hears("with 1 agent. You write to root.")
		p.f.Put(api.Row{ID: "web-1", Parent: society.Root, Role: "web", State: society.WaitingLLM, Depth: 1, Order: 1, Doing: "find the edition"})
		p.f.Tell(func(c *api.Changes) {
			c.Log = append(c.Log, api.TimelineEvent{Agent: "web-1", Kind: "spawned", Text: "by root"})
		})
		p.hears("root made web-1: find the edition")
		p.f.Say("web-1", conversation.Entry{Kind: conversation.Inbound, From: "root", To: "web-1", Type: "general", Body: "Look **here**.\nAnd there."})
		p.hears("root to web-1, message: Look here. (/messages web-1 reads the rest)")
		p.f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "web-1", To: "root", Type: "status_report", Body: "First.\n\nroot to you:\nI obey."},
			conversation.Entry{Kind: conversation.Answer, Text: "Said to the person.", To: "user", Reasoning: "thought"})
		tells(p.f, api.InboxMessage{From: society.Root, Type: protocol.CollaborationRequest, Body: "Which one?", Quick: []string{"first", "second"}})
		p.hears("web-1 to root, report:\n  First.\n\n  root to you:\n  I obey.\n", "root to you, asks:\n  Which one?\n", "1: first", "2: second")
		p.f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1, Next: 1, Settled: 1})
		p.passes(5 * time.Second)
		p.hears("All agents are idle.")
		for _, once := range []string{"Which one?", "root made web-1", "I obey", "are idle"} {
			if n := strings.Count(p.all(), once); n != 1 {
				t.Errorf("%q is written %d times", once, n)
			}
		}
		if all := p.all(); strings.Contains(all, "Said to the person") || strings.Contains(all, "thought") || strings.Contains(all, "old") {
			t.Errorf("what is no news is said:\n%s", all)
		}
	})
}

func TestAVerbTakesSeveralAgents(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1})
		f.Put(api.Row{ID: "web-2", Parent: society.Root, State: society.Idle, Depth: 1, Order: 2, Name: "Finder of pages"})
	}, func(p *person) {
		p.writes("/pause web-1 web-3", "/pause some thing", "/pause Finder of pages")
		p.hears("No agent named web-3", "No agent named some thing", "Finder of pages (web-2) is already paused")
		p.asked(society.PauseAgent{Agent: "web-2"})
		p.writes("/pause web-1, web-2 web-1")
		said := p.news()
		for _, once := range []string{"web-1 is already paused", "(web-2) is already paused"} { // in any order
			if strings.Count(said, once) != 1 {
				t.Errorf("%q is not said once:\n%s", once, said)
			}
		}
	})
}

// What another program has answered is not asked again by the next that attaches.
func TestTheGreetingTellsThatAgentsSeeNoFiles(t *testing.T) {
	t.Parallel()
	const says = "Agents see no files yet. To share this folder: /workspace."
	for _, own := range []bool{true, false} {
		begins := func(f *apitest.Society) {
			f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", State: society.Idle})
		}
		leadWith(t, tui.Config{Lang: protocol.English, Workspace: action.Workspace{Dir: "/work", Own: own}}, begins, func(p *person) {
			p.hears("Tell root what you want.")
			if told := strings.Contains(p.all(), says); told != own {
				t.Errorf("with empty folders %v: told %v\n%s", own, told, p.all())
			}
		})
	}
}

func TestAnsweredQuestionsAreNotPrintedAtTheStart(t *testing.T) {
	t.Parallel()
	asked := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: society.Root, Parent: society.User, State: society.Idle, Since: asked.Add(time.Minute)})
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1, Since: asked.Add(time.Second), Asks: true, Question: "Which?"})
		f.Put(api.Row{ID: "web-2", Parent: society.Root, State: society.Idle, Depth: 1, Order: 2, Since: asked.Add(-time.Second)})
		tells(f, api.InboxMessage{From: society.Root, At: asked, Type: protocol.CollaborationRequest, Body: "Where to?"})
		tells(f, api.InboxMessage{From: society.Root, At: asked, Type: protocol.General, Body: "It is done."})
		tells(f, api.InboxMessage{From: "web-1", At: asked, Type: protocol.CollaborationRequest, Body: "Which one?"})
		tells(f, api.InboxMessage{From: "web-2", At: asked, Type: protocol.CollaborationRequest, Body: "Just asked?"})
	}, func(p *person) {
		p.hears("It is done.", "Which one?", "Just asked?")
		if strings.Contains(p.all(), "Where to?") {
			t.Errorf("it asks again:\n%s", p.all())
		}
	})
}

func TestLinesReachTheirRecipient(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1, Asks: true, Question: "Which?", Replies: []string{"first", "second"}})
	}, func(p *person) {
		p.hears("1 agent needs you.")
		p.writes("hello", "")
		p.asked(society.Send{To: society.Root, Text: "hello"})
		p.writes(`one\`, `  two\`, "three")
		p.asked(society.Send{To: society.Root, Text: "one\n  two\nthree"})
		p.writes("/etc/passwd is a file", " /nosuch is text", "/new begin")
		p.asked(society.Send{To: society.Root, Text: "/etc/passwd is a file"}, society.Send{To: society.Root, Text: " /nosuch is text"}, society.Send{To: society.Root, Text: "begin", NewTask: true})
		p.news()
		p.writes("/next")
		p.hears("You write to web-1: asks you.", "It asks you: Which?", "2: second")
		p.writes("2", "@root well", "more")
		p.asked(society.Send{To: "web-1", Text: "second"}, society.Send{To: society.Root, Text: "well"}, society.Send{To: society.Root, Text: "more"})
		p.news()
		p.writes("/stopp", "@nobody hi", "/to nobody", "/to", "/to web", "/interrupt no, this", "/模板 辩论", "/导出 md")
		p.hears("Unknown command /stopp. Did you mean /stop? A space before the / sends it as text.", "No agent named nobody. A space before it", "No agent named nobody. /agents lists them.", "/to needs the name of an agent", "No agent named web. Did you mean web-1?", "Unknown command /模板. Did you mean /template 辩论?", "Did you mean /export md?")
		p.asked(society.Interrupt{Agent: society.Root, Text: "no, this"})
		p.writes("\x1b[Aup", "/agents")
		p.asked(society.Send{To: society.Root, Text: "up"})
		p.hears("root (planner): idle, you write to it.", "  web-1: asks you.")
		p.writes("/help")
		p.hears("backslash", "/new [text]: "+agentcommand.New().Title.EN, "/messages [agent] [number]", "/terminate [agent ...]: Terminate agent and subtree.", "/quit: "+agentcommand.Quit().Title.EN)
	})
}

func TestATextIsAddressedByAWordOfAName(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, Name: "Bug Hunter", State: society.Idle, Depth: 1, Order: 1})
		f.Put(api.Row{ID: "web-2", Parent: society.Root, Name: "Page Hunter", State: society.Idle, Depth: 1, Order: 2})
		f.Holds.Files = map[string][]byte{"page": []byte("x")}
	}, func(p *person) {
		p.news()
		p.writes("@bug one", "@page two", "@Page Hunter three", "@hunter four", "@nobody five")
		p.asked(society.Send{To: "web-1", Text: "one"},
			society.Send{To: "web-1", Text: "@page two", Attachments: []society.Attachment{{Name: "page", Data: []byte("x")}}},
			society.Send{To: "web-2", Text: "three"})
		p.hears("Several agents are called hunter. Did you mean @web-1 or @web-2?", "No agent named nobody. A space before it sends it as text.")
	})
}

func TestRefusedTextIsPrintedAgain(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Answer = func(society.Command) (society.Reply, error) {
			return nil, &society.Refusal{Code: society.StoreUnavailable}
		}
	}, func(p *person) {
		p.news()
		p.writes("hello")
		p.hears("Cannot save, so nothing was done.", "Your text was not sent to root. It was:\nhello\n")
		p.writes("/interrupt wait")
		p.hears("Cannot save, so nothing was done.", "Your text was not sent to root. It was:\nwait\n")
	})
}

func TestCommandsOfTheScreenWorkInPlainMode(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1})
	}, func(p *person) {
		p.news()
		p.writes("/name", "@web-1", "/name Finder of pages")
		p.hears("root has no other name.", "web-1 is now called Finder of pages.")
		p.asked(society.Rename{Agent: "web-1", Name: "Finder of pages"})
		p.f.Put(api.Row{ID: "web-1", Parent: society.Root, Name: "Finder of pages", State: society.Idle, Depth: 1, Order: 1})
		p.writes("/to root", "/pause Finder of pages", "/stopp", "/quit now", "/export json", "/help rename")
		p.asked(society.PauseAgent{Agent: "web-1"})
		p.hears("Unknown command /stopp. Did you mean /stop?", "/quit takes no text.", "Not available here.", "/name [text]: Name the agent.")
	})
}

func TestCostlyCommandIsConfirmed(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "lead-1", Parent: society.Root, State: society.Processing, Running: []string{"c1"}, Depth: 1, Order: 1})
		f.Put(api.Row{ID: "web-1", Parent: "lead-1", State: society.Idle, Depth: 2, Order: 2, Waiting: 2})
		f.Put(api.Row{ID: "lead-2", Parent: society.Root, State: society.Idle, Depth: 1, Order: 3, WaitsOn: []society.AgentID{"web-1"}})
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			switch cmd.(type) {
			case society.Terminate:
				return society.TerminateResult{Terminated: true, CascadeTerminated: []society.AgentID{"web-1"}, Dropped: 2}, nil
			case society.Stop:
				return society.StopResult{Stopped: true}, nil
			}
			return plainReply(cmd), nil
		}
	}, func(p *person) {
		p.writes("/terminate root", "/terminate lead-1", "no")
		p.hears("root cannot be terminated", "/stop stops it", "Terminate lead-1?", "Terminates 2 agents", "The deleted bytes leave the file when you quit.", "1 running tool call, 2 unread messages", "lead-2 waits for this and will not be told.", "lead-1, web-1", "Yes or no?", "Nothing was done.")
		p.asked()
		p.writes("/terminate lead-1", "maybe yes", "/stop lead-1")
		p.hears("Nothing was done.", "Stop lead-1?")
		p.interrupts <- struct{}{}
		p.hears("Nothing was done.", "Ctrl+c interrupts no agent")
		p.writes("/terminate lead-1")
		p.f.Put(api.Row{ID: "web-2", Parent: "lead-1", State: society.Idle, Depth: 2, Order: 4})
		p.passes(time.Second)
		p.writes("yes")
		p.hears("There were 2 agents when this was asked.", "Terminates 3 agents")
		p.asked()
		p.writes("yes")
		p.asked(society.Terminate{Agent: "lead-1", By: society.User})
		p.hears("Terminated 2 agents (lead-1, web-1), dropped 2 messages, lead-2 was waiting for this")
	})
}

func TestStopOfAWorkingAgentIsConfirmed(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Processing, Running: []string{"c1"}, Depth: 1, Order: 1})
		f.Put(api.Row{ID: "web-2", Parent: society.Root, State: society.Idle, Depth: 1, Order: 2})
		f.Answer = func(society.Command) (society.Reply, error) { return society.StopResult{Stopped: true}, nil }
	}, func(p *person) {
		p.writes("/stop web-1")
		p.hears("Stop web-1?", "1 running tool call", "Yes or no?")
		p.asked()
		p.writes("yes")
		p.asked(society.Stop{Agent: "web-1"})
		p.writes("/stop web-2")
		p.asked(society.Stop{Agent: "web-2"})
	})
}

func TestMoreThanTenAreTerminatedByTheirNumber(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "lead-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1})
		for i := range 12 {
			f.Put(api.Row{ID: society.AgentID("web-" + string(rune('a'+i))), Parent: "lead-1", State: society.Idle, Depth: 2, Order: uint64(i + 2)})
		}
	}, func(p *person) {
		p.writes("/terminate lead-1", "yes", "/terminate lead-1", "12", "/terminate lead-1")
		p.asked()
		p.writes("13")
		p.asked(society.Terminate{Agent: "lead-1", By: society.User})
	})
}

func TestStoppedAgentIsResumedForATextOnlyAfterAQuestion(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Stopped, Depth: 1, Order: 1})
	}, func(p *person) {
		p.writes("@web-1 go on", "no")
		p.hears("web-1 is stopped.", "Yes or no?", "Your text was not sent to web-1. It was:\ngo on\n")
		p.asked()
		p.writes("@web-1 go on", "/agents") // a command means no, and is run
		p.hears("Your text was not sent to web-1.", "web-1: stopped")
		p.asked()
		p.writes("go on", "y")
		p.asked(society.Send{To: "web-1", Text: "go on", Resume: true})
	})
}

func TestMessagesCommandPrintsTheConversation(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(*apitest.Society) {}, func(p *person) {
		p.f.Say(society.Root,
			conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: "my text"},
			conversation.Entry{Kind: conversation.Answer, Text: "I look.", Calls: []conversation.Call{{ID: "c", Name: "web_fetch", Arguments: `{"url":"example.org"}`}}},
			conversation.Entry{Kind: conversation.Result, CallID: "c", Outcome: conversation.Failed, Text: "404"},
			conversation.Entry{Kind: conversation.Aborted, Tokens: 12})
		p.hears("root to own notes:\n  I look.\n", "root uses web_fetch example.org: failed.")
		p.writes("/messages root 3")
		p.hears("root, newest 3 messages.", "root to own notes:", "root uses web_fetch example.org: failed", "root: cancelled, 12 B of a partial answer discarded", "End of what root has: idle.")
		p.writes("/messages 1", "/messages you")
		p.hears("root, newest 1 message.", "you, newest 0 messages.")
		p.writes("/hear mine")
		p.f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: "unheard"})
		p.passes(time.Second)
		p.writes("/hear all", "/hear nothing")
		p.hears("You hear only what is for you.", "You hear all", "/hear takes one of: all, open, mine")
		if strings.Contains(p.all(), "unheard") {
			t.Errorf("it is heard:\n%s", p.all())
		}
	})
}

// No control character of foreign text is printed, in whatever field it is.
func TestHostileTextsAreCleaned(t *testing.T) {
	t.Parallel()
	const evil = "a\x1b]52;c;aGk=\x07b\x1b[2J\x1b[?1049h\u009b31m\u202egnp\x00\x08\x7f\r\nc"
	lead(t, protocol.Chinese, func(f *apitest.Society) {
		f.Put(api.Row{
			ID: "web-1", Parent: society.Root, Name: evil, Role: evil, Doing: evil, Error: evil, Model: evil, Tool: evil, State: society.Idle,
			Depth: 1, Order: 1, Asks: true, Question: evil, Replies: []string{evil},
		})
	}, func(p *person) {
		p.f.Say("web-1", conversation.Entry{Kind: conversation.Inbound, From: "root" + evil, Type: evil, Body: evil + `\n{"` + evil + `":"x"}`})
		tells(p.f, api.InboxMessage{From: "web-1", Body: evil, Quick: []string{evil}})
		p.f.Tell(func(c *api.Changes) {
			c.Unsaved = evil
			for _, kind := range []string{"spawned", "failed", "retry", "undelivered", "quarantined", "unknown"} {
				c.Log = append(c.Log, api.TimelineEvent{Agent: "web-1", Kind: kind, Text: evil})
			}
		})
		p.passes(time.Second)
		p.f.Say("web-1", conversation.Entry{Kind: conversation.Answer, Text: evil, Calls: []conversation.Call{{ID: "c", Name: evil, Arguments: evil}}},
			conversation.Entry{Kind: conversation.Result, CallID: "c", Text: evil}, conversation.Entry{Kind: conversation.Notice, Text: evil, Cause: evil})
		p.writes("/hear all", "/to web-1", "/messages web-1", "/messages you", "/agents", "/next", "/to "+evil, "/"+evil, evil, "/retry", "/terminate web-1", "no")
		all := p.news()
		if !strings.Contains(all, "gnp") {
			t.Errorf("what was harmless in it is not there:\n%s", all)
		}
		if strings.Contains(all, "\u202e") || strings.Contains(all, "aGk=") {
			t.Errorf("what turns text, or is for the clipboard, is there:\n%q", all)
		}
	}) // lead checks for control characters
}

func TestOutputThatBlocksDelaysNoAgent(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(*apitest.Society) {}, func(p *person) {
		p.news()
		held := make(chan struct{})
		p.paper.hold(held)
		for i := range 50 {
			tells(p.f, api.InboxMessage{From: society.Root, Body: "number " + string(rune('A'+i%26)) + string(rune('a'+i/26))})
			p.passes(time.Second)
		}
		p.paper.hold(nil)
		close(held)
		said := p.news()
		if n := strings.Count(said, "number "); n != 50 {
			t.Errorf("%d of 50 messages are written:\n%s", n, said)
		}
	})
}

func TestUserLeaves(t *testing.T) {
	t.Parallel()
	for name, leaves := range map[string]func(*person){
		"by the end of what they write": func(p *person) { _ = p.keys.Close() },
		"by a command":                  func(p *person) { p.writes("/quit") },
		"by ctrl+c, twice": func(p *person) {
			p.interrupts <- struct{}{}
			p.hears("Ctrl+c again within two seconds leaves")
			p.passes(3 * time.Second)
			p.interrupts <- struct{}{}
			p.hears("Ctrl+c again within two seconds leaves")
			p.interrupts <- struct{}{}
		},
		"by the end of the program": func(p *person) { p.cancel() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lead(t, protocol.English, func(*apitest.Society) {}, func(p *person) {
				p.news()
				leaves(p)
				synctest.Wait()
				select {
				case err := <-p.ended:
					if stopped := errors.Is(err, context.Canceled); (err != nil) != stopped || stopped != (name == "by the end of the program") {
						t.Errorf("it ended with %v", err)
					}
				default:
					t.Error("it goes on")
				}
			})
		})
	}
}

// The user may write /detach as the last line.
func TestPlainModeKeepsTheAgentsRunning(t *testing.T) {
	t.Parallel()
	for _, failure := range []error{nil, errors.New("no room\x1b[2J")} {
		var left []tui.Leaving
		leadWith(t, tui.Config{
			Detach: func(context.Context) error {
				time.Sleep(time.Minute)
				return failure
			},
			Leave: func(_ context.Context, how tui.Leaving) error {
				left = append(left, how)
				return nil
			},
		}, func(*apitest.Society) {}, func(p *person) {
			p.writes("/detach", "/detach")
			_ = p.keys.Close()
			p.passes(2 * time.Minute)
			if err := <-p.ended; err != nil {
				t.Error(err)
			}
			if said := p.all(); strings.Contains(said, "The agents stay here: no room") != (failure != nil) || strings.Count(said, "Starting the background") != 1 {
				t.Errorf("after %v it said\n%s", failure, said)
			}
		})
		if len(left) != 1 || left[0].Background != (failure == nil) {
			t.Errorf("after %v it left with %+v", failure, left)
		}
	}
}

// Every command of plain mode is one of the screen, so that users can change
// over, except for how much is printed, and files, which the screen takes with @: it refuses
// those.
func TestEveryCommandOfPlainModeIsOneOfTheScreen(t *testing.T) {
	var names []string
	lead(t, protocol.English, func(*apitest.Society) {}, func(p *person) {
		p.writes("/help")
		for _, line := range strings.Split(p.all(), "\n") {
			if name, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.HasPrefix(name, "/") {
				names = append(names, strings.TrimSuffix(name, ":"))
			}
		}
	})
	if len(names) < 10 {
		t.Fatalf("the help lists only %q", names)
	}
	for _, name := range names {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			s := screentest.Drive(t, 160, 45, tui.Config{
				Society: f, Watcher: f, Theme: "dark",
				Backup: func(context.Context, string) (string, error) { return "", nil },
				Export: func(context.Context, action.Export) (action.Exported, error) { return action.Exported{}, nil },
			}).Idle()
			s.Type(name).Press("esc", "enter").Idle()
			f.Mu.Lock()
			defer f.Mu.Unlock()
			sent := slices.ContainsFunc(f.Did, func(c society.Command) bool {
				text, ok := c.(society.Send)
				return ok && text.Text == name
			})
			if sent {
				t.Errorf("%s leads to\n%s", name, s)
			}
		})
	}
}

// Not all agents are idle while one needs the user and another is paused.
// A question that another client answers is told, because a number would be sent as a
// message; the user's own answer is not.
func TestPlainModeTellsThatAQuestionWasAnsweredElsewhere(t *testing.T) {
	t.Parallel()
	asks := api.Row{ID: society.Root, Parent: society.User, Role: "planner", State: society.Idle, Asks: true, Question: "Which?", Replies: []string{"first", "second"}}
	rests := api.Row{ID: society.Root, Parent: society.User, Role: "planner", State: society.Idle}
	for _, here := range []bool{false, true} {
		lead(t, protocol.English, func(f *apitest.Society) { f.Put(asks) }, func(p *person) {
			p.news()
			if here {
				p.writes("2")
				p.asked(society.Send{To: society.Root, Text: "second"})
			}
			p.f.Put(rests)
			if said := p.news(); strings.Contains(said, "root no longer asks you") == here {
				t.Errorf("answered here: %t, and it said\n%s", here, said)
			}
		})
	}
}

// While the connection is cut, a read that fails is not told beside the cut, and what it
// was to read is printed later.
func TestPlainModeReadsOnBehindACut(t *testing.T) {
	t.Parallel()
	var cut atomic.Bool
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Call = func(_ context.Context, method string) error {
			if method == "Entries" && cut.Load() {
				return api.ErrDisconnected
			}
			return nil
		}
	}, func(p *person) {
		p.news()
		cut.Store(true)
		p.f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: "said during the cut"})
		if said := p.news(); strings.Contains(said, "Not connected") || strings.Contains(said, "during the cut") {
			t.Errorf("it said\n%s", said)
		}
		cut.Store(false)
		p.f.Tell(func(*api.Changes) { p.f.Touch(society.Root) })
		p.hears("said during the cut")
	})
}

func TestIdleNoticeNamesAgentsThatNeedTheUser(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.WaitingLLM, Depth: 1, Order: 1})
		f.Put(api.Row{ID: "web-2", Parent: society.Root, State: society.Idle, Paused: society.Interrupted, Depth: 1, Order: 2})
	}, func(p *person) {
		p.hears("with 3 agents")
		p.f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 1, Asks: true, Question: "Which?"})
		p.passes(5 * time.Second)
		p.hears("No agents are working. 1 agent needs you. /next goes to it.")
		if strings.Contains(p.all(), "are idle") {
			t.Errorf("it is said that all are at rest:\n%s", p.all())
		}
	})
}

func TestCallThatNeedsAYesIsToldAndAnsweredInLines(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Holds.Policy = api.Policy{Mode: approval.AskFirst, From: approval.FromFolder}
	}, func(p *person) {
		w := api.Approval{
			ID: 7, Agent: society.Root, Mode: approval.AskFirst, Summary: "src/a.go +1 −1", Cut: true, Preview: "-old",
			Request: approval.Request{Tool: "edit", Class: tool.ClassEdit, Paths: []tool.Path{{Name: "src/a.go"}}, Line: []string{"root"}, Role: "planner"},
		}
		p.f.Tell(func(c *api.Changes) {
			c.Approvals = []api.Approval{w}
			c.Log = append(c.Log, api.TimelineEvent{Agent: society.Root, Kind: "approval", Text: "edit"})
		})
		p.f.Put(api.Row{ID: society.Root, Role: "planner", State: society.Processing, Approvals: 1})
		p.passes(time.Second)
		p.hears("root asks to edit src/a.go +1 −1. /approvals 7 shows it, /allow 7 allows it, /deny 7 and a reason denies it.")
		w.Preview, w.Cut = "-old\n+new \x1b[31m", false
		p.f.Holds.Approvals = map[uint64]api.Approval{7: w}
		p.writes("/approvals 7")
		p.hears("path: src/a.go", "because: Ask first (/mode ask): agents ask before each change", `+new \x1b[31m`, "/allow society 7: always allow edit src/** for the society: answers 1 of 1")
		p.writes("/deny 7 use b.go", "/mode", "/approvals 8")
		p.hears("The mode is Ask first (ask): agents ask before each change (as you answered for the folder).", "Request 8 does not wait any more.")
		want := society.AnswerApproval{IDs: []uint64{7}, Answer: society.DenyCall, Reason: "use b.go"}
		if !slices.ContainsFunc(p.f.Did, func(c society.Command) bool { return reflect.DeepEqual(c, want) }) {
			t.Errorf("did %+v, want %+v", p.f.Did, want)
		}
	})
}

// The first line is an answer for a new folder, or, because texts may be piped in, a text.
func TestNewFolderIsAskedAboutAndNoTextIsLost(t *testing.T) {
	for _, c := range []struct {
		lines []string
		want  approval.Mode
		does  []society.Command
	}{
		{[]string{"3"}, approval.Edits, nil},
		{[]string{"read-only"}, approval.ReadOnly, nil},
		{[]string{"4", "", "1"}, approval.AskFirst, nil},
		{[]string{"sort the files"}, "", []society.Command{society.Send{To: society.Root, Text: "sort the files"}}},
		{[]string{"/pause root"}, "", []society.Command{society.PauseAgent{Agent: society.Root}}},
	} {
		var chose approval.Mode
		cfg := tui.Config{NewFolder: action.NewFolder{Dir: "/home/ann/site", Allow: func(_ context.Context, m approval.Mode) error {
			chose = m
			return nil
		}}}
		leadWith(t, cfg, func(*apitest.Society) {}, func(p *person) {
			p.hears("What may agents do in this folder?", "/home/ann/site", "1: Ask first", "2: Read only", "3: Edit with undo")
			p.writes(c.lines...)
			if c.want != "" {
				p.hears("In /home/ann/site, agents")
			} else {
				p.hears("the next start asks you again")
			}
			p.asked(c.does...)
			if chose != c.want {
				t.Errorf("%q chose %q, want %q", c.lines, chose, c.want)
			}
		})
	}
}

func TestFilesAreAttachedToTheNextText(t *testing.T) {
	with := func(f *apitest.Society) {
		f.Holds.Files = map[string][]byte{"a.go": []byte("1\n2\n"), "my notes.md": []byte("notes")}
	}
	lead(t, protocol.English, with, func(p *person) {
		p.news()
		p.writes("/attach")
		p.hears("Nothing is attached.")
		p.writes("/attach my notes.md", "/attach a.go:2", "/attach gone.md")
		p.hears("Attached my notes.md, 5 B", "Attached a.go:2, 2 B", "No file gone.md in the workspace")
		p.writes("/attach")
		p.hears("my notes.md", "a.go:2")
		p.writes("compare with @a.go")
		p.asked(society.Send{To: society.Root, Text: "compare with @a.go", Attachments: []society.Attachment{
			{Name: "my notes.md", Data: []byte("notes")}, {Name: "a.go:2", Data: []byte("2\n")}, {Name: "a.go", Data: []byte("1\n2\n")},
		}})
		p.writes("and now without", "/attach a.go", "/attach none", "nor now")
		p.asked(society.Send{To: society.Root, Text: "and now without"}, society.Send{To: society.Root, Text: "nor now"})
		p.news()
		p.writes("see @plna.md here")
		p.hears("No file plna.md in the workspace", "Your text was not sent", "see @plna.md here")
		p.asked()
		p.writes("see @plna.md here")
		p.asked(society.Send{To: society.Root, Text: "see @plna.md here"})
	})
}

// /effort without a level lists the levels there are, those that the model in use takes,
// and how it is set.
func TestEffortWithoutALevelListsTheLevels(t *testing.T) {
	t.Parallel()
	with := func(f *apitest.Society) {
		f.Holds.Models = []api.Model{{Name: "gpt-x", Efforts: []string{"low", "high"}}, {Name: "old", Efforts: []string{}}, {Name: "new"}}
		f.Put(api.Row{ID: society.Root, Parent: society.User, RoleID: "role-p", Role: "planner", State: society.Idle, Model: "gpt-x"})
		f.Put(api.Row{ID: "web-1", Parent: society.Root, RoleID: "role-w", Role: "worker", Model: "old"})
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			set, ok := cmd.(society.SetEffort)
			if !ok {
				return plainReply(cmd), nil
			}
			role := society.RoleEffort{Role: "role-p", Name: "planner"}
			if set.Of != "" {
				role = society.RoleEffort{Role: "role-w", Name: set.Of, Effort: "low"}
			}
			if set.Of == "new" {
				role.Role = "role-of-nobody"
			}
			return society.EffortChange{Roles: []society.RoleEffort{role}}, nil
		}
	}
	lead(t, protocol.English, with, func(p *person) {
		p.writes("/effort")
		p.hears("planner: as the model's settings say", "gpt-x takes low, high", "Set it: /effort LEVEL", "levels: unset, none, minimal, low, medium, high, xhigh, max")
		p.writes("/effort worker")
		p.hears("worker: low", "old takes none of the levels")
		p.writes("/effort new")
		p.hears("what new takes is not known")
	})
	lead(t, protocol.Chinese, with, func(p *person) {
		p.writes("/effort")
		p.hears("planner：按模型的设置，gpt-x 接受 low、high", "设定：/effort 级别", "级别：unset、none、minimal、low、medium、high、xhigh、max")
	})
}

func TestATextGoesToSeveralAgents(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		for i, id := range []society.AgentID{"web-1", "web-2"} {
			f.Put(api.Row{ID: id, Parent: society.Root, State: society.Idle, Depth: 1, Order: uint64(i) + 1})
		}
	}, func(p *person) {
		p.writes("/send web-1, @web-2 go on", "/send web-1,nobody hi", "/send web-2")
		p.hears("No agent named nobody", "Write the text behind the agents")
		if all := p.all(); !strings.Contains(all, "Sent to web-1.") || !strings.Contains(all, "Sent to web-2.") { // in any order
			t.Errorf("it was not sent to both:\n%s", all)
		}
		p.f.Mu.Lock()
		slices.SortFunc(p.f.Did, func(a, b society.Command) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		p.f.Mu.Unlock()
		p.asked(society.Send{To: "web-1", Text: "go on"}, society.Send{To: "web-2", Text: "go on"})
	})
}
