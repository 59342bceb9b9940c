package programtest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

// gather starts all who use the program until ctx is done.
func (w *weather) gather(ctx context.Context, people *errgroup.Group) {
	const writers = 2
	for n := range writers {
		people.Go(func() error { return w.writes(ctx, n, writers) })
	}
	people.Go(func() error { w.visits(ctx, true); return nil })
	people.Go(func() error { w.visits(ctx, false); return nil })
	people.Go(func() error { w.listens(ctx); return nil })
}

// writes sends numbered notes over the socket, each to one of the nth part of the agents,
// with a key, and again until the answer is heard. An agent gets the notes of one writer only,
// so that their order is known; root's come from a screen.
func (w *weather) writes(ctx context.Context, nth, writers int) error {
	var mine []string
	for i, agent := range w.sky.known() {
		if agent != "root" && i%writers == nth {
			mine = append(mine, agent)
		}
	}
	for pause(ctx, 100*time.Millisecond+rand.N(time.Second)) {
		note := int(w.number.Add(1))
		body := map[string]string{"agentId": mine[rand.IntN(len(mine))], "text": fmt.Sprintf("Note %d. a word of the user", note)}
		if err := w.sends(ctx, note, body); err != nil {
			return err
		}
	}
	return nil
}

// sends sends a note until it is known what became of it.
func (w *weather) sends(ctx context.Context, note int, body map[string]string) error {
	for {
		status, reply, err := postOnce(ctx, w.folder, "/api/send", fmt.Sprint("note ", note), body)
		switch {
		case err == nil && status == http.StatusOK:
			var sent struct{ MessageID string }
			if err := json.Unmarshal([]byte(reply), &sent); err != nil || sent.MessageID == "" {
				return fmt.Errorf("note %d is answered with %q, %w", note, reply, err)
			}
			w.acknowledges(note)
			return nil
		case err == nil && status < http.StatusInternalServerError && status != http.StatusTooManyRequests:
			return fmt.Errorf("note %d is refused: %d %s", note, status, reply)
		case err == nil && status == http.StatusServiceUnavailable:
			w.refused.Add(1)
		}
		if !pause(ctx, 50*time.Millisecond) {
			return nil
		}
	}
}

// pause waits, and reports false when ctx is done.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}

// onDisk runs f where the disk is mounted; false means that ctx was done before.
func (w *weather) onDisk(ctx context.Context, f func()) bool {
	done := make(chan struct{})
	select {
	case w.starts <- func() { defer close(done); f() }:
		<-done
		return true
	case <-ctx.Done():
		return false
	}
}

// visits attaches screens, which stay for a while and go away in one of all ways. Those of
// one visitor write to root.
func (w *weather) visits(ctx context.Context, writes bool) {
	for pause(ctx, rand.N(500*time.Millisecond)) {
		var x *terminal
		if !w.onDisk(ctx, func() { x = w.open(100+rand.IntN(60), 30, "attach") }) {
			return
		}
		if x.soon(func(rows []string) bool { return stands(rows, "to: ") && shows(rows, "root") }) {
			w.attaches.Add(1)
			for more := writes; more && ctx.Err() == nil; more = chance(70) && w.notes(x) {
			}
			pause(ctx, rand.N(2*time.Second))
		}
		x.leaves()
	}
}

// notes writes a note to root on a screen. It is acknowledged if it is shown; false means
// that this is not known.
func (w *weather) notes(x *terminal) bool {
	note := fmt.Sprintf("Note %d. a word of the user", w.number.Add(1))
	_, _ = x.pty.WriteString("\x15@root " + note) // ctrl+u: a draft may have been restored
	if !x.soon(func(rows []string) bool {
		_, text := composing(rows)
		return strings.Contains(text, note)
	}) {
		return false
	}
	_, _ = x.pty.WriteString("\r")
	return x.soon(func(rows []string) bool { return w.reads(rows, note) })
}

// reads takes all notes that a screen shows as acknowledged, and reports whether one of them
// is there.
func (w *weather) reads(rows []string, wanted string) (there bool) {
	for _, m := range note.FindAllStringSubmatch(strings.Join(rows, "\n"), -1) {
		n, _ := strconv.Atoi(m[1]) // the pattern has digits only
		there = there || strings.HasPrefix(wanted, fmt.Sprintf("Note %d.", n))
		w.mu.Lock()
		if !slices.Contains(w.heard[max(0, len(w.heard)-1000):], n) {
			w.heard = append(w.heard, n)
		}
		w.mu.Unlock()
	}
	return there
}

// soon waits some seconds for ok. It reports false if the program ends, or if that takes too
// long: the society behind a screen may have been killed.
func (x *terminal) soon(ok func(rows []string) bool) (seen bool) {
	late := false
	alarm := time.AfterFunc(5*time.Second, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		late = true
		x.changed.Broadcast()
	})
	defer alarm.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for seen = ok(x.screen.Rows()); !seen && !late && !x.ended; seen = ok(x.screen.Rows()) {
		x.changed.Wait()
	}
	return seen
}

// leaves closes a screen by a signal, or by the end of its terminal, and lets go of what it
// has written: there are too many screens to keep.
func (x *terminal) leaves() {
	_ = x.cmd.Process.Signal([]os.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP}[rand.IntN(3)]) // it may have ended
	x.ends()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.raw, x.screen = nil, nil
	_, _ = x.pty.Close(), x.tty.Close()
}

// listens attaches without a screen, again and again.
func (w *weather) listens(ctx context.Context) {
	for pause(ctx, rand.N(500*time.Millisecond)) {
		in, typed, err := os.Pipe()
		if err != nil {
			w.t.Error(err)
			return
		}
		var r *running
		if !w.onDisk(ctx, func() { r = w.begin(in, "--plain", "attach") }) {
			return
		}
		_ = in.Close()
		pause(ctx, 500*time.Millisecond+rand.N(2*time.Second))
		if strings.Contains(r.out.String(), "root") {
			w.looks.Add(1)
		}
		_ = r.cmd.Process.Signal([]os.Signal{syscall.SIGKILL, syscall.SIGTERM}[rand.IntN(2)]) // it may have ended
		r.ends()
		_ = typed.Close()
	}
}
