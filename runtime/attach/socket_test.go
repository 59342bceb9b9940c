package attach_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/conversation"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// A served society is one behind the product's server, with its socket and its port.
type served struct {
	society *runtime.Runtime
	server  *httpserver.Server
	token   string
}

// serve runs a society until the test ends.
func serve(t testing.TB, agents int) *served {
	t.Helper()
	limits := society.DefaultLimits()
	limits.Agents, limits.Children = agents+1, agents+1
	r, err := runtime.Open(runtime.Config{Store: memdb.New(), Model: llmtest.Func("hang", llmtest.Hang()), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	screens, err := attachapi.New(attachapi.Config{
		Society: r, Watch: func() (api.Watcher, func()) { w := r.Watch(); return w, w.Close },
		Greeting: func() attachapi.Greeting { return attachapi.Greeting{Session: "test"} }, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	around, err := httpapi.New(httpapi.Config{
		Society: r, Watch: func() (api.Watcher, func()) { w := r.Watch(); return w, w.Close }, Metrics: http.NotFoundHandler(), Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	server, _, err := httpserver.Start(httpserver.Config{
		Handler: screens, Around: around.WithRequestID, Folder: folder, Session: "s", Address: "127.0.0.1:0", AnyPort: true, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Force()
		cancel()
		if err := errors.Join(<-ended, server.Close(context.Background())); err != nil {
			t.Errorf("the society ended with %v", err)
		}
	})
	token, err := httpserver.ReadToken(folder, "s")
	if err != nil {
		t.Fatal(err)
	}
	s := &served{society: r, server: server, token: token}
	if agents > 0 {
		s.fill(t, agents)
	}
	return s
}

// fill makes agents with a brief each, in teams.
func (s *served) fill(t testing.TB, agents int) {
	t.Helper()
	ctx := context.Background()
	role, err := api.Do(ctx, s.society, society.MakeRole{Name: "researcher", Prompt: "You search."})
	if err != nil {
		t.Fatal(err)
	}
	var makers sync.WaitGroup
	for part := range slices.Chunk(make([]struct{}, agents), 100) {
		makers.Go(func() {
			for i := range part {
				c := society.Spawn{Parent: society.Root, Role: role.Role}
				if i%10 == 0 {
					c.Text = fmt.Sprintf("Find out what is known about question %d of the survey, and name your sources", i)
				}
				if _, err := api.Do(ctx, s.society, c); err != nil {
					t.Errorf("Do(Spawn) = %v", err)
					return
				}
			}
		})
	}
	makers.Wait()
}

func (s *served) ownToken() string { return s.token }

func (s *served) dial(ctx context.Context) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, "unix", s.server.Socket())
}

func (s *served) connect(t testing.TB) *attach.Client {
	t.Helper()
	c, err := attach.Connect(context.Background(), attach.Config{Dial: s.dial, Token: s.ownToken})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProductsServerLetsScreensWithTheTokenIn(t *testing.T) {
	t.Parallel()
	s := serve(t, 0)
	for name, cfg := range map[string]attach.Config{
		"socket": {Dial: s.dial},
		"port":   {URL: "http://" + s.server.Address()},
	} {
		for _, token := range []string{"", "wrong", strings.Repeat("x", 43)} {
			cfg.Token = func() string { return token }
			_, err := attach.Connect(t.Context(), cfg)
			if refused, ok := errors.AsType[*httpapi.Error](err); !ok || refused.Status != http.StatusUnauthorized {
				t.Errorf("Connect by the %s with the token %q = %v", name, token, err)
			}
		}
		cfg.Token = s.ownToken
		c, err := attach.Connect(t.Context(), cfg)
		if err != nil {
			t.Fatalf("Connect by the %s = %v", name, err)
		}
		large := strings.Repeat("x", 2<<10)
		if name == "socket" {
			large = strings.Repeat("x", 1200<<10) // more than other requests may have
		}
		sent, err := api.Do(t.Context(), c, society.Send{To: society.Root, Text: large})
		if err != nil || sent.Message == "" {
			t.Errorf("Do(Send) of %d bytes by the %s = %+v, %v", len(large), name, sent, err)
		}
		draft := []byte(large)
		if stale, err := c.Keep(t.Context(), map[string]api.Value{"draft/" + name: {Bytes: draft, Revision: api.AnyRevision}}); err != nil || len(stale) != 0 {
			t.Errorf("Keep by the %s = %v, %v", name, len(stale), err)
		}
		if v, err := c.Kept(t.Context(), "draft/"+name); err != nil || !bytes.Equal(v.Bytes, draft) || v.Revision != api.RevisionOf(draft) {
			t.Errorf("Kept by the %s = %d bytes of revision %q, %v", name, len(v.Bytes), v.Revision, err)
		}
		e, err := c.Entries(t.Context(), society.Root, 0, 0)
		came := slices.ContainsFunc(e.Entries, func(e conversation.Entry) bool { return e.Body == large }) ||
			slices.ContainsFunc(e.Waiting, func(w api.Waiting) bool { return w.Body == large })
		if err != nil || !came {
			t.Errorf("Entries by the %s = %d and %d waiting, %v", name, len(e.Entries), len(e.Waiting), err)
		}
		c.Close()
	}
	if _, err := attach.Connect(t.Context(), attach.Config{Dial: func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(t.TempDir(), "none.sock"))
	}}); err == nil {
		t.Error("Connect to no socket has no error")
	}
}

// The first look at 5,000 agents takes 0.5 s at most, from the first byte to the screen.
func BenchmarkFirstLookAtFiveThousandAgents(b *testing.B) {
	s := serve(b, 5000)
	var read int64
	b.ResetTimer()
	for b.Loop() {
		counted := func(ctx context.Context) (net.Conn, error) {
			c, err := s.dial(ctx)
			return &counting{Conn: c, read: &read}, err
		}
		c, err := attach.Connect(b.Context(), attach.Config{Dial: counted, Token: s.ownToken})
		if err != nil {
			b.Fatal(err)
		}
		look, err := c.Watcher().Next(b.Context())
		if err != nil || len(look.Rows) != 5001 {
			b.Fatalf("the first look has %d rows, %v", len(look.Rows), err)
		}
		c.Close()
	}
	b.ReportMetric(float64(read)/float64(b.N)/1e6, "MB/look")
}

type counting struct {
	net.Conn
	read *int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	*c.read += int64(n)
	return n, err
}

// From a command of one screen to the other's Next.
func BenchmarkChangeToTheOtherScreen(b *testing.B) {
	s := serve(b, 200)
	one, other := s.connect(b), s.connect(b)
	defer one.Close()
	defer other.Close()
	w := other.Watcher()
	if _, err := w.Next(b.Context()); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		name := fmt.Sprintf("Name %d", i)
		began := time.Now()
		if _, err := api.Do(b.Context(), one, society.Rename{Agent: society.Root, Name: name}); err != nil {
			b.Fatal(err)
		}
		for told := false; !told; {
			changes, err := w.Next(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			told = slices.ContainsFunc(changes.Rows, func(r api.Row) bool { return r.ID == society.Root && r.Name == name })
		}
		took = append(took, time.Since(began))
		time.Sleep(20 * time.Millisecond) // the next one comes after the frame
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1e3, "p95-ms")
}
