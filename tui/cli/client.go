package cli

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/config"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// errNotOpen is returned when no program has the session open.
var errNotOpen = errors.New("the session is not open")

// A notOpen explains errNotOpen to the user.
type notOpen struct{ *i18n.Message }

func (notOpen) Is(target error) bool { return target == errNotOpen } //nolint:errorlint // that is what Is is for

// notOpen says that the session of the settings is not open, and how to open it, or that the place
// may be another if the user has not named it. Nobody opens a session to quit it.
func (c *console) notOpen(s config.Settings) error {
	switch {
	case c.selected != nil && c.selected.Name == "quit":
		return notOpen{textNothingToQuit.With(s.Session)}
	case c.line.Session != nil && !isThere(session.File(s.Data, s.Session)):
		return notOpen{textNoSession.With(s.Session, c.command(""), c.command("serve"))}
	case c.line.Session != nil || c.line.Data != nil:
		return notOpen{textNotOpenThere.With(s.Session, c.command(""), c.command("serve"))}
	}
	return notOpen{textNotOpen.With(s.Session, c.command(""), c.command("serve"))}
}

// isThere reports whether a file exists, as far as that is known.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// connectPatience is how long a program has to say that it is there.
const connectPatience = 5 * time.Second

// connect returns a client of the program that has the session of the settings open.
func (c *console) connect(ctx context.Context, s config.Settings) (*apiclient.Client, error) {
	if err := c.dataIsFolder(s); err != nil {
		return nil, err
	}
	dial := func(ctx context.Context) (net.Conn, error) { return httpserver.Dial(ctx, s.Data, s.Session) }
	token, noToken := httpserver.ReadToken(s.Data, s.Session) // it matters only to a program that is there
	client := apiclient.New(dial, token)
	hurried, cancel := context.WithTimeout(ctx, connectPatience)
	defer cancel()
	err := client.Get(hurried, "/api/health", nil, &struct{}{})
	if err == nil {
		return client, nil
	}
	client.Close()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case noToken != nil && !because(noToken).IsZero(): // the folder cannot be read
		err = noToken
	case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED):
		return nil, c.notOpen(s)
	case noToken != nil:
		err = noToken
	}
	if said := because(err); !said.IsZero() {
		return nil, said.With(pathOf(err, s.Data))
	}
	return nil, textNoAPI.With(s.Session, explained(err))
}

// pathOf returns the file or folder of an error, or else another.
func pathOf(err error, other string) string {
	if of, ok := errors.AsType[*fs.PathError](err); ok {
		return of.Path
	}
	return other
}

// explained is explained with the commands that find the session.
func (c *console) explained(err error) error {
	refused, ok := errors.AsType[*httpapi.Error](err)
	switch {
	case ok && refused.Code == string(society.TaskNotFound):
		return textNoTask.With(c.command("tasks"))
	case ok && refused.Code == string(society.AgentStopped) && c.alone:
		return textTakesNoneHere.With(refused.AgentID, c.command("serve"), c.command("resume"))
	case ok && refused.Code == string(society.AgentStopped):
		return textTakesNone.With(refused.AgentID, c.command("resume"))
	}
	return explained(err)
}

// explained returns an error of a client in words for the user.
func explained(err error) error {
	refused, ok := errors.AsType[*httpapi.Error](err)
	switch {
	case !ok && errors.Is(err, context.Canceled):
		return exitError(exitCodes[outcomeInterrupted])
	case !ok:
		return err
	}
	if text, ok := textRefusals[refused.Code]; ok && strings.Contains(text.EN, "%s") {
		return text.With(refused.AgentID)
	} else if ok {
		return text.With()
	}
	return action.TextRefused.With(refused.Message)
}
