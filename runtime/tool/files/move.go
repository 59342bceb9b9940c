package files

import (
	"context"
	"fmt"
	"path"
	"strings"

	"society-tui/runtime/workspace"
)

const (
	filesMost = 200      // files that one call moves or deletes
	oldMost   = 16 << 20 // bytes of old contents that one call keeps
)

// below returns the files and folders at a path. Links and what is no file are refused.
func (c *call) below(ctx context.Context, name string) (files []fileChange, folders []string, err error) {
	info, err := c.in.Stat(name)
	if err != nil {
		return nil, nil, err
	}
	kept := 0
	add := func(name string) error {
		if len(files) == filesMost {
			return c.fail("too_many", textTooManyFiles, filesMost)
		}
		f := fileChange{name: name}
		sum, err := c.in.Sum(ctx, name, int64(oldMost-kept))
		f.before, f.old, f.mode = sum.Hash, sum.Content, sum.Mode
		kept += len(f.old)
		files = append(files, f)
		return err
	}
	if !info.IsDir() {
		return files, nil, func() error { err := add(name); return err }()
	}
	folders = []string{name}
	err = c.in.Walk(ctx, name, true, func(e workspace.Entry) error {
		switch {
		case e.Info.IsDir():
			folders = append(folders, e.Name)
			if len(folders) > 5*filesMost {
				return c.fail("too_many", textTooManyFiles, filesMost)
			}
			return nil
		case !e.Info.Type().IsRegular():
			_, err := c.in.Stat(e.Name) // says what it is
			return err
		}
		return add(e.Name)
	})
	return files, folders, err
}

// move is the tool move.
func move(ctx context.Context, c *call) (*change, error) {
	var args struct{ From, To string }
	if err := c.read(&args); err != nil {
		return nil, err
	}
	from, err := c.clean(args.From)
	if err != nil {
		return nil, err
	}
	to, err := c.clean(args.To)
	if err != nil {
		return nil, err
	}
	if from == "." || to == "." || from == to || strings.HasPrefix(to, from+"/") {
		return nil, c.fail("invalid_arguments", textMoveInto, from, to)
	}
	if _, err := c.in.Stat(to); err == nil {
		return nil, c.fail("exists", textExists, to)
	} else if workspace.CodeOf(err) != workspace.NotFound {
		return nil, err
	}
	files, _, err := c.below(ctx, from)
	if err != nil {
		return nil, err
	}
	ch := &change{moves: [2]string{from, to}, summary: fmt.Sprintf("%s → %s", from, to)}
	for _, f := range files {
		there := fileChange{name: path.Join(to, strings.TrimPrefix(f.name, from)), after: f.before, mode: f.mode}
		there.diff = fmt.Sprintf("rename from %s\nrename to %s\n", oneLine(f.name), oneLine(there.name))
		f.diff = there.diff
		ch.files = append(ch.files, f, there)
	}
	ch.summary = c.several(ch.summary, len(files))
	ch.preview = names(files)
	ch.result = ch.summary
	return ch, nil
}

// remove is the tool delete.
func remove(ctx context.Context, c *call) (*change, error) {
	var args struct {
		Path      string
		Recursive bool
	}
	if err := c.read(&args); err != nil {
		return nil, err
	}
	name, err := c.clean(args.Path)
	if err != nil {
		return nil, err
	}
	if name == "." {
		return nil, c.fail("is_root", textIsRoot)
	}
	files, folders, err := c.below(ctx, name)
	if err != nil {
		return nil, err
	}
	if len(files)+len(folders) > 1 && !args.Recursive {
		return nil, c.fail("not_empty", textNotEmpty, name, len(files))
	}
	ch := &change{files: files, folders: folders}
	ch.summary = c.several(name, len(files))
	ch.preview = names(files)
	ch.result = textDelete.With(ch.summary).In(c.lang)
	return ch, nil
}

func (c *call) several(summary string, n int) string {
	if n == 1 {
		return summary
	}
	return textSeveral.With(summary, n).In(c.lang)
}

func names(files []fileChange) string {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintln(&b, oneLine(f.name))
	}
	return b.String()
}
