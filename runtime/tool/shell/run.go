package shell

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool"
)

// command is what the sandbox is asked to start.
func (s *Shell) command(r *request, output func([]byte)) sandbox.Command {
	args := []string{s.path}
	if s.name == "bash" {
		args = append(args, "--noprofile", "--norc")
	}
	c := sandbox.Command{
		Args: append(args, "-c", r.script()),
		Dir:  filepath.Join(r.in.Dir(), filepath.FromSlash(r.Workdir)),
		Env:  s.env(r.Outside), Output: output,
	}
	if r.Outside {
		return c
	}
	c.Restricted, c.Hide = true, s.c.Hide
	c.Write = []string{r.in.Dir(), s.scratch(false)}
	if r.common != "" {
		c.Write = append(c.Write, r.common)
	}
	c.Read = s.c.AlsoRead()
	if r.above.path != "" && !r.above.secret {
		c.Read = append(slices.Clone(c.Read), r.above.path)
	}
	return c
}

// start starts the command of a request.
func (s *Shell) start(ctx context.Context, r *request, output func([]byte)) (*sandbox.Process, error) {
	if err := s.prepare(); err != nil {
		return nil, err
	}
	return sandbox.Start(ctx, s.command(r, output))
}

// foreground runs a command and waits for its end.
func (s *Shell) foreground(ctx context.Context, r *request) (tool.Result, error) {
	out := newOutput(outputMost, r.by.Output)
	timed, cancel := context.WithTimeout(ctx, r.timeout())
	defer cancel()
	before := s.look(ctx, r)
	p, err := s.start(timed, r, func(piece []byte) { _, _ = out.Write(piece) })
	if err != nil {
		before.guard.restore(true)
		return tool.Failed(tool.Fail(r.by.Lang, "not_started", textNotStarted.With(err.Error())))
	}
	exit, err := before.guard.watch(p)
	ended := ending{exit: exit, err: err, timedOut: timed.Err() != nil && ctx.Err() == nil, cut: ctx.Err() != nil}
	text := []string{ended.head(r.by.Lang), out.text(r.by.Lang)}
	if strings.TrimSpace(text[1]) == "" {
		text[1] = textNoOutput.In(r.by.Lang)
	}
	text = append(text, ended.notes(r, text[1], p.Confined)...)
	changes, notes := before.compare(ctx)
	return tool.Result{
		Text: strings.Join(append(text, notes...), "\n"), Failed: err != nil || exit.Code != 0 || ended.timedOut, Changes: changes,
	}, nil
}

// An ending is how a command ended.
type ending struct {
	exit     sandbox.Exit
	err      error
	timedOut bool
	cut      bool
}

// head is the first line of a result.
func (e ending) head(lang protocol.Lang) string {
	took := i18n.Duration(e.exit.Took.Round(10 * time.Millisecond))
	switch {
	case e.err != nil:
		return e.err.Error()
	case e.exit.Signal != 0:
		return textSignal.With(e.exit.Signal.String(), took).In(lang)
	}
	return textExit.With(e.exit.Code, took).In(lang)
}

// denials are what programs write when the sandbox has refused something: of files the kernel tells
// nobody but them. unreachable is what they write when there is no network.
var (
	denials     = []string{"permission denied", "operation not permitted", "read-only file system", "eacces", "eperm"}
	unreachable = []string{
		"network is unreachable", "could not resolve host", "temporary failure in name resolution", "name or service not known",
		"address family not supported", "no such host", "enetunreach", "eai_again",
	}
)

// notes are what the model is told about the ending, under the output.
func (e ending) notes(r *request, output string, c sandbox.Confinement) (notes []string) {
	lang := r.by.Lang
	switch {
	case e.timedOut:
		notes = append(notes, textTimedOut.With(i18n.Duration(r.timeout()), timeoutMost).In(lang))
		if builds(r.words) {
			notes = append(notes, textBuiltSoFar.In(lang))
		}
	case e.cut:
		notes = append(notes, textCutShort.In(lang))
	}
	if !r.Outside && !e.cut && e.err == nil && e.wasBlocked(output) {
		notes = append(notes, blockedNote(lang, e.exit.Blocked, c))
	}
	if e.exit.Code != 0 && e.err == nil {
		notes = append(notes, r.aboveNote()...)
	}
	return notes
}

// wasBlocked reports whether the sandbox is probably why a command failed.
func (e ending) wasBlocked(output string) bool {
	said := strings.ToLower(output[max(0, len(output)-64<<10):])
	says := func(list []string) bool {
		return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(said, s) })
	}
	return says(unreachable) || e.exit.Code != 0 && (len(e.exit.Blocked) > 0 || says(denials))
}

func blockedNote(lang protocol.Lang, tried []sandbox.Act, c sandbox.Confinement) string {
	network, refused := textNoNetwork, ""
	if c.Loopback {
		network = textOwnLoopback
	}
	if len(tried) > 0 {
		names := make([]string, len(tried))
		for i, a := range tried {
			names[i] = acts[a].In(lang)
		}
		refused = textTried.With(i18n.Printer{Lang: lang}.List(names)).In(lang)
	}
	return textBlocked.With(network.In(lang), refused).In(lang)
}
