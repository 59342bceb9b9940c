package cli

import (
	"context"
	"errors"
	"io"
	"net/url"
	"path/filepath"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/config"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
)

// formatOrg is the API's format for the organisation alone.
const formatOrg = "org"

// holder returns a client of the program that has the session open, which is why err was
// returned; nil if that is not why, or if it cannot be reached.
func (c *console) holder(ctx context.Context, s config.Settings, err error) *apiclient.Client {
	if _, held := errors.AsType[*sessions.InUse](err); !held {
		return nil
	}
	client, err := c.connect(ctx, s)
	if err != nil {
		return nil
	}
	return client
}

// backupOf writes a backup of a running session to a new file.
func backupOf(ctx context.Context, client *apiclient.Client, file string) (sessions.Written, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return sessions.Written{}, err
	}
	return sessions.ReceiveBackup(path, func(w io.Writer) error {
		return client.Copy(ctx, "/api/backup", nil, w)
	})
}

// exportOf writes an export of a running session to its file, or to standard output.
func (c *console) exportOf(ctx context.Context, client *apiclient.Client, e sessions.Export) (sessions.Written, error) {
	query := url.Values{"format": {e.Format}}
	if e.Org {
		query.Set("format", formatOrg)
	}
	if e.Agent != "" {
		id, err := c.agentOf(ctx, client, string(e.Agent))
		if err != nil {
			return sessions.Written{}, err
		}
		e.Agent = society.AgentID(id)
		query.Set("agent", id)
	}
	read := func(w io.Writer) error { return client.Copy(ctx, "/api/export", query, w) }
	if e.Out == "" {
		return sessions.Written{}, read(c.out)
	}
	return e.Receive("", read)
}
