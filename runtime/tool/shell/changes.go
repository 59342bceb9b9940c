package shell

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/workspace"
)

// Bounds of listing what a command has changed.
const (
	walkMost     = 20_000 // files and folders of a workspace
	walkTime     = 2 * time.Second
	changesMost  = 1000     // that are recorded of one command
	oldMost      = 16 << 20 // bytes of old contents that are recorded of one command
	namedMost    = 30       // that its result names
	picturesMost = 8        // workspaces whose files are remembered from one command to the next
)

// A stamp is a file as it was seen. The hash is "" if it was not read. The content is that of a
// protected file: a command may change it without being asked, but not so that it cannot be undone.
type stamp struct {
	info    fs.FileInfo
	hash    string
	content []byte
}

// same reports whether a file is as it was, as far as can be told without reading it.
func (s stamp) same(info fs.FileInfo) bool {
	return os.SameFile(s.info, info) && s.info.Size() == info.Size() && s.info.ModTime().Equal(info.ModTime()) && s.info.Mode() == info.Mode()
}

// A picture is the files of a workspace at one moment, but for those that a .gitignore names.
type picture struct {
	dir   string
	files map[string]stamp
}

var errTooMany = errors.New("too many files")

// take walks a workspace, and reads what has changed since an earlier picture, as long as there
// is time. nil means that the workspace is too large.
func (s *Shell) take(ctx context.Context, in *workspace.Folder) *picture {
	ctx, cancel := context.WithTimeout(ctx, walkTime)
	defer cancel()
	reads := time.Now().Add(walkTime / 2)
	was := s.picture(in.Dir())
	now := &picture{dir: in.Dir(), files: make(map[string]stamp, len(was))}
	var room []byte
	walked, kept := 0, 0
	err := in.Walk(ctx, ".", false, func(e workspace.Entry) error {
		if walked++; walked > walkMost {
			return errTooMany
		}
		if e.Info.IsDir() {
			return nil
		}
		info, err := e.Stat()
		if err != nil {
			return nil // it has gone meanwhile
		}
		one := stamp{info: info}
		if before, ok := was[e.Name]; ok && before.same(info) {
			one.hash, one.content = before.hash, before.content
		}
		if one.hash == "" && time.Now().Before(reads) {
			if content, err := e.Read(workspace.LargestFile, room); err == nil {
				one.hash, room = workspace.Hash(content), content[:0]
				if workspace.Protected(e.Name) && kept+len(content) <= oldMost {
					one.content = bytes.Clone(content)
				}
			}
		}
		kept += len(one.content)
		now.files[e.Name] = one
		return nil
	})
	if err != nil {
		return nil
	}
	s.keep(now)
	return now
}

// picture returns the files of a workspace as they were seen last.
func (s *Shell) picture(dir string) map[string]stamp {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.pictures {
		if p.dir == dir {
			return p.files
		}
	}
	return nil
}

func (s *Shell) keep(now *picture) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pictures = append(slices.DeleteFunc(s.pictures, func(p *picture) bool { return p.dir == now.dir }), now)
	s.pictures = s.pictures[max(0, len(s.pictures)-picturesMost):]
}

// A look is the workspace before a command.
type look struct {
	s      *Shell
	r      *request
	before *picture // nil if it is too large
	guard  *watch
}

func (s *Shell) look(ctx context.Context, r *request) *look {
	return &look{s: s, r: r, before: s.take(ctx, r.in), guard: s.guard(r)}
}

// compare returns what has changed since, and what the model is told of it.
func (l *look) compare(ctx context.Context) (changes []tool.Change, notes []string) {
	ctx = context.WithoutCancel(ctx) // what was done stays done, whatever was cut short
	lang := l.r.by.Lang
	changes, notes = l.guard.putBacks(), l.guard.notes()
	var after *picture
	if l.before != nil {
		after = l.s.take(ctx, l.r.in)
	}
	if after == nil {
		return changes, append(notes, textChangesHidden.In(lang))
	}
	var names, protected []string
	more, old := 0, 0
	for _, name := range changed(l.before.files, after.files) {
		if len(changes) == changesMost {
			more++
			continue
		}
		c, ok := l.change(name, after.files[name], &old)
		if !ok {
			continue
		}
		changes = append(changes, c)
		if workspace.Protected(name) {
			protected = append(protected, name)
		}
		if len(names) < namedMost {
			names = append(names, name)
		} else {
			more++
		}
	}
	if len(names) > 0 {
		list := strings.Join(names, ", ")
		if more > 0 {
			list = textAndMore.With(list, more).In(lang)
		}
		notes = append(notes, textChangedFiles.With(list).In(lang))
	}
	if len(protected) > 0 {
		notes = append(notes, textProtected.With(listed(lang, protected)).In(lang))
	}
	return changes, notes
}

// changed returns the paths that differ between two pictures, in order.
func changed(before, after map[string]stamp) []string {
	names := map[string]struct{}{}
	for name, was := range before {
		now, there := after[name]
		if !there || !was.same(now.info) && (was.hash == "" || was.hash != now.hash) {
			names[name] = struct{}{}
		}
	}
	for name := range after {
		if _, there := before[name]; !there {
			names[name] = struct{}{}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// change describes what has become of a file. It is false if another agent was it, or if nothing
// has.
func (l *look) change(name string, now stamp, old *int) (tool.Change, bool) {
	in, agent := l.r.in, l.r.by.Agent
	was, there := l.before.files[name]
	c := tool.Change{Path: name, Dir: l.r.dir}
	if there {
		c.Before, c.Mode = was.hash, uint32(was.info.Mode().Perm())
		if c.Before == "" {
			c.Before = tool.UnknownContent
		}
		if c.Old = in.Content(was.hash); c.Old == nil {
			c.Old = was.content
		}
		if len(c.Old)+*old > oldMost {
			c.Old = nil
		}
		*old += len(c.Old)
	}
	var content []byte
	if now.info != nil {
		file, err := in.Read(name)
		if err != nil {
			return c, false // too large to be recorded, or gone again
		}
		content, c.After = file.Content, file.Hash
	}
	if c.Before == c.After {
		return c, false
	}
	if by := in.ChangedBy(name); by != "" && by != agent {
		if hash, ok := in.Seen(by, name); ok && hash == c.After {
			return c, false
		}
	}
	if _, saw := in.Seen(agent, name); saw { // its own change counts as seen
		in.See(agent, name, content, c.After)
	}
	in.Changed(agent, name)
	return files.Described(c, content, l.r.by.Lang), true
}
