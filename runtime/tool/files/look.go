package files

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"society-tui/runtime/protocol"
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
	if kind := binary(file.Content); kind != "" {
		return "", c.fail("binary", textBinary, name, kind, len(file.Content))
	}
	c.in.See(c.Agent, name, file.Content, file.Hash)
	lines := splitLines(string(file.Content))
	if len(lines) == 0 {
		return textEmptyFile.in(c.lang, name), nil
	}
	first := max(int(min(args.Offset, 1<<30)), 1)
	if first > len(lines) {
		return "", &failure{Code: "invalid_arguments", Message: protocol.Sentence(c.lang, protocol.PastTheEnd, name, len(lines), first)}
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
		b.WriteString(textMoreEntries.in(c.lang, entriesMost))
	case err != nil:
		return "", err
	case b.Len() == 0:
		return textEmptyFolder.in(c.lang, dir), nil
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
		return textNoFiles.in(c.lang, args.Pattern), nil
	}
	slices.SortStableFunc(found, func(a, b match) int { return b.at.Compare(a.at) })
	var b strings.Builder
	for _, m := range found[:min(len(found), entriesMost)] {
		fmt.Fprintln(&b, oneLine(m.name))
	}
	if len(found) > entriesMost {
		b.WriteString(textMoreEntries.in(c.lang, entriesMost))
	}
	return b.String(), nil
}

const (
	hitsMost    = 200
	contextMost = 20
	hitLine     = 500 // characters of a line
	grepTime    = 10 * time.Second
	grepMost    = 4 << 20 // bytes of a file
)

// grep is the tool grep.
func grep(ctx context.Context, c *call) (string, error) {
	var args struct {
		Pattern, Path, Glob, Mode string
		Context                   float64
		Literal                   bool
	}
	if err := c.read(&args); err != nil {
		return "", err
	}
	name, err := c.clean(args.Path)
	if err != nil {
		return "", err
	}
	re, err := c.pattern(args.Pattern, args.Literal)
	if err != nil {
		return "", err
	}
	s := search{re: re, mode: args.Mode, around: min(max(int(args.Context), 0), contextMost)}
	if info, err := c.in.Stat(name); err != nil {
		return "", err
	} else if !info.IsDir() {
		file, err := c.in.Read(name)
		if err != nil {
			return "", err
		}
		s.file(name, file.Content)
		return s.result(c, args.Pattern), nil
	}
	matches := func(string) bool { return true }
	if args.Glob != "" {
		if matches, err = c.matcher(args.Glob, name); err != nil {
			return "", err
		}
	}
	limited, cancel := context.WithTimeout(ctx, grepTime)
	defer cancel()
	err = c.in.Walk(limited, name, false, func(e workspace.Entry) error {
		if e.Info.IsDir() || !matches(e.Name) {
			return nil
		}
		content, err := e.Read(grepMost)
		if err != nil {
			return nil // gone, unreadable or too large: the search goes on
		}
		if s.file(e.Name, content); s.hits >= hitsMost {
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		s.late = true
	case err != nil && !errors.Is(err, errEnough):
		return "", err
	}
	return s.result(c, args.Pattern), nil
}

// pattern compiles what is searched for.
func (c *call) pattern(pattern string, literal bool) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, c.fail("invalid_arguments", textEmptyPattern)
	}
	if literal {
		return regexp.MustCompile(regexp.QuoteMeta(pattern)), nil
	}
	re, err := regexp.Compile("(?m)" + pattern)
	if wrong, ok := errors.AsType[*syntax.Error](err); ok {
		at := max(strings.Index(pattern, wrong.Expr), 0) + 1
		return nil, c.fail("invalid_pattern", textBadPattern, at, wrong.Expr, wrong.Code)
	}
	return re, err
}

// A search collects what is found.
type search struct {
	re     *regexp.Regexp
	mode   string
	around int // lines before and after a hit
	hits   int
	late   bool // the time was over
	out    strings.Builder
}

// file searches one file.
func (s *search) file(name string, content []byte) {
	if !s.re.Match(content) || binary(content) != "" {
		return
	}
	shown := oneLine(name)
	if s.mode == "files" {
		s.hits++
		fmt.Fprintln(&s.out, shown)
		return
	}
	var hits []int // lines, counted from 0
	line, counted := 0, 0
	for _, m := range s.re.FindAllIndex(content, -1) {
		line += bytes.Count(content[counted:m[0]], []byte("\n"))
		counted = m[0]
		if len(hits) == 0 || hits[len(hits)-1] != line {
			hits = append(hits, line)
		}
	}
	if s.mode == "count" {
		s.hits++
		fmt.Fprintf(&s.out, "%s:%d\n", shown, len(hits))
		return
	}
	hits = hits[:min(len(hits), hitsMost-s.hits)]
	s.hits += len(hits)
	lines := splitLines(string(content))
	next := 0
	for i, hit := range hits {
		if s.around > 0 && s.out.Len() > 0 && (i == 0 || hit-s.around > next) {
			s.out.WriteString("--\n")
		}
		until := min(hit+s.around, len(lines)-1)
		if i+1 < len(hits) {
			until = min(until, hits[i+1]-1)
		}
		for n := max(hit-s.around, next); n <= until; n++ {
			mark := "-"
			if n == hit {
				mark = ":"
			}
			fmt.Fprintf(&s.out, "%s%s%d%s%s\n", shown, mark, n+1, mark, cutLine(lines[n], hitLine))
		}
		next = until + 1
	}
}

func (s *search) result(c *call, pattern string) string {
	switch {
	case s.late:
		s.out.WriteString(textGrepLate.in(c.lang, int(grepTime.Seconds())))
	case s.hits >= hitsMost:
		s.out.WriteString(textGrepMore.in(c.lang, hitsMost))
	case s.hits == 0:
		return textNoHits.in(c.lang, pattern)
	}
	return s.out.String()
}
