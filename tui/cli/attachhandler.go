package cli

import (
	"context"
	"io"
	"net/http"
	"os"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/sessions"
)

// attachHandler returns what serves the screens of other processes.
func (o opener) attachHandler(s *Session, name, boot string, found sessions.Opened, cfg attachapi.Config) http.Handler {
	greeting := o.greeting(s, name, boot)
	cfg.Society = found.Society
	cfg.Watch = func() (api.Watcher, func()) { w := found.Society.Watch(); return w, w.Close }
	cfg.Greeting = func() attachapi.Greeting {
		g := greeting
		g.Settings = settingsNow(s)
		return g
	}
	if o.log.Run != "" {
		cfg.Log = func(_ context.Context, all bool) ([]attachapi.LogLine, error) {
			lines, err := o.log.Tail(all)
			shown := make([]attachapi.LogLine, len(lines))
			for i, l := range lines {
				shown[i] = attachapi.LogLine(l)
			}
			return shown, err
		}
	}
	cfg.Export = func(ctx context.Context, w io.Writer, what attachapi.Export) error {
		out := sessions.Export{Agent: what.Agent, Alone: !what.Below, Format: sessions.Markdown, Redact: o.c.redactor.Redact, Lang: protocol.Lang(o.s.Language())}
		if what.JSON {
			out.Format = sessions.JSON
		}
		return out.Stream(ctx, found.Store, w)
	}
	cfg.Backup = func(ctx context.Context, w io.Writer) error { return sessions.StreamBackup(ctx, found.Store, w) }
	cfg.Size = func() (int64, error) { return sizeOf(session.File(o.s.Data, name)) }
	cfg.Models, cfg.Logger = o.setup, s.Log
	h, err := attachapi.New(cfg)
	if err != nil {
		panic(err) // the routes are always the same
	}
	return h
}

// greeting is what an attached screen is told at first.
func (o opener) greeting(s *Session, name, boot string) attachapi.Greeting {
	host, _ := os.Hostname() // only for people
	return attachapi.Greeting{
		Version: logfile.Version(), Boot: boot, Session: name, Host: host, Store: s.Screen.StoreFile,
		Spoken: s.Screen.Spoken, LogFile: s.Screen.LogFile,
	}
}

// settingsNow returns the settings as this program's own screen would list them: the model
// set-up and others change the file while it runs. Of a file that is wrong by now, those of
// the start stand.
func settingsNow(s *Session) (all []attachapi.Setting) {
	now, err := s.Screen.ReadSettings(context.Background()) // it waits for nothing
	if err != nil {
		now = s.Screen.Settings
	}
	for _, e := range now {
		all = append(all, attachapi.Setting{Key: e.Key, Value: e.Value, From: e.From})
	}
	return all
}

func sizeOf(file string) (int64, error) {
	info, err := os.Stat(file)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
