package cli

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/oklog/ulid/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
	"society-tui/runtime/metrics"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
)

// addAPI adds the HTTP API to an open session.
func (o opener) addAPI(s *Session, name string, found sessions.Opened, measured *metrics.Metrics) {
	asked := make(chan struct{})
	var once sync.Once
	quit := func(pause bool) {
		once.Do(func() {
			if pause {
				_, _ = found.Society.Do(context.Background(), society.PauseAll{}) // it leaves all the same
			}
			close(asked)
		})
	}
	boot := ulid.Make().String()
	h, err := httpapi.New(httpapi.Config{
		Society: found.Society,
		Watch:   func() (api.Watcher, func()) { w := found.Society.Watch(); return w, w.Close },
		Export: func(ctx context.Context, w io.Writer, agent society.AgentID, format string) error {
			e := sessions.Export{Agent: agent, Format: format, Org: format == formatOrg, Redact: o.c.redactor.Redact, Lang: protocol.Lang(o.s.Language())}
			return e.Stream(ctx, found.Store, w)
		},
		Backup: func(ctx context.Context, w io.Writer) error { return sessions.StreamBackup(ctx, found.Store, w) },
		Models: o.setup, Currency: o.s.Currency,
		Quit: quit, GoesOn: s.detachment.isChosen,
		Metrics:  measured.Handler(func(ctx context.Context) (metrics.Sums, error) { return o.sums(ctx, name, found) }),
		Observer: measured,
		Log:      s.Log, Version: logfile.Version(), Boot: boot,
	})
	if err != nil {
		panic(err) // the routes are always the same
	}
	screens := o.attachHandler(s, name, boot, found, attachapi.Config{Quit: quit, Attached: measured.Attached, GoesOn: s.detachment.isChosen, Leaving: s.leaving.Load})
	routes := besides(h, screens)
	s.API, s.Quit = h.WithRequestID(routes), asked
	s.PortByDefault = o.c.line.HTTP == nil && o.s.HTTP == httpserver.DefaultAddress
	s.Listen = func() (*httpserver.Server, []*i18n.Message, error) {
		return httpserver.Start(httpserver.Config{
			Handler: routes, Around: h.WithRequestID, Folder: o.s.Data, Session: name, Address: o.s.HTTP, Log: s.Log,
		})
	}
}

// besides serves attached screens beside the API for programs.
func besides(programs, screens http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/attach/") {
			screens.ServeHTTP(w, r)
			return
		}
		programs.ServeHTTP(w, r)
	})
}

// sums counts an open session.
func (o opener) sums(ctx context.Context, name string, found sessions.Opened) (metrics.Sums, error) {
	w := found.Society.Watch()
	defer w.Close()
	now, err := w.Next(ctx)
	sums := metrics.Sums{Agents: map[string]int{}, Unsaved: now.Unsaved != ""}
	for _, state := range society.Statuses() {
		sums.Agents[string(state)] = 0
	}
	for i := range now.Rows {
		sums.Agents[string(now.Rows[i].State)]++
		sums.Waiting += now.Rows[i].Waiting
	}
	if info, statErr := os.Stat(session.File(o.s.Data, name)); statErr == nil {
		sums.Bytes = info.Size()
	}
	return sums, err
}
