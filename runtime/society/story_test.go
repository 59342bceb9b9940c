package society

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/conversation"
)

var rewrite = flag.Bool("rewrite", false, "write down what the stories in testdata now say")

// Stories are the rules for reading: a command, "----", the outcome. A line that begins
// with # is a remark. The commands:
//
//	send to=ID [new] [resume] [take-back]   the user's message, which follows
//	answer agent=ID [late]                  what its model answers: lines of text, and "> tool key=value …" for calls
//	done agent=ID [late]                    what its tool came to
//	fail agent=ID class=… [final]           its model call fails
//	interrupt agent=ID                      with a text, or without
//	stop, resume, terminate agent=ID        the user's verbs; resume [alone]
//	halted                                  the workers of all that is ending have ended
//	restart [paused]                        a crash and a new start
//	tick 2s                                 time passes; what is due fires
//	panic agent=ID                          a worker of it panics
//	show                                    who is there
func TestStories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := tell(t, string(raw))
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			} else if got != string(raw) {
				t.Errorf("it says now (-rewrite writes it down):\n%s", differing(string(raw), got))
			}
		})
	}
}

// differing is the first scene in which two stories differ.
func differing(want, got string) string {
	a, b := strings.Split(want, "\n\n"), strings.Split(got, "\n\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return b[i]
		}
	}
	return got
}

// A line is a command or a call with its arguments: bare words and key=value,
// where a value with blanks is quoted.
type line struct {
	word string
	args map[string]string
}

func parseLine(t *testing.T, s string) line {
	t.Helper()
	word, rest, _ := strings.Cut(s, " ")
	l := line{word: word, args: map[string]string{}}
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := strings.IndexAny(rest, "= ")
		if end < 0 {
			end = len(rest)
		}
		key := rest[:end]
		if rest = rest[end:]; !strings.HasPrefix(rest, "=") {
			l.args[key] = "yes"
			continue
		}
		rest = rest[1:]
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			value, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			l.args[key], rest = value, rest[len(quoted):]
			continue
		}
		value, after, _ := strings.Cut(rest, " ")
		l.args[key], rest = value, after
	}
	return l
}

func (l line) id(key string) AgentID { return AgentID(l.args[key]) }
func (l line) has(flag string) bool  { return l.args[flag] == "yes" }
func (l line) agent() AgentID        { return l.id("agent") }

// A teller lets a story happen.
type teller struct {
	*world
	t    *testing.T
	owed []Work
}

// tell returns the story with what comes of each command now.
func tell(t *testing.T, story string) string {
	w := &teller{world: newWorld(t, DefaultLimits()), t: t}
	var b strings.Builder
	for i, scene := range strings.Split(strings.TrimSpace(story), "\n\n") {
		if i > 0 {
			b.WriteString("\n")
		}
		command, _, found := strings.Cut(scene, "\n----")
		b.WriteString(command + "\n")
		var script []string
		for l := range strings.Lines(command) {
			if !strings.HasPrefix(l, "#") {
				script = append(script, l)
			}
		}
		if len(script) == 0 && !found {
			continue // a remark that stands alone
		}
		b.WriteString("----\n" + w.scene(strings.TrimSpace(script[0]), strings.Join(script[1:], "")))
	}
	return b.String()
}

// scene carries one command out and returns the outcome.
func (w *teller) scene(command, body string) string {
	l := parseLine(w.t, command)
	if l.word == "show" {
		return w.show()
	}
	var b strings.Builder
	for _, cmd := range w.commands(l, strings.TrimSpace(body)) {
		reply, err := w.try(cmd)
		if r, ok := errors.AsType[*Refusal](err); ok {
			fmt.Fprintf(&b, "refused: %v\n", r)
			continue
		}
		if err != nil {
			fmt.Fprintf(&b, "thrown away: %v\n", err)
			continue
		}
		for _, e := range w.last {
			b.WriteString(w.describe(e))
		}
		b.WriteString(w.replied(reply))
	}
	b.WriteString(w.news())
	return b.String()
}

// commands are those that a line of a story stands for.
func (w *teller) commands(l line, body string) []Command {
	switch l.word {
	case "send":
		if l.has("take-back") {
			return []Command{DropWaiting{Agent: l.id("to")}}
		}
		return []Command{Send{To: l.id("to"), Text: body, NewTask: l.has("new"), Resume: l.has("resume")}}
	case "answer":
		text, calls := w.answering(body)
		return []Command{Answered{Work: w.work(l, ThinkStep).(Think), Text: text, Calls: calls}}
	case "done":
		return []Command{ToolDone{Work: w.work(l, ActStep).(Act), Text: body, Outcome: conversation.OK}}
	case "fail":
		return []Command{Failed{Work: w.work(l, ThinkStep), Class: l.args["class"], Text: body, Retryable: !l.has("final")}}
	case "interrupt":
		return []Command{Interrupt{Agent: l.agent(), Text: body}}
	case "stop":
		return []Command{Stop{Agent: l.agent()}}
	case "resume":
		return []Command{Resume{Agent: l.agent(), Alone: l.has("alone")}}
	case "terminate":
		return []Command{Terminate{Agent: l.agent(), By: User}}
	case "panic":
		return []Command{Panicked{Work: w.work(l, ThinkStep), Text: body}}
	case "halted":
		var list []Command
		for _, ids := range w.halts {
			list = append(list, Halted{Agents: ids})
		}
		w.halts = nil
		return list
	case "restart":
		w.load()
		w.halts, w.owed = nil, nil
		return []Command{Restart{Paused: l.has("paused")}}
	case "tick":
		return w.tick(l)
	}
	w.t.Fatalf("a story does not know %q", l.word)
	return nil
}

// work returns what an agent owes now, or for a late result what it owed last.
func (w *teller) work(l line, kind StepKind) Work {
	if !l.has("late") {
		return w.world.owed(l.agent(), kind)
	}
	var last Work
	for _, work := range w.past {
		if work.Item().Agent == l.agent() && work.Kind() == kind && !w.s.Agent(work.Item().Agent).expects(work) {
			last = work
		}
	}
	return last
}

func (w *teller) tick(l line) []Command {
	for word := range l.args {
		d, err := time.ParseDuration(word)
		if err != nil {
			w.t.Fatalf("tick: %v", err)
		}
		w.at = w.at.Add(d)
	}
	var due []Command
	for _, work := range w.s.Owed() {
		if work.Kind() == WaitStep && !untilOf(work).After(w.at) {
			due = append(due, TimerFired{Work: work.(Wait)})
		}
	}
	return due
}

// answering reads an answer: lines of text, and calls behind ">".
func (w *teller) answering(body string) (string, []conversation.Call) {
	var text []string
	var calls []conversation.Call
	for l := range strings.Lines(body) {
		l = strings.TrimSpace(l)
		if !strings.HasPrefix(l, "> ") {
			text = append(text, l)
			continue
		}
		c := parseLine(w.t, l[2:])
		calls = append(calls, w.call(c.word, arguments(c)))
	}
	return strings.Join(text, "\n"), calls
}

// arguments are those of a call, from the short forms that stories use.
func arguments(c line) any {
	switch c.word {
	case "create_role":
		return object{"name": c.args["name"], "rolePrompt": "You are a " + c.args["name"] + "."}
	case "spawn_agent":
		task := object{}
		if c.args["objective"] != "" {
			task = brief()
			task["objective"] = c.args["objective"]
		}
		return object{"roleId": c.args["role"], "taskBrief": task}
	case "terminate_agent":
		return object{"agentId": c.args["agent"]}
	case "send_message":
		payload := object{}
		for key, value := range c.args {
			switch key {
			case "to", "type":
			case "target":
				payload["target"] = object{"id": value, "role": "?"}
			default:
				payload[key] = value
			}
		}
		return object{"to": c.args["to"], "message_type": c.args["type"], "payload": payload}
	}
	args := object{}
	for key, value := range c.args {
		args[key] = value
	}
	return args
}
