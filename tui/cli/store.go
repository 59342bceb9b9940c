package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"society-tui/runtime/archive"
	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/runtime/suggest"
)

type (
	checkCommand   struct{}
	compactCommand struct{}
	backupCommand  struct {
		File string `arg:"" values:"files" help:"The new file." zh:"新文件。"`
	}
	exportCommand struct {
		Agent  string `values:"agents" placeholder:"AGENT" xor:"what" help:"Export only this agent, an id or a name, and its subtree." zh:"只导出此智能体（ID 或名称）及其下级。"`
		Org    bool   `xor:"what" help:"Export only the organisation: roles, agents, terminations and contacts." zh:"只导出组织：角色、智能体、终止记录和联系人。"`
		Format string `enum:"json,markdown,md" default:"json" help:"Format: json or markdown, also md (${default})." zh:"格式：json 或 markdown，也可写 md（${default}）。"`
		Out    string `values:"files" placeholder:"FILE" help:"Write to this new file instead of standard output." zh:"写入此新文件，而不是标准输出。"`
		From   string `values:"files" placeholder:"FILE" help:"Export this backup instead of the session." zh:"导出此备份，而不是会话。"`
	}
	importCommand struct {
		File string `arg:"" values:"files" help:"The file to import; - reads standard input." zh:"要导入的文件；- 从标准输入读取。"`
	}
)

// stored returns the store's file for a command. A missing folder of --data, or
// a file in its place, is a usage error: otherwise a typo would look like an
// empty society.
func (c *console) stored() (s config.Settings, path string, err error) {
	s, err = c.settings()
	if err != nil {
		return s, "", err
	}
	if err := c.dataIsThere(s); err != nil {
		return s, "", err
	}
	path, err = c.storeFile(s)
	return s, path, err
}

// dataIsThere returns a usageError if --data names no folder that is there.
func (c *console) dataIsThere(s config.Settings) error {
	if c.line.Data == nil {
		return nil
	}
	if _, err := os.Stat(s.Data); errors.Is(err, fs.ErrNotExist) {
		return usageError{errors.New(c.text(textNoFolder, s.Data)), c.seeHelp()}
	}
	return c.dataIsFolder(s)
}

// dataIsFolder returns a usageError if --data names a file.
func (c *console) dataIsFolder(s config.Settings) error {
	if c.line.Data == nil {
		return nil
	}
	if info, err := os.Stat(s.Data); err == nil && !info.IsDir() {
		return usageError{errors.New(c.text(textFileNotFolder, s.Data)), c.text(textNameFolder)}
	}
	return nil
}

// storeFile returns the file of the session in the settings. An error is a
// usageError.
func (c *console) storeFile(s config.Settings) (string, error) {
	if err := c.dataIsFolder(s); err != nil {
		return "", err
	}
	path, err := sessions.Folder{Path: s.Data}.Place(s.Session)
	if p, ok := errors.AsType[*session.Problem](err); ok && p.Why == session.Taken {
		err = errors.New(c.text(textAlike, p.Name, p.Other))
	}
	if err != nil {
		return "", usageError{err, c.seeHelp()}
	}
	return path, nil
}

// newSessionNote tells that the session of the settings will begin while others are there: its
// name may be mistyped.
func (c *console) newSessionNote(s config.Settings) []string {
	there, _ := sessions.Folder{Path: s.Data}.List() // opening the file reports why the folder cannot be read
	var names []string
	for _, t := range there {
		names = append(names, t.Name)
	}
	if s.Session == session.Default || len(names) == 0 || slices.Contains(names, s.Session) {
		return nil
	}
	if near := suggest.Nearest(s.Session, names); near != "" {
		return []string{c.text(textNewMeant, s.Session, near)}
	}
	return []string{c.text(textNewSession, s.Session)}
}

// movedAside reports where a damaged store was moved, and how to read it.
func (c *console) movedAside(to string, s config.Settings) string {
	return c.text(textMovedAside, quoted(to), opener{c: c, s: s}.command(s.Session, "import"))
}

// movedAsideAndGoesOn is movedAside for a new society that is at work before anybody can
// import into it.
func (c *console) movedAsideAndGoesOn(to string, s config.Settings) string {
	return c.text(textMovedGoesOn, to, opener{c: c, s: s}.command("recovered", "import"), quoted(to))
}

// Run verifies the store. An empty one is sound, but one that the user names is there.
func (checkCommand) Run(c *console) error {
	_, path, err := c.stored()
	if err != nil {
		return err
	}
	err = sessions.Check(path)
	switch {
	case errors.Is(err, sessions.ErrNothing) && c.found.Session == session.Default:
		c.say(c.out, c.text(textNothingStored)+"\n", path)
	case err != nil:
		return c.refused(err, path, c.text(textNotChecked, c.command("quit")))
	default:
		c.say(c.out, c.text(textSound)+"\n", path)
	}
	return nil
}

// Run copies the store.
func (b backupCommand) Run(c *console) error {
	s, path, err := c.stored()
	if err != nil {
		return err
	}
	ctx, stop := untilFirstSignal()
	defer stop()
	written, err := sessions.Backup(ctx, path, b.File)
	if client := c.holder(ctx, s, err); client != nil {
		defer client.Close()
		written, err = backupOf(ctx, client, b.File)
	}
	if err != nil {
		return c.refused(err, path, c.text(textNotCopied))
	}
	c.say(c.out, "%s\n", written)
	c.sayLost(written)
	return nil
}

// sayLost warns of what is missing in a copy because it was lost before.
func (c *console) sayLost(w sessions.Written) {
	if w.Lost > 0 {
		c.say(c.err, "%s\n", c.text(textLost, w.Lost, w.Path, c.command("check")))
	}
}

// Run shrinks the store's file.
func (compactCommand) Run(c *console) error {
	_, path, err := c.stored()
	if err != nil {
		return err
	}
	after, before, err := sessions.Compact(path)
	if err != nil {
		return c.refused(err, path, c.text(textNotChanged, c.command("quit")))
	}
	c.say(c.out, c.text(textCompacted)+"\n", after, before.Bytes())
	return nil
}

// Run exports the society.
func (e exportCommand) Run(c *console) error {
	s, path, err := c.stored()
	if err != nil {
		return err
	}
	if e.Format == "md" { // as /export calls it
		e.Format = sessions.Markdown
	}
	if e.Org && e.Format != sessions.JSON {
		return usageError{errors.New(c.text(textOrgIsJSON)), c.seeHelp()}
	}
	ctx := context.Background()
	if e.Out != "" { // without a file there is nothing to clean up, and a slow reader may block
		var stop context.CancelFunc
		ctx, stop = untilFirstSignal()
		defer stop()
	}
	export := sessions.Export{
		From: e.From, Agent: society.AgentID(e.Agent), Org: e.Org, Format: e.Format, Out: e.Out, Redact: c.redactor.Redact,
		Lang: protocol.Lang(s.Language()),
	}
	written, err := export.Write(ctx, path, c.out)
	if errors.Is(err, archive.ErrNobody) {
		if export.Agent, err = c.storedAgent(cmp.Or(e.From, path), e.Agent); err != nil {
			return err
		}
		written, err = export.Write(ctx, path, c.out)
	}
	if e.From == "" {
		if client := c.holder(ctx, s, err); client != nil {
			defer client.Close()
			written, err = c.exportOf(ctx, client, export)
		}
	}
	if err != nil {
		return c.refused(err, path, c.text(textNotWritten))
	}
	if written.Path != "" {
		c.say(c.out, "%s\n", written)
	}
	c.sayLost(written)
	return nil
}

// Run imports a society. The target folder need not exist.
func (i importCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	path, err := c.storeFile(s)
	if err != nil {
		return err
	}
	file := i.File
	if file == "-" {
		if file, err = c.keptInput(); err != nil {
			return c.refused(err, path, "")
		}
		defer os.Remove(file)
	}
	lost, err := sessions.Import(path, file, protocol.Lang(s.Language()))
	if refusal, ok := errors.AsType[*sessions.Refusal](err); ok && file != i.File && refusal.Path == file {
		refusal.Path = c.text(textStandardInput)
	}
	if err != nil {
		return c.refused(err, path, c.text(textNotReadIn, c.command("quit")))
	}
	c.say(c.out, "%s\n", c.readIn(path, lost))
	return nil
}

// keptInput writes standard input to a file, because an import reads it more than once.
func (c *console) keptInput() (path string, err error) {
	file, err := os.CreateTemp("", "society-tui-import-*")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(file, c.in)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, os.Remove(file.Name()))
	}
	return file.Name(), nil
}

// maxLosses is how many losses of an import are listed.
const maxLosses = 30

func (c *console) readIn(path string, lost []error) string {
	if len(lost) == 0 {
		return c.text(textReadIn, path)
	}
	lines := []string{c.text(textReadInPart, path, len(lost))}
	for _, err := range lost[:min(len(lost), maxLosses)] {
		lines = append(lines, err.Error())
	}
	if len(lost) > maxLosses {
		lines = append(lines, c.text(textAndMore, len(lost)-maxLosses))
	}
	return strings.Join(lines, "\n  ")
}
