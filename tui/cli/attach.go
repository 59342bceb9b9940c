package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/text/width"

	"society-tui/runtime/api"
	"society-tui/runtime/apiclient"
	"society-tui/runtime/attach"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
	"society-tui/runtime/session"
	"society-tui/runtime/sshproxy"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
)

type attachCommand struct {
	To        string  `arg:"" optional:"" placeholder:"ssh://HOST" help:"A session on another machine: ssh://[USER@]HOST[:PORT][/SESSION]. Without it, the session of --data and --session." zh:"另一台机器上的会话：ssh://[用户@]主机[:端口][/会话]。省略时为 --data 和 --session 指定的会话。"`
	Socket    *string `values:"files" placeholder:"FILE" xor:"way" help:"Attach by this socket, such as one that ssh forwards. It needs --token-file." zh:"通过此套接字连接，例如由 ssh 转发的套接字。需要 --token-file。"`
	URL       *string `name:"url" placeholder:"http://127.0.0.1:PORT" xor:"way" help:"Attach by this port of this machine, such as one that ssh forwards. The token is sent there. It needs --token-file." zh:"通过本机的此端口连接，例如由 ssh 转发的端口。令牌会发送到那里。需要 --token-file。"`
	TokenFile *string `values:"files" placeholder:"FILE" help:"The token that society-tui token prints there, in a file that only you can read." zh:"存有对方 society-tui token 所输出令牌的文件，只有你可以读取。"`
	Look      bool    `help:"Only look: nothing can be changed from this screen." zh:"只查看：此界面不能作任何修改。"`
}

// Run shows a society that another process runs.
func (a attachCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	if c.line.NoAttach {
		return c.misuseOf(textNoAttachAtAll)
	}
	if err := c.onlyWhenOpened(textAttachOpensNothing.With()); err != nil {
		return err
	}
	leaveTerminal, err := c.enterTerminal(s.Plain)
	if err != nil {
		return err
	}
	log, notices := c.openLog(s)
	defer log.Close()
	signals, stopped := process.Listen()
	defer stopped()
	var w way
	var client *attach.Client
	asked, err := process.Begin(signals, func(ctx context.Context) (err error) {
		if w, err = a.way(ctx, c, s, log); err == nil {
			client, err = w.attachTo(ctx, attach.Config{Look: a.Look, Log: log.Logger})
		}
		return err
	})
	leaveTerminal() // ssh may have been ended while it asked for a password
	if asked {
		// After a second signal the connection may still be made, and client written.
		if !errors.Is(err, process.ErrForced) && client != nil {
			client.Close()
		}
		return exitError(exitCodes[outcomeInterrupted])
	}
	if err != nil {
		log.Info("not attached", "at", w.at, "err", err)
		return c.notAttached(w, s, err)
	}
	run := newAttachedRun(c, s, log, w, client, a.Look)
	run.screen.Notice = strings.Join(notices, " ")
	return run.run(Frontend{
		Plain: s.Plain, Signals: signals, In: c.in, Err: c.err, Terminal: terminal.New(c.in, c.out), LeaveTerminal: leaveTerminal,
		LogFile: log.Path, Say: c.say, Printer: c.printer,
	})
}

// way returns the way that the call names.
func (a attachCommand) way(ctx context.Context, c *console, s config.Settings, log *logfile.Log) (way, error) {
	forwarded := a.Socket != nil || a.URL != nil
	switch {
	case a.To != "" && forwarded, a.To != "" && a.TokenFile != nil:
		return way{}, c.misuseOf(textOneWay)
	case forwarded && a.TokenFile == nil, !forwarded && a.TokenFile != nil:
		return way{}, c.misuseOf(textNeedsTokenFile)
	case a.Socket != nil:
		return c.wayBySocket(*a.Socket, *a.TokenFile)
	case a.URL != nil:
		return c.wayByURL(*a.URL, *a.TokenFile)
	case a.To == "":
		if err := c.dataIsThere(s); err != nil {
			return way{}, err
		}
		return c.wayHere(ctx, s)
	}
	if session.Check(a.To) == nil {
		return way{}, usageError{textNoAddress.With(a.To), c.text(textAttachWith, opener{c: c, s: s}.command(a.To, "attach"))}
	}
	to, err := sshproxy.Parse(a.To)
	if err == nil && to.Session != "" && c.line.Session != nil && *c.line.Session != to.Session {
		err = textTwoSessions.With()
	}
	if err != nil {
		return way{}, usageError{err, c.seeHelp()}
	}
	r := sshproxy.Remote{Address: to, Errors: saying{c}, KeepInterrupts: s.Plain, Log: log.Logger}
	if to.Session == "" && c.line.Session != nil {
		r.Session = s.Session // which is checked
	}
	if c.line.Data != nil {
		r.Data = *c.line.Data
	}
	return c.wayBySSH(ctx, r)
}

// A saying writes to the user's standard error what others print.
type saying struct{ *console }

func (s saying) Write(p []byte) (int, error) {
	s.say(s.err, "%s", bytes.ReplaceAll(p, []byte("\r"), nil))
	return len(p), nil
}

// notAttached explains why a screen cannot attach, or opens the session here after the user
// has ended a program that is incompatible.
func (c *console) notAttached(w way, s config.Settings, err error) error {
	incompatible, ok := errors.AsType[*attachapi.Incompatible](err)
	switch {
	case ok && !w.here:
		return w.otherVersion(s.Session, incompatible)
	case ok && c.endThere(w, s, incompatible):
		return c.openScreen(endPatience)
	case ok:
		return exitError(1)
	}
	return w.explain(err)
}

// endPatience is how long a program may take to end.
const endPatience = 40 * time.Second

// leavingTime is how long a program takes to leave at most, as in package process, and
// closingTime how long its store may be open when it is not reached any more.
const (
	leavingTime = 30 * time.Second
	closingTime = 3 * time.Second
)

// endThere asks whether to end a program whose protocol is another, and begins that.
func (c *console) endThere(w way, s config.Settings, found *attachapi.Incompatible) bool {
	c.say(c.err, "society-tui: %s\n", c.inWords(w.otherVersion(s.Session, found)))
	if !term.IsTerminal(c.in.Fd()) || !c.confirmed(c.text(textEndThere)) {
		c.say(c.err, "society-tui: %s\n", c.text(textLeftAlone, s.Session))
		return false
	}
	client := apiclient.New(w.dial, w.token())
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), connectPatience)
	defer cancel()
	if err := client.Post(ctx, "/api/quit", struct{}{}, new(struct{})); err != nil {
		c.say(c.err, "society-tui: %s\n", c.inWords(textNotEnded.With(s.Session, explained(err))))
		return false
	}
	c.say(c.err, "society-tui: %s\n", c.text(textAwaitsEnd, s.Session))
	return true
}

// confirmed asks a question at the terminal. It reads a line, and no more.
func (c *console) confirmed(question string) bool {
	c.say(c.err, "%s ", question)
	var line []byte
	for piece := make([]byte, 1); len(line) < 100; {
		n, err := c.in.Read(piece)
		if n == 0 || err != nil || piece[0] == '\n' {
			break
		}
		line = append(line, piece[0])
	}
	switch strings.ToLower(strings.TrimSpace(width.Fold.String(string(line)))) {
	case "y", "yes", "是", "好":
		return true
	}
	return false
}

// onlyWhenOpened refuses the flags that count only when a session is opened. why says that
// it is not.
func (c *console) onlyWhenOpened(why *i18n.Message) error {
	var names, hints []string
	for _, flag := range []struct {
		name  string
		given bool
		there string // the command that changes it on an attached screen, "" for none
	}{
		{"--template", c.line.Template != nil, "/template"},
		{"--model", c.line.Model != nil, "/models"},
		{"--mode", c.line.Mode != nil, "/mode"},
		{"--allow", len(c.line.Allow) > 0, "/rule"},
		{"--paused", c.line.Paused, "/pause"},
		{"--demo", c.line.Demo, ""},
		{"--http", c.line.HTTP != nil, ""},
	} {
		if !flag.given {
			continue
		}
		names = append(names, flag.name)
		hint := c.text(textNotChangedThere, c.command("quit"))
		if flag.there != "" {
			hint = c.text(textChangedThere, flag.there)
		}
		hints = append(hints, hint)
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		return usageError{textCountsWhenOpened.With(names[0], why), hints[0]}
	}
	for i := range hints {
		hints[i] = c.text(textOfAnswer, names[i], hints[i])
	}
	return usageError{textCountWhenOpened.With(i18n.List(names), why), strings.Join(hints, "\n")}
}

// worksThere refuses a --workspace that is not the folder of a session that is open already.
func (c *console) worksThere(s config.Settings) error {
	if c.line.Workspace == nil {
		return nil
	}
	without := c.sources
	without.Flags = slices.DeleteFunc(slices.Clone(c.sources.Flags), func(f config.Flag) bool { return f.Key == "workspace" })
	there, err := config.Load(without)
	if err != nil || there.Workspace == s.Workspace { // without the flag, any other mistake is reported
		return nil
	}
	return usageError{
		textCountsWhenOpened.With("--workspace", textAsksThere.With(s.Session)),
		c.text(textWorksThere, workspaceOf(there, s.Session).Dir) + "\n" + c.text(textNotChangedThere, c.command("quit")),
	}
}

// attachInstead attaches to a session that is open elsewhere; refused is why it was not
// opened. If wait is set, the other program ends, or may, and the session is to be opened
// within that time.
func (f *firstSession) attachInstead(refused error) (client *attach.Client, w way, wait time.Duration, err error) {
	c, s := f.c, f.s
	ctx, cancel := context.WithTimeout(context.Background(), connectPatience)
	defer cancel()
	if w, err = c.wayHere(ctx, s); err == nil {
		client, err = w.attachTo(ctx, attach.Config{Log: f.log.Logger})
	}
	incompatible, other := errors.AsType[*attachapi.Incompatible](err)
	switch {
	case other && c.endThere(w, s, incompatible):
		return nil, w, endPatience, nil
	case other:
		return nil, w, 0, exitError(1)
	case errors.Is(err, api.ErrLeaving):
		c.say(c.err, "society-tui: %s\n", c.text(textBeingSaved, s.Session, int(leavingTime/time.Second)))
		return nil, w, endPatience, nil
	case errors.Is(err, errNotOpen):
		wait = closingTime
		err = textNoSocketThere.With()
	}
	if err != nil {
		f.log.Info("not attached", "err", err)
		return nil, w, wait, fmt.Errorf("%w\n%s", refused, c.inWords(textNorAttached.With(w.explain(err))))
	}
	if err := c.onlyWhenOpened(textIsOpen.With(s.Session)); err != nil {
		client.Close()
		if misuse, ok := errors.AsType[usageError](err); ok { // the same command has opened the session
			misuse.hint += "\n" + c.text(textAttachWith, f.command(s.Session, "attach"))
			err = misuse
		}
		return nil, w, 0, err
	}
	return client, w, 0, nil
}

// attached returns the run of a client instead of the session.
func (f *firstSession) attached(w way, client *attach.Client) *attachedRun {
	run := newAttachedRun(f.c, f.s, f.log, w, client, false)
	run.screen.Notice = strings.Join(f.notices, " ")
	return run
}
