package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"society-tui/runtime/tool"
	"society-tui/runtime/workspace"
)

const (
	hitsMost    = 200
	contextMost = 20
	hitLine     = 500 // characters of a line
	grepTime    = 10 * time.Second
	grepMost    = 4 << 20 // bytes of a file
)

// grepArgs are the arguments of grep.
type grepArgs struct {
	Pattern, Path, Glob, Mode string
	Context                   float64
	Literal                   bool
}

// newSearch reads the arguments of the call.
func (c *call) newSearch() (s *search, args grepArgs, err error) {
	if err := c.read(&args); err != nil {
		return nil, args, err
	}
	re, err := c.pattern(args.Pattern, args.Literal)
	if err != nil {
		return nil, args, err
	}
	return &search{re: re, must: required(re), mode: args.Mode, around: min(max(int(args.Context), 0), contextMost)}, args, nil
}

// GrepText is the tool grep in a text that is no file of a workspace. name is what hits are
// shown with.
func GrepText(by tool.Caller, args json.RawMessage, name, text string) (tool.Result, error) {
	c := &call{Caller: by, words: words{by.Lang}, args: args}
	c.spec = c.grep()
	s, found, err := c.newSearch()
	if err != nil {
		return tool.Failed(err)
	}
	if content := []byte(text); s.matches(content) {
		s.file(name, content)
	}
	return tool.Result{Text: s.result(c, found.Pattern)}, nil
}

// grep is the tool grep.
func grep(ctx context.Context, c *call) (string, error) {
	s, args, err := c.newSearch()
	if err != nil {
		return "", err
	}
	name, err := c.clean(args.Path)
	if err != nil {
		return "", err
	}
	if info, err := c.in.Stat(name); err != nil {
		return "", err
	} else if !info.IsDir() {
		file, err := c.in.Read(name)
		if err != nil {
			return "", err
		}
		if s.matches(file.Content) {
			s.file(name, file.Content)
		}
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
	err = s.folder(limited, c.in, name, matches)
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
	must   literal
	mode   string
	around int // lines before and after a hit
	hits   int
	late   bool // the time was over
	out    strings.Builder

	mu       sync.Mutex
	panicked any
}

// readers is how many files are read and searched at once.
var readers = min(runtime.GOMAXPROCS(0), 8)

// A candidate is a file that is searched, and its content if it matches.
type candidate struct {
	entry   workspace.Entry
	content []byte
	done    chan struct{} // closed when it was searched
}

// folder searches the files below a folder whose names match, several at a time, and
// collects what is found in the order of a walk.
func (s *search) folder(ctx context.Context, in *workspace.Folder, dir string, matches func(name string) bool) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next, inOrder := make(chan *candidate), make(chan *candidate, 2*readers) // bounds what is held in memory
	var reading, collecting sync.WaitGroup
	for range readers {
		reading.Go(func() {
			var room []byte
			for f := range next {
				s.recovering(func() { room = f.search(s, room) })
				f.entry.Release()
				close(f.done)
			}
		})
	}
	collecting.Go(func() {
		for f := range inOrder {
			if <-f.done; f.content == nil || s.hits >= hitsMost {
				continue
			}
			s.recovering(func() { s.file(f.entry.Name, f.content) })
			if s.hits >= hitsMost {
				stop(errEnough)
			}
		}
	})
	err := in.Walk(ctx, dir, false, func(e workspace.Entry) error {
		if e.Info.IsDir() || !matches(e.Name) {
			return nil
		}
		e.Keep()
		f := &candidate{entry: e, done: make(chan struct{})}
		inOrder <- f
		next <- f
		return nil
	})
	close(next)
	close(inOrder)
	reading.Wait()
	collecting.Wait()
	if s.panicked != nil {
		panic(s.panicked)
	}
	if errors.Is(context.Cause(ctx), errEnough) {
		return errEnough
	}
	return err
}

// search reads a file into room if it fits, keeps its content if it matches, and returns
// the larger room. What is gone, unreadable or too large is left out.
func (f *candidate) search(s *search, room []byte) []byte {
	content, err := f.entry.Read(grepMost, room)
	if err == nil && s.matches(content) {
		f.content = slices.Clone(content)
	}
	if cap(content) > cap(room) {
		return content
	}
	return room
}

// recovering keeps a panic for the goroutine on which the tool was called.
func (s *search) recovering(act func()) {
	defer func() {
		if v := recover(); v != nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.panicked = v
		}
	}()
	act()
}

// matches reports whether a file is a text with a hit.
func (s *search) matches(content []byte) bool {
	return s.must.in(content) && s.re.Match(content) && binary(content) == ""
}

// file collects what is found in one file.
func (s *search) file(name string, content []byte) {
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
		s.out.WriteString(textGrepLate.With(int(grepTime.Seconds())).In(c.lang) + "\n")
	case s.hits >= hitsMost:
		s.out.WriteString(textGrepMore.With(hitsMost).In(c.lang) + "\n")
	case s.hits == 0:
		return textNoHits.With(pattern).In(c.lang)
	}
	return s.out.String()
}
