package attach

import (
	"context"
	"io"
	"net/http"
	"net/url"

	"society-tui/runtime/attachapi"
)

// Log returns the last lines of the program's log, of all its runs or of this one, oldest
// first.
func (c *Client) Log(ctx context.Context, all bool) ([]attachapi.LogLine, error) {
	query := url.Values{}
	truth(query, "all", all)
	return read[[]attachapi.LogLine](ctx, c, "log", query)
}

// Settings returns the settings of the program as they are now.
func (c *Client) Settings(ctx context.Context) ([]attachapi.Setting, error) {
	now, err := read[attachapi.Greeting](ctx, c, "greeting", nil)
	return now.Settings, err
}

// Size returns the size of the store's file.
func (c *Client) Size(ctx context.Context) (int64, error) {
	return read[int64](ctx, c, "size", nil)
}

// Export writes conversations to w. After an error something may have been written.
func (c *Client) Export(ctx context.Context, w io.Writer, what attachapi.Export) error {
	query := url.Values{}
	word(query, "agent", string(what.Agent))
	truth(query, "below", what.Below)
	truth(query, "json", what.JSON)
	return c.copy(ctx, w, "export", query)
}

// Backup writes a checked copy of the store to w. After an error something may have been
// written.
func (c *Client) Backup(ctx context.Context, w io.Writer) error {
	return c.copy(ctx, w, "backup", nil)
}

// Quit begins to end the program for all, and pauses all agents first if asked to.
func (c *Client) Quit(ctx context.Context, pause bool) error {
	body, err := encoded(attachapi.Quit{Pause: pause})
	if err != nil {
		return err
	}
	_, err = whenever[nothing](ctx, c, false, request{method: http.MethodPost, path: "quit", body: body})
	return err
}

// copy copies a stream of the program. It is not begun again after a cut.
func (c *Client) copy(ctx context.Context, w io.Writer, path string, query url.Values) error {
	link, err := c.connected(ctx, false)
	if err != nil {
		return err
	}
	response, err := link.send(ctx, request{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return unanswered(err)
	}
	defer response.Body.Close()
	_, err = io.Copy(w, response.Body)
	return err
}
