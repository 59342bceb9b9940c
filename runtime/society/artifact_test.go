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
