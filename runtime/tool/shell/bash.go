package shell

import (
	"context"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/protocol"
	"society-tui/runtime/shellwords"
	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

// Bounds of a call.
const (
	commandMost    = 64 << 10 // bytes: what the system takes as one argument is not much more
	defaultTimeout = 120      // seconds
	timeoutMost    = 600      // and the default of builds
)

// bash is the tool that runs a command.
type bash struct{ *Shell }

func (t bash) Spec(lang protocol.Lang) tool.Spec { return t.bashSpec(lang) }

// A request is a call of bash, checked.
type request struct {
	Command    string
	Timeout    *float64
	Workdir    string
	Background bool
	Outside    bool
	Why        string

	by      tool.Caller
	in      *workspace.Folder
	dir     string // of the folder, as in tool.Change
	seconds int
	words   tool.Command
	common  string // the folder that git keeps for all worktrees, "" outside of one
	above   repositoryAbove
}

// read reads and checks a call. A [tool.Failure] is the result of a call that is wrong.
func (s *Shell) read(by tool.Caller, args json.RawMessage) (*request, error) {
	spec := s.bashSpec(by.Lang)
	if why := spec.Check(args); why != nil {
		return nil, tool.Fail(by.Lang, "invalid_arguments", why)
	}
	r := &request{by: by}
	if err := spec.Read(args, r); err != nil {
		return nil, err
	}
	switch {
	case strings.TrimSpace(r.Command) == "":
		return nil, tool.Fail(by.Lang, "invalid_arguments", textEmpty)
	case len(r.Command) > commandMost:
		return nil, tool.Fail(by.Lang, "too_large", textTooLong.With(len(r.Command), commandMost))
	case strings.ContainsRune(r.Command, 0):
		return nil, tool.Fail(by.Lang, "invalid_arguments", textZero)
	case r.Timeout != nil && (*r.Timeout < 1 || *r.Timeout > timeoutMost):
		return nil, tool.Fail(by.Lang, "invalid_arguments", textBadTimeout.With(int(max(-1e9, min(1e9, *r.Timeout))), timeoutMost))
	case s.path == "":
		return nil, tool.Fail(by.Lang, "no_shell", textNoShell)
	}
	r.words = shellwords.Parse(r.Command)
	switch {
	case r.Timeout != nil:
		r.seconds = int(*r.Timeout)
	case builds(r.words):
		r.seconds = timeoutMost
	default:
		r.seconds = defaultTimeout
	}
	var err error
	if r.in, err = s.c.Workspaces.Of(by.Task, by.Worktree); err != nil {
		return nil, tool.Fail(by.Lang, "no_workspace", textNoWorkspace.With(err))
	}
	r.dir = s.c.Workspaces.Name(by.Worktree)
	if by.Worktree != "" && s.c.Repository != nil {
		if r.common, err = s.c.Repository(by.Worktree); err != nil {
			return nil, tool.Fail(by.Lang, "no_workspace", textNoWorkspace.With(err))
		}
	}
	if r.Workdir, err = workdir(r.in, r.Workdir); err != nil {
		return nil, tool.Fail(by.Lang, "bad_workdir", textBadWorkdir.With(r.Workdir, err.Error()))
	}
	r.Outside = r.Outside || !s.holds()
	r.above = r.findAbove()
	return r, nil
}

// builders are the calls that compile all they need when they are made for the first time: the
// caches of compilers are the commands' own, and empty then.
var builders = map[string][]string{
	"go":    {"build", "install", "test", "vet"},
	"cargo": {"bench", "build", "check", "clippy", "doc", "install", "test"},
}

// builds reports whether a command is one for which compilers may need longer than for others.
func builds(c tool.Command) bool {
	return slices.ContainsFunc(slices.Concat(c.Calls, c.Within), func(words []string) bool {
		return len(words) > 1 && slices.Contains(builders[words[0]], words[1])
	})
}

// workdir returns a folder of the workspace, from it on. One with its whole path is taken too,
// as models write it.
func workdir(in *workspace.Folder, name string) (string, error) {
	clean := name
	if filepath.IsAbs(name) {
		if inside, err := filepath.Rel(in.Dir(), name); err == nil && filepath.IsLocal(inside) {
			clean = inside
		}
	}
	clean, err := workspace.Clean(clean)
	if err != nil {
		return name, err
	}
	info, err := in.Stat(clean)
	if err == nil && !info.IsDir() {
		err = &workspace.Error{Code: workspace.NotFolder, Path: clean}
	}
	if err != nil {
		return name, err
	}
	return clean, nil
}

// Plan returns what would be run, and where.
func (t bash) Plan(_ context.Context, by tool.Caller, args json.RawMessage) (tool.Plan, error) {
	r, err := t.read(by, args)
	if err != nil {
		return tool.NotPlanned(err)
	}
	return tool.Plan{
		Summary: r.summary(), Preview: r.preview(t.holds()), Dir: r.dir, Why: r.Why,
		Target: tool.Target{Command: &r.words, Outside: r.Outside}, Hashes: r.place(),
	}, nil
}

// place is where a command runs, as a plan keeps it: a yes holds for no other.
func (r *request) place() map[string]string {
	held := "sandbox"
	if r.Outside {
		held = "outside"
	}
	return map[string]string{filepath.Join(r.in.Dir(), filepath.FromSlash(r.Workdir)): held}
}

// summaryMost bounds the command in one line about it, in characters.
const summaryMost = 200

// summary is the command on one line.
func (r *request) summary() string {
	line := []rune(strings.Join(strings.Fields(r.Command), " "))
	if len(line) > summaryMost {
		line = append(line[:summaryMost], '…')
	}
	return string(line)
}

// preview is where the command would run, on the first line, which no command can forge, and
// then the exact command.
func (r *request) preview(sandbox bool) string {
	var where []string
	if r.Workdir != "." {
		where = append(where, textIn.With(r.Workdir).In(r.by.Lang))
	}
	switch {
	case !sandbox:
		where = append(where, textNoSandbox.In(r.by.Lang))
	case r.Outside:
		where = append(where, textOutside.In(r.by.Lang))
	default:
		where = append(where, textInSandbox.In(r.by.Lang))
	}
	if r.Background {
		where = append(where, textBackground.In(r.by.Lang))
	}
	return "# " + strings.Join(where, " · ") + "\n" + r.Command
}

// Call runs the command.
func (t bash) Call(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	r, err := t.read(by, args)
	if err != nil {
		return tool.Failed(err)
	}
	if len(by.Hashes) > 0 && !maps.Equal(by.Hashes, r.place()) {
		return tool.Failed(tool.Fail(by.Lang, "stale", textElsewhere))
	}
	if by.ByRule && (!r.words.Plain || r.words.Quoted == "") {
		return tool.Failed(tool.Fail(by.Lang, "not_plain", textNotParsed))
	}
	if r.Background {
		return t.begin(ctx, r)
	}
	return t.foreground(ctx, r)
}

// script is what the shell is given: of a command that a rule has allowed the words that the
// rule was compared with.
func (r *request) script() string {
	if r.by.ByRule {
		return r.words.Quoted
	}
	return r.Command
}

func (r *request) timeout() time.Duration { return time.Duration(r.seconds) * time.Second }
