package files

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

// A change is what a call would do to files.
type change struct {
	files   []fileChange
	folders []string // to be removed when their files are, a folder before those in it
	moves   [2]string
	summary string
	preview string
	result  string
}

// A fileChange is what happens to one file. An empty hash is a file that does not exist.
type fileChange struct {
	name          string
	before, after string // hashes
	old, content  []byte // old is nil where it is too much to be kept
	mode          fs.FileMode
	diff          string
}

// A planner is a tool that changes files.
type planner struct {
	spec    func(words) tool.Spec
	prepare func(context.Context, *call) (*change, error)
	set     *workspace.Set
}

func (t planner) Spec(lang protocol.Lang) tool.Spec { return t.spec(words{lang}) }

// Plan finds out what the call would change.
func (t planner) Plan(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Plan, error) {
	c, err := newCall(t.set, t.spec, by, args)
	if err != nil {
		return tool.NotPlanned(err)
	}
	ch, err := t.prepare(ctx, c)
	if err != nil {
		return tool.NotPlanned(c.told(err))
	}
	p := tool.Plan{Summary: ch.summary, Preview: ch.preview, Hashes: map[string]string{}, Dir: c.dir}
	for _, f := range ch.files {
		p.Paths = append(p.Paths, tool.Path{Name: f.name, Protected: workspace.Protected(f.name)})
		p.Hashes[f.name] = f.before
	}
	paths, err := c.paths()
	if err != nil {
		return tool.NotPlanned(c.told(err))
	}
	for _, name := range paths {
		if !slices.ContainsFunc(p.Paths, func(p tool.Path) bool { return p.Name == name }) {
			p.Paths = append(p.Paths, tool.Path{Name: name, Protected: workspace.Protected(name)})
		}
	}
	return p, nil
}

// paths returns the paths that a call names.
func (c *call) paths() (paths []string, err error) {
	var args struct{ Path, From, To string }
	if err := c.read(&args); err != nil {
		return nil, err
	}
	for _, name := range []string{args.Path, args.From, args.To} {
		if name == "" {
			continue
		}
		if name, err = c.clean(name); err != nil {
			return nil, err
		}
		paths = append(paths, name)
	}
	return paths, nil
}

// Call changes the files if they are as the plan found them.
func (t planner) Call(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	c, err := newCall(t.set, t.spec, by, args)
	if err != nil {
		return tool.Failed(err)
	}
	paths, err := c.paths()
	if err != nil {
		return tool.Failed(c.told(err))
	}
	release, err := c.in.Lock(ctx, paths...)
	if err != nil {
		return tool.Result{}, fmt.Errorf("wait for other changes: %w", err)
	}
	defer release()
	ch, err := t.prepare(ctx, c)
	if err != nil {
		return tool.Failed(c.told(err))
	}
	if why := c.notPlanned(ch); why != nil {
		return tool.Failed(why)
	}
	done, err := c.carryOut(ctx, ch)
	result := tool.Result{Text: ch.result, Changes: done}
	if err != nil {
		if result.Text = c.told(err).Error(); len(done) > 0 {
			result.Text = c.fail("partly_done", textPartlyDone, len(done), err.Error()).Error()
		}
		result.Failed = true
	}
	return result, nil
}

// notPlanned returns why a change is not the one that was allowed, nil if it is.
func (c *call) notPlanned(ch *change) error {
	if c.Hashes == nil {
		return nil
	}
	now := map[string]string{}
	for _, f := range ch.files {
		now[f.name] = f.before
	}
	if maps.Equal(now, c.Hashes) {
		return nil
	}
	for _, f := range ch.files {
		if was, planned := c.Hashes[f.name]; !planned || was != f.before {
			return c.stale(f.name, workspace.File{Content: f.old, Hash: f.before}, was)
		}
	}
	return c.fail("stale", textStaleFolder)
}

// carryOut changes the files and returns those that are changed, also when it stops at
// an error.
func (c *call) carryOut(ctx context.Context, ch *change) (done []tool.Change, err error) {
	if ch.moves[0] != "" {
		if err := c.in.Move(ctx, ch.moves[0], ch.moves[1]); err != nil {
			return nil, err
		}
		for _, f := range ch.files {
			done = append(done, c.changed(f))
		}
		return done, nil
	}
	for _, f := range ch.files {
		if f.after == "" {
			err = c.in.Remove(ctx, f.name)
		} else {
			err = c.in.Write(ctx, f.name, f.content, f.mode)
		}
		if err != nil {
			return done, err
		}
		done = append(done, c.changed(f))
	}
	return done, c.in.RemoveEmpty(ctx, ch.folders)
}

func (c *call) changed(f fileChange) tool.Change {
	c.in.See(c.Agent, f.name, f.content, f.after)
	c.in.Changed(c.Agent, f.name)
	c.in.Edited(f.name, f.after)
	done := tool.Change{
		Path: f.name, Before: f.before, After: f.after, Mode: uint32(f.mode), Old: f.old, Dir: c.dir, Diff: bounded(f.diff, tool.DiffLimit, c.lang),
	}
	switch {
	case f.diff != "":
		done.Added, done.Removed = counted(f.diff)
	case f.after == "" && f.old != nil && binary(f.old) == "":
		done.Removed = len(splitLines(string(f.old)))
	}
	return done
}

// current returns a file as it is, if the agent has seen it so. A file that does not exist
// has no hash.
func (c *call) current(name string) (workspace.File, error) {
	file, err := c.in.Read(name)
	if workspace.CodeOf(err) == workspace.NotFound {
		if was := c.Hashes[name]; was != "" {
			return file, c.stale(name, file, was)
		}
		return workspace.File{}, nil
	}
	if err != nil {
		return file, err
	}
	seen, ok := c.Hashes[name]
	if !ok {
		seen, ok = c.in.Seen(c.Agent, name)
	}
	switch {
	case !ok:
		return file, c.notRead(name, file)
	case seen != file.Hash:
		return file, c.stale(name, file, seen)
	}
	return file, nil
}

// unreadLines is how many lines of a file that was not read come with its refusal.
const unreadLines = 200

// notRead refuses to change a file that the agent has not seen, and shows it.
func (c *call) notRead(name string, file workspace.File) error {
	c.in.See(c.Agent, name, file.Content, file.Hash)
	if kind := binary(file.Content); kind != "" {
		return c.fail("not_read", textNotReadBinary, name, kind, len(file.Content))
	}
	lines := splitLines(string(file.Content))
	shown := min(len(lines), unreadLines)
	f := c.fail("not_read", textNotRead, name, shown, len(lines))
	f.Content = numbered(lines[:shown], 1)
	return f
}

// diffMost bounds a diff that is shown to a model, in bytes.
const diffMost = 16 << 10

// stale refuses to change a file that is no longer as the agent saw it, and shows how it
// is now.
func (c *call) stale(name string, file workspace.File, seen string) error {
	c.in.See(c.Agent, name, file.Content, file.Hash)
	f := c.fail("stale", textStale, name)
	if by := c.in.ChangedBy(name); by != "" && by != c.Agent {
		f = c.fail("stale", textStaleBy, name, by)
		f.ChangedBy = by
	}
	switch was := c.in.Content(seen); {
	case file.Hash == "":
		f.Message = textStaleGone.With(name).In(c.lang)
	case was != nil && binary(file.Content) == "":
		f.Diff = bounded(unified(name, string(was), string(file.Content)), diffMost, c.lang)
	case binary(file.Content) == "":
		lines := splitLines(string(file.Content))
		f.Content = numbered(lines[:min(len(lines), unreadLines)], 1)
	}
	return f
}

// replaced is the change of one file to a new content.
func (c *call) replaced(name string, file workspace.File, content []byte) *change {
	f := fileChange{name: name, before: file.Hash, old: file.Content, content: content, mode: file.Mode, after: workspace.Hash(content)}
	ch := &change{}
	diff := ""
	added, removed := 0, 0
	if kind := binary(content); kind == "" && binary(file.Content) == "" {
		diff = unified(name, string(file.Content), string(content))
		added, removed = counted(diff)
		ch.summary = fmt.Sprintf("%s +%d −%d", name, added, removed)
	} else {
		ch.summary = textBytes.With(name, len(content)).In(c.lang)
	}
	f.diff = diff
	ch.files = []fileChange{f}
	if file.Hash == "" {
		ch.summary = textNewFile.With(ch.summary).In(c.lang)
	}
	ch.preview = bounded(diff, tool.PreviewLimit, c.lang)
	ch.result = ch.summary
	return ch
}

// oneLine makes a name safe to stand in a line of a result.
func oneLine(name string) string { return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(name) }
