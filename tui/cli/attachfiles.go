package cli

import (
	"context"
	"io"
	"path/filepath"

	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/sessions"
	"society-tui/runtime/template"
	"society-tui/tui/action"
)

// backupFrom returns what copies the store of an attached society to a file of this machine.
func backupFrom(client *attach.Client) func(ctx context.Context, file string) (string, error) {
	return func(ctx context.Context, file string) (string, error) {
		path, err := filepath.Abs(template.Home(file)) // no shell expands ~
		if err != nil {
			return "", err
		}
		written, err := sessions.ReceiveBackup(path, func(w io.Writer) error { return client.Backup(ctx, w) })
		return written.String(), err
	}
}

// exportFrom returns what exports conversations of an attached society to a file of this
// machine.
func exportFrom(client *attach.Client) func(ctx context.Context, e action.Export) (action.Exported, error) {
	return func(ctx context.Context, e action.Export) (action.Exported, error) {
		out := sessions.Export{Agent: e.Agent, Alone: !e.Below, Format: sessions.Markdown, Out: template.Home(e.File)}
		if e.JSON {
			out.Format = sessions.JSON
		}
		what := attachapi.Export{Agent: e.Agent, Below: e.Below, JSON: e.JSON}
		written, err := out.Receive("", func(w io.Writer) error { return client.Export(ctx, w, what) })
		return action.Exported{File: written.Path, Uncounted: true}, err
	}
}
