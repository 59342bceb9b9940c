package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"society-tui/runtime/picture"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

const (
	readLines   = 2000     // lines of a page, if the call does not say
	readBytes   = 32 << 10 // bytes of a page, if the caller does not say
	entriesMost = 1000     // lines of list and glob
	walkedMost  = 200_000  // files that one call looks at
)

// read is the tool read for files.
func read(_ context.Context, c *call) (string, error) {
	var args struct {
		Path          string
		Offset, Limit float64
	}
	if err := c.read(&args); err != nil {
		return "", err
	}
	name, err := c.clean(args.Path)
	if err != nil {
		return "", err
	}
	if info, err := c.in.Stat(name); err == nil && info.IsDir() {
		return "", c.fail("is_folder", textReadFolder, name)
	}
	file, err := c.in.Read(name)
	if err != nil {
		return "", err
	}
	if picture.Is(file.Content) {
		c.in.See(c.Agent, name, file.Content, file.Hash)
		c.image = &tool.Image{Name: name, Data: file.Content}
		return "", nil
	}
	if kind := binary(file.Content); kind != "" {
		return "", c.fail("binary", textBinary, name, kind, len(file.Content))
	}
	c.in.See(c.Agent, name, file.Content, file.Hash)
	lines := splitLines(string(file.Content))
	if len(lines) == 0 {
		return textEmptyFile.With(name).In(c.lang), nil
	}
	first := max(int(min(args.Offset, 1<<30)), 1)
	if first > len(lines) {
		return "", tool.Fail(c.lang, "invalid_arguments", protocol.Because(protocol.PastTheEnd, name, len(lines), first))
	}
	limit := readLines
	if args.Limit >= 1 {
		limit = int(min(args.Limit, 1<<30))
	}
	room := cmp.Or(c.Page, readBytes)
	var b strings.Builder
	last := first - 1
	for last < len(lines) && last-first+1 < limit {
		line := numbered(lines[last:last+1], last+1)
		if b.Len() > 0 && b.Len()+len(line) > room {
			break
		}
		b.WriteString(line)
		last++
	}
	head := protocol.Sentence(c.lang, protocol.LastLinesOf, first, last, len(lines))
	if last < len(lines) {
		head = protocol.Sentence(c.lang, protocol.LinesOf, first, last, len(lines), last+1)
	}
	return head + "\n" + b.String(), nil
}

// list is the tool list.
func list(ctx context.Context, c *call) (string, error) {
	var args struct {
		Path  string
		Depth float64
	}
	if err := c.read(&args); err != nil {
		return "", err
	}
	dir, err := c.clean(args.Path)
	if err != nil {
		return "", err
	}
	depth := max(int(min(args.Depth, 100)), 1)
	within := strings.Count(dir, "/") + 1
	if dir == "." {
		within = 0
	}
	var b strings.Builder
	n := 0
	err = c.in.Walk(ctx, dir, false, func(e workspace.Entry) error {
		if n++; n > entriesMost {
			return errEnough
		}
		if e.Info.IsDir() {
			fmt.Fprintf(&b, "%s/\n", oneLine(e.Name))
			if strings.Count(e.Name, "/")+1-within >= depth {
				return workspace.Skip
			}
			return nil
		}
		if info, err := e.Stat(); err == nil {
			fmt.Fprintf(&b, "%s  %d\n", oneLine(e.Name), info.Size())
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		b.WriteString(textMoreEntries.With(entriesMost).In(c.lang) + "\n")
	case err != nil:
		return "", err
	case b.Len() == 0:
		return textEmptyFolder.With(dir).In(c.lang), nil
	}
	return b.String(), nil
}

// errEnough ends a walk.
var errEnough = errors.New("enough")

// matcher returns what decides whether a path matches a glob. One without a slash is about
// the name alone.
func (c *call) matcher(pattern, dir string) (func(name string) bool, error) {
	pattern = strings.TrimPrefix(pattern, "./")
	if !doublestar.ValidatePattern(pattern) {
		return nil, c.fail("invalid_arguments", textBadGlob, pattern)
	}
	return func(name string) bool {
		if !strings.Contains(pattern, "/") {
			return doublestar.MatchUnvalidated(pattern, path.Base(name))
		}
		if dir != "." && doublestar.MatchUnvalidated(pattern, strings.TrimPrefix(name, dir+"/")) {
			return true
		}
		return doublestar.MatchUnvalidated(pattern, name)
	}, nil
}

// glob is the tool glob.
func glob(ctx context.Context, c *call) (string, error) {
	var args struct{ Pattern, Path string }
	if err := c.read(&args); err != nil {
		return "", err
	}
	dir, err := c.clean(args.Path)
	if err != nil {
		return "", err
	}
	matches, err := c.matcher(args.Pattern, dir)
	if err != nil {
		return "", err
	}
	type match struct {
		name string
		at   time.Time
	}
	var found []match
	walked := 0
	err = c.in.Walk(ctx, dir, false, func(e workspace.Entry) error {
		if walked++; walked > walkedMost {
			return errEnough
		}
		if e.Info.IsDir() || !matches(e.Name) {
			return nil
		}
		if info, err := e.Stat(); err == nil {
			found = append(found, match{e.Name, info.ModTime()})
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return "", err
	}
	if len(found) == 0 {
		return textNoFiles.With(args.Pattern).In(c.lang), nil
	}
	slices.SortStableFunc(found, func(a, b match) int { return b.at.Compare(a.at) })
	var b strings.Builder
	for _, m := range found[:min(len(found), entriesMost)] {
		fmt.Fprintln(&b, oneLine(m.name))
	}
	if len(found) > entriesMost {
		b.WriteString(textMoreEntries.With(entriesMost).In(c.lang) + "\n")
	}
	return b.String(), nil
}
