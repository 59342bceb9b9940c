package console

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/sessions"
	"society-tui/runtime/setup"
	"society-tui/runtime/society"
)

type (
	checkCommand   struct{}
	compactCommand struct{}
	backupCommand  struct {
		File string `arg:"" help:"The new file."`
	}
	exportCommand struct {
		Agent  string `placeholder:"ID" xor:"what" help:"Write this agent and all below it only."`
		Org    bool   `xor:"what" help:"Write the organisation only: roles, agents, terminations and contacts."`
		Format string `enum:"json,markdown" default:"json" help:"json or markdown (${default})."`
		Out    string `placeholder:"FILE" help:"Write to this new file instead of standard output."`
		From   string `placeholder:"FILE" help:"Read this backup instead of the society."`
	}
	importCommand struct {
		File string `arg:"" help:"What to read in."`
	}
)

// stored settles of what file a command is. A folder that --data names and that is not
// there is a mistake in the call: else a slip of the pen would look like a society that
// has not begun. So is a file in its place.
func (c *Console) stored() (s config.Settings, path string, err error) {
	s, err = c.Settings()
	if err != nil {
		return s, "", err
	}
	if c.Flags.Data != nil {
		switch info, err := os.Stat(s.Data); {
		case errors.Is(err, fs.ErrNotExist):
			return s, "", UsageError{fmt.Errorf(c.Words.NoFolder, s.Data), c.Words.SeeHelp}
		case err == nil && !info.IsDir():
			return s, "", UsageError{fmt.Errorf(c.Words.FileNotFolder, s.Data), c.Words.NameFolder}
		}
	}
	path, err = c.Place(s)
	return s, path, err
}

// Place is the file of the session that the settings name. An error is a UsageError.
func (c *Console) Place(s config.Settings) (string, error) {
	path, err := setup.Store(s)
	if p, ok := errors.AsType[*session.Problem](err); ok && p.Why == session.Taken {
		err = fmt.Errorf(c.Words.Alike, p.Name, p.Other)
	}
	if err != nil {
		return "", UsageError{err, c.Words.SeeHelp}
	}
	return path, nil
}

// MovedAside says that a damaged store lies elsewhere now, and how to get at it.
func (c *Console) MovedAside(to string, s config.Settings) string {
	flag := ""
	if s.Session != session.Default {
		flag = " --session " + s.Session
	}
	return fmt.Sprintf(c.Words.MovedAside, to, flag)
}

// Run verifies the store. Where nothing is stored nothing is wrong.
func (checkCommand) Run(c *Console) error {
	_, path, err := c.stored()
	if err != nil {
		return err
	}
	err = sessions.Check(path)
	switch {
	case errors.Is(err, sessions.ErrNothing):
		c.Say(c.Out, c.Words.NothingStored+"\n", path)
	case err != nil:
		return c.Refused(err, path, c.Words.NotChecked)
	default:
		c.Say(c.Out, c.Words.Sound+"\n", path)
	}
	return nil
}

// Run copies the store.
func (b backupCommand) Run(c *Console) error {
	_, path, err := c.stored()
	if err != nil {
		return err
	}
	ctx, stop := untilFirstSignal()
	defer stop()
	written, err := sessions.Backup(ctx, path, b.File)
	if err != nil {
		return c.Refused(err, path, c.Words.NotCopied)
	}
	c.Say(c.Out, "%s\n", written)
	return nil
}

// Run gives back the space of what was deleted.
func (compactCommand) Run(c *Console) error {
	_, path, err := c.stored()
	if err != nil {
		return err
	}
	after, before, err := sessions.Compact(path)
	if err != nil {
		return c.Refused(err, path, c.Words.NotChanged)
	}
	c.Say(c.Out, c.Words.Compacted+"\n", after, before.Bytes())
	return nil
}

// Run writes the society out.
func (e exportCommand) Run(c *Console) error {
	s, path, err := c.stored()
	if err != nil {
		return err
	}
	if e.Org && e.Format != sessions.JSON {
		return UsageError{errors.New(c.Words.OrgIsJSON), c.Words.SeeHelp}
	}
	ctx := context.Background()
	if e.Out != "" { // else nothing is left behind, and whoever reads may make us wait
		var stop context.CancelFunc
		ctx, stop = untilFirstSignal()
		defer stop()
	}
	written, err := sessions.Export{
		From: e.From, Agent: society.AgentID(e.Agent), Org: e.Org, Format: e.Format, Out: e.Out, Redact: c.redactor.Redact,
		Lang: protocol.Lang(s.Language()),
	}.Write(ctx, path, c.Out)
	if err != nil {
		return c.Refused(c.nobody(err, society.AgentID(e.Agent)), path, c.Words.NotWritten)
	}
	if written.Path != "" {
		c.Say(c.Out, "%s\n", written)
	}
	return nil
}

// Run reads a society in. The folder it goes to need not be there.
func (i importCommand) Run(c *Console) error {
	s, err := c.Settings()
	if err != nil {
		return err
	}
	path, err := c.Place(s)
	if err != nil {
		return err
	}
	lost, err := sessions.Import(path, i.File, protocol.Lang(s.Language()))
	if err != nil {
		return c.Refused(err, path, c.Words.NotReadIn)
	}
	c.Say(c.Out, "%s\n", c.readIn(path, lost))
	return nil
}

// shown is how many losses are named.
const shown = 30

func (c *Console) readIn(path string, lost []error) string {
	if len(lost) == 0 {
		return fmt.Sprintf(c.Words.ReadIn, path)
	}
	lines := []string{fmt.Sprintf(c.Words.ReadInPart, path, len(lost))}
	for _, err := range lost[:min(len(lost), shown)] {
		lines = append(lines, err.Error())
	}
	if len(lost) > shown {
		lines = append(lines, fmt.Sprintf(c.Words.AndMore, len(lost)-shown))
	}
	return strings.Join(lines, "\n  ")
}
