package runtime_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/chatapi"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// A breaking line answers the first request with a call that writes to the user in an
// hour, then begins its answers and says nothing more, until it is mended.
type breakingLine struct {
	asked  atomic.Int32
	mended atomic.Bool
}

const (
	answerBegins = `data: {"choices":[{"index":0,"delta":{"content":"One half "}}]}` + "\n\n"
	answerEnds   = `data: {"choices":[{"index":0,"delta":{"content":"and the other."},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
	writesLater  = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"send_message",` +
		`"arguments":"{\"to\":\"user\",\"payload\":\"It is time.\",\"delayMs\":3600000}"}}]},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n\n"
)

// RoundTrip implements http.RoundTripper.
func (l *breakingLine) RoundTrip(r *http.Request) (*http.Response, error) {
	body := &silence{ctx: r.Context(), rest: answerBegins}
	switch {
	case l.asked.Add(1) == 1:
		body = &silence{rest: writesLater}
	case l.mended.Load():
		body = &silence{rest: answerBegins + answerEnds}
	}
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r, Body: io.NopCloser(body),
	}, nil
}

// A silence is a text, and then nothing for as long as its request lives, or the end if
// it is of none.
type silence struct {
	ctx  context.Context //nolint:containedctx // of the request
	rest string
}

func (s *silence) Read(p []byte) (int, error) {
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	switch {
	case n > 0:
		return n, nil
	case s.ctx == nil:
		return 0, io.EOF
	}
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

// Eight hours in the middle of a stream: the request is retried as after any stall, a
// message that was due in an hour comes once, the log mentions the sleep once, and when
// the line works again the turn goes on.
func TestATurnGoesOnAfterEightHoursOfSleep(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		line := &breakingLine{}
		model, err := chatapi.New(chatapi.Config{BaseURL: "http://localhost", Model: "m", Client: &http.Client{Transport: line}})
		if err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.Model, cfg.IdleWarning = model, 10*time.Minute
			cfg.Log = slog.New(slog.NewTextHandler(&log, nil))
		})
		told := func() (texts []string) {
			for _, m := range s.inbox() {
				texts = append(texts, m.Body)
			}
			return texts
		}
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(30 * time.Minute)
		if n := line.asked.Load(); n != 1+4 {
			t.Errorf("in half an hour the model was asked %d times", n)
		}
		if row := s.rows()[society.Root]; row.State != society.Idle || !strings.Contains(row.Error, "stopped sending") || len(told()) != 1 || !strings.Contains(told()[0], "stopped sending") {
			t.Errorf("root is %s, %q; the person was told %q", row.State, row.Error, told())
		}
		time.Sleep(8 * time.Hour)
		if n := line.asked.Load(); n != 1+4 {
			t.Errorf("in eight hours the model was asked %d times", n)
		}
		if got := told(); len(got) != 2 || got[1] != "It is time." {
			t.Errorf("the person was told %q", got)
		}
		line.mended.Store(true)
		s.do(society.Resume{Agent: society.Root})
		time.Sleep(time.Minute)
		if got := told(); len(got) != 3 || got[2] != "One half and the other." {
			t.Errorf("the person was told %q", got)
		}
		answers := 0
		for _, e := range s.said(society.Root) {
			if e.Kind == conversation.Answer && e.Text != "" {
				answers++
			}
		}
		if answers != 1 {
			t.Errorf("its conversation holds %d answers", answers)
		}
		s.quit()
		// It rests once after the failure, and not long enough after the answer.
		if n := strings.Count(log.String(), "agent is idle for long"); n != 1 {
			t.Errorf("of its rest the log is told %d times:\n%s", n, log.String())
		}
	})
}
