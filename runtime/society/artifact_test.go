package society

import (
	"fmt"
	"strings"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/runtime/tool/artifacts"
)

// puts lets root put an artifact, and returns the result of the call.
func (w *world) puts(put ArtifactPut) conversation.Entry {
	w.t.Helper()
	call := w.call(artifacts.Put, object{"n": w.calls})
	w.calling(Root, call)
	w.must(ToolDone{Work: w.owed(Root, ActStep).(Act), Outcome: conversation.OK, Artifact: &put})
	return w.result(Root, call)
}

func TestArtifactVersionsAreCountedAndBounded(t *testing.T) {
	t.Parallel()
	limits := DefaultLimits()
	limits.ToolRounds = 100
	w := newWorld(t, limits)
	w.must(Send{To: Root, Text: "go"})
	for n := 1; n <= artifacts.MostVersions+1; n++ {
		e := w.puts(ArtifactPut{Name: "r", Type: "text/plain", Data: []byte("x")})
		want := fmt.Sprintf(`"id":"a1","name":"r","ok":true,"size":1,"type":"text/plain","version":%d}`, n)
		if n > artifacts.MostVersions {
			want = `"error":"limit_reached"`
		}
		if !strings.Contains(e.Text, want) || (e.Outcome == conversation.OK) != (n <= artifacts.MostVersions) {
			t.Fatalf("version %d: %s %q, want %q", n, e.Outcome, e.Text, want)
		}
	}
	if e := w.puts(ArtifactPut{Name: "R", Data: []byte("x")}); !strings.Contains(e.Text, `"id":"a2"`) {
		t.Errorf("a name in capital letters: %q", e.Text)
	}
	w.restart(false)
	if list := w.s.Artifacts(""); len(list) != 2 || list[0].Version != artifacts.MostVersions || list[0].Bytes != artifacts.MostVersions {
		t.Errorf("after a restart: %+v", list)
	}
}

// The bound on bytes counts all versions in a task, and no other task's.
func TestArtifactBytesOfATaskAreBounded(t *testing.T) {
	t.Parallel()
	w := planning(t)
	large := make([]byte, artifacts.MostBytes)
	for n := range artifacts.MostInTask / artifacts.MostBytes {
		if e := w.puts(ArtifactPut{Name: fmt.Sprint(n % 3), Data: large}); e.Outcome != conversation.OK {
			t.Fatalf("put %d: %q", n, e.Text)
		}
	}
	if e := w.puts(ArtifactPut{Name: "one more", Data: []byte("x")}); !strings.Contains(e.Text, `"error":"limit_reached"`) {
		t.Errorf("one byte more: %q", e.Text)
	}
	if e := w.puts(ArtifactPut{Name: "large", Data: make([]byte, artifacts.MostBytes+1)}); !strings.Contains(e.Text, `"error":"too_large"`) {
		t.Errorf("a byte too many: %q", e.Text)
	}
	w.must(Answered{Work: w.thinks(Root), Text: "done"})
	w.must(Send{To: Root, Text: "else", NewTask: true})
	if e := w.puts(ArtifactPut{Name: "0", Data: []byte("x")}); e.Outcome != conversation.OK || !strings.Contains(e.Text, `"version":1`) {
		t.Errorf("in another task: %q", e.Text)
	}
}

// What goes with one message is kept together with it: files of one name are versions, and
// if one cannot be kept nothing is.
func TestFilesOfAMessageAreKeptWithItOrNotAtAll(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	long := Attachment{Name: "log", Type: "text/plain", Data: make([]byte, MostAttachedInline+1)}
	short := Attachment{Name: "note", Type: "text/plain", Data: []byte("note")}
	w.must(Send{To: Root, Attachments: []Attachment{long, short, long, {Name: "a.png", Type: "image/png", Width: 3, Height: 2, Data: []byte("x")}}})
	if list := w.s.Artifacts(""); len(list) != 2 || list[0].Version != 2 || list[0].By != User || list[1].Name != "a.png" || w.agent(Root).Doing != "log" {
		t.Fatalf("kept are %+v, and root does %q", list, w.agent(Root).Doing)
	}
	w.must(Interrupt{Agent: Root, Attachments: []Attachment{long}})
	if a := w.s.Artifacts("")[0]; a.Version != 3 || a.Task != w.agent(Root).Turn.Task {
		t.Errorf("after an interruption with a file it is %+v", a)
	}
	large := Attachment{Name: "large", Data: make([]byte, artifacts.MostBytes)}
	for range artifacts.MostInTask/artifacts.MostBytes - 1 {
		w.must(Send{To: Root, Text: "a", Attachments: []Attachment{large}})
	}
	before := len(w.agent(Root).Mailbox)
	w.refused(Send{To: Root, Text: "b", Attachments: []Attachment{long, large}}, LimitReached)
	if a := w.s.Artifacts("")[0]; a.Version != 3 || len(w.agent(Root).Mailbox) != before {
		t.Errorf("what was refused left %+v and %d messages, want %d", a, len(w.agent(Root).Mailbox), before)
	}
}
