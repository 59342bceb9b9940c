package script

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"society-tui/llm/lazyregexp"
)

// A tree is what lists tell of a folder.
type tree struct {
	sizes   map[string]int // files, by path
	folders map[string]bool
	seen    bool     // there was a list
	partial []string // folders that were listed in part only
}

const (
	// mostLists bounds the lists of one review, and deepest their levels.
	mostLists = 40
	deepest   = 20
)

var (
	listedFile = lazyregexp.New(`^(.+)  (\d+)$`)
	moreListed = lazyregexp.New(`(?m)^(?:… more than |……超过 )\d+`)
	leftOut    = lazyregexp.New(`(?m)^…+ .*?(\d+) .*(?:path|path 为) "([^"]+)".*offset (?:为 )?(\d+) …+$`)
	pageLast   = lazyregexp.New(`^(?:lines \d+–(\d+) of \d+|第 \d+–(\d+) 行)`)
)

// look lists the folder. One with too many files for one list is listed folder by folder.
func (r *review) look() *tree {
	t := &tree{sizes: make(map[string]int), folders: make(map[string]bool)}
	queue, lists := []string{"."}, 0
	for ; len(queue) > 0; queue = queue[1:] {
		dir := queue[0]
		if lists++; lists > mostLists {
			t.partial = append(t.partial, dir)
			continue
		}
		all := r.make(listFiles, map[string]any{"path": dir, "depth": deepest})
		if !all.ok {
			if all.over {
				t.partial = append(t.partial, dir)
			}
			continue
		}
		t.seen = true
		t.add(all.text)
		t.add(r.rest(all))
		if !moreListed.MatchString(all.text) {
			continue
		}
		lists++
		top := r.make(listFiles, map[string]any{"path": dir, "depth": 1})
		below := &tree{sizes: t.sizes, folders: make(map[string]bool)}
		below.add(top.text)
		if top.over && (len(below.folders) == 0 || moreListed.MatchString(top.text)) {
			t.partial = append(t.partial, dir)
		}
		last := lastListed(all.text)
		for _, f := range sorted(below.folders) {
			t.folders[f] = true
			if f >= last || strings.HasPrefix(last, f+"/") { // lists are in order
				queue = append(queue, f)
			}
		}
	}
	return t
}

// lastListed returns the path with which a list ends.
func lastListed(list string) string {
	lines := strings.Split(list, "\n")
	for _, line := range slices.Backward(lines) {
		if m := listedFile.FindStringSubmatch(line); m != nil {
			return m[1]
		}
		if dir, ok := strings.CutSuffix(line, "/"); ok {
			return dir
		}
	}
	return ""
}

// rest returns what was left out of a result, as far as it was read.
func (r *review) rest(o outcome) string {
	m := leftOut.FindStringSubmatch(o.text)
	if m == nil {
		return ""
	}
	count, _ := strconv.Atoi(m[1]) // digits, as is the offset
	from, _ := strconv.Atoi(m[3])
	var b strings.Builder
	for until := from + count; from < until; {
		page := r.make(readFile, map[string]any{"path": m[2], "offset": from})
		last := pageLast.FindStringSubmatch(page.text)
		if !page.ok || last == nil {
			break
		}
		b.WriteString(page.text + "\n")
		to, err := strconv.Atoi(last[1] + last[2])
		if err != nil || to < from {
			break
		}
		from = to + 1
	}
	return b.String()
}

// add reads the lines of a list.
func (t *tree) add(list string) {
	for line := range strings.Lines(list) {
		line = strings.TrimRight(line, "\n")
		if m := listedFile.FindStringSubmatch(line); m != nil {
			t.sizes[m[1]], _ = strconv.Atoi(m[2]) // digits
		} else if dir, ok := strings.CutSuffix(line, "/"); ok && dir != "" {
			t.folders[dir] = true
		}
	}
}

// free returns a name that no file has: review.md, or review-2.md.
func (t *tree) free(stem, ending string) string {
	name := stem + ending
	for n := 2; ; n++ {
		if _, taken := t.sizes[name]; !taken && !t.folders[name] {
			return name
		}
		name = fmt.Sprintf("%s-%d%s", stem, n, ending)
	}
}

// files returns the files that match, the largest first.
func (t *tree) files(match func(name string) bool) []string {
	var found []string
	for _, name := range sorted(t.sizes) {
		if match(name) {
			found = append(found, name)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(t.sizes[b], t.sizes[a]) })
	return found
}

func sorted[V any](of map[string]V) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A code is a programming language whose functions begin and end at the margin.
type code struct {
	endings   []string
	functions string // matches the first line of a function and the line that ends it
}

var codes = []code{
	{[]string{".go"}, `^(func |\})`},
	{[]string{".js", ".jsx", ".ts", ".tsx", ".mjs"}, `^((export )?(default )?(async )?function\b|\})`},
	{[]string{".rs"}, `^((pub(\([a-z]+\))? )?((async|const|unsafe) )*fn |\})`},
	{[]string{".c", ".cc", ".cpp"}, `^([A-Za-z_][^;]*\)\s*\{?\s*$|\})`},
	{[]string{".sh"}, `^([A-Za-z_]\w*\s*\(\)|\})`},
	{[]string{".py"}, `^((async )?def |[A-Za-z@])`},
}

// codeOf returns the language of a file, nil if it is none of these.
func codeOf(name string) *code {
	for i := range codes {
		if slices.Contains(codes[i].endings, path.Ext(name)) {
			return &codes[i]
		}
	}
	return nil
}

var testName = lazyregexp.New(`(?:^|/)(?:test_[^/]*|[^/]*[._-](?:test|spec)s?\.[^./]+|(?:tests?|__tests__|spec)/.*)$`)

func isTest(name string) bool { return codeOf(name) != nil && testName.MatchString(name) }

func isSource(name string) bool {
	return codeOf(name) != nil && !isTest(name) && !strings.Contains("/"+name, "/testdata/")
}

// testMark matches what names a test in the name of its file.
var testMark = lazyregexp.New(`^test_|[._-](?:test|spec)s?$`)

// stemOf returns the name of a file without its ending, and of a test what it tests.
func stemOf(name string) string {
	return testMark.ReplaceAllString(strings.TrimSuffix(path.Base(name), path.Ext(name)), "")
}

// bytesOf writes a size.
func bytesOf(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%d KB", (n+512)>>10)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
}
