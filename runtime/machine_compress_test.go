package runtime_test

import (
	"context"
	"strings"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/society"
)

// taken returns how many messages that are not set aside a twin has read.
func (f *twin) taken() (n int) {
	for _, line := range f.said {
		if line != "answer" && line != "" && line[0] != 'c' && !strings.HasPrefix(line, aside) {
			n++
		}
	}
	return n
}

// compresses has the user compress the context of an agent, which the model does not have to
// sum up.
func (m *machine) compresses(t *rapid.T) {
	if m.model.broken || m.model.outage != nil {
		t.Skip("nothing is saved")
	}
	cmd := society.CompressContext{Agent: m.anybody(t), Keep: rapid.IntRange(1, 3).Draw(t, "keep"), Cut: true}
	m.model.advance(time.Now())
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	got, err := m.r.Do(ctx, cmd)
	m.rest()
	if _, code := m.model.order(cmd); codeOf(err) != code {
		t.Fatalf("%+v came to the error %v, not %q", cmd, err, code)
	}
	if done, ok := got.(society.ContextCompression); ok && err == nil {
		m.compressed(t, m.model.at(cmd.Agent), done)
	}
}

// compressed notes a compression, of which the model does not know how much it takes away.
func (m *machine) compressed(t *rapid.T, f *twin, done society.ContextCompression) {
	switch {
	case done.Going:
		t.Fatalf("the compression of %s is not over", f.id)
	case !done.Compressed:
		m.met["nothing to compress"]++
		if done.Why == "" {
			t.Fatalf("nothing of %s is compressed, and nobody knows why", f.id)
		}
		return
	case done.Entries < 1 || done.Left != done.Entries || done.After > done.Before+done.Before/10: // both may be estimates
		t.Fatalf("%s is compressed: %+v", f.id, done)
	}
	m.met["compressed"]++
	f.unheard = f.taken()
}

// mayCompress returns the code with which a compression by the user is refused now, or "".
func (m *model) mayCompress(c society.CompressContext) society.Code {
	f, code := m.named(c.Agent)
	switch {
	case code != "":
		return code
	case f.state.Ended():
		return society.AgentStopped
	case f.busy():
		return society.InvalidArguments
	}
	return ""
}
