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

const (
	searchedFiles = 8 // how many source files are searched for functions
	mostPlaces    = 8 // how many places a finding names
	mostHits      = 200
)

// A hit is a line that a search has found.
type hit struct {
	file, text string
	line       int
}

func (h hit) place() string { return quote(h.file + ":" + strconv.Itoa(h.line)) }

var (
	hitLine   = lazyregexp.New(`(?m)^(.+?):(\d+):(.*)$`)
	hitCount  = lazyregexp.New(`(?m)^(.+):(\d+)$`)
	hitsAhead = lazyregexp.New(`(?m)^(?:… stopped after|……)|^… \d+ lines left out`)
	ownReport = lazyregexp.New(`^review(?:-\d+)?\.md$`)
)

// search searches for lines, without those of earlier reports. More is true if there may
// be others.
func (r *review) search(arguments map[string]any) (hits []hit, more bool) {
	o := r.make(searchFiles, arguments)
	for _, m := range hitLine.FindAllStringSubmatch(o.text, mostHits) {
		line, _ := strconv.Atoi(m[2]) // digits
		if o.ok && !ownReport.MatchString(m[1]) {
			hits = append(hits, hit{m[1], m[3], line})
		}
	}
	return hits, hitsAhead.MatchString(o.text)
}

// quote writes a name or a line as code.
func quote(s string) string { return "`" + clip(strings.ReplaceAll(s, "`", "'"), 120) + "`" }

// quoted writes some of the names, and how many more there are.
func (r *review) quoted(names []string, most int) string {
	said := r.job.lang.list(each(first(most, names), quote))
	if n := len(names) - most; n > 0 {
		said += sayMore.in(r.lang, n)
	}
	return said
}

// folderFindings returns what was found in the folder: files, notes and long functions.
func (r *review) folderFindings() []string {
	t := r.files
	switch {
	case t == nil || !t.seen:
		return r.noFiles()
	case len(t.sizes) == 0:
		return []string{"- " + sayEmptyFolder.in(r.lang)}
	}
	all := t.files(func(string) bool { return true })
	sum, types := 0, make(map[string]int)
	for _, name := range all {
		sum += t.sizes[name]
		types[cmp.Or(path.Ext(name), path.Base(name))]++
	}
	kinds := sorted(types)
	slices.SortStableFunc(kinds, func(a, b string) int { return types[b] - types[a] })
	lines := []string{sayFiles.in(r.lang, len(all), bytesOf(sum), r.job.lang.list(each(first(4, kinds), func(k string) string { return fmt.Sprintf("%s %d", quote(k), types[k]) })))}
	lines = append(lines, sayLargest.in(r.lang, r.job.lang.list(each(first(3, all), func(name string) string { return quote(name) + " " + bytesOf(t.sizes[name]) }))))
	if empty := t.files(func(name string) bool { return t.sizes[name] == 0 }); len(empty) > 0 {
		lines = append(lines, sayEmptyFiles.in(r.lang, len(empty), r.quoted(empty, mostPlaces)))
	}
	lines = append(lines, r.notes()...)
	lines = append(lines, r.functions()...)
	lines = append(lines, r.lines(t.files(isSource))...)
	lines = append(lines, r.page()...)
	if len(t.partial) > 0 {
		lines = append(lines, sayPartly.in(r.lang, r.quoted(t.partial, mostPlaces)))
	}
	return bullets(lines)
}

// bullets marks lines, but for those that belong to the one before.
func bullets(lines []string) []string {
	return each(lines, func(s string) string {
		if strings.HasPrefix(s, "  ") {
			return s
		}
		return "- " + s
	})
}

// notes are places at which somebody has left a note of unfinished work.
func (r *review) notes() []string {
	hits, more := r.search(map[string]any{"pattern": `(^|//|#|/\*|<!--|--|\*|;)\s*(TODO|FIXME|HACK|XXX)\b`})
	if len(hits) == 0 {
		return []string{sayNoNotes.in(r.lang)}
	}
	say := sayNotes
	if more {
		say = sayNotesAtLeast
	}
	lines := []string{say.in(r.lang, len(hits))}
	for _, h := range first(mostPlaces, hits) {
		lines = append(lines, "  - "+h.place()+" "+quote(strings.TrimSpace(h.text)))
	}
	return lines
}

// A function is one of a source file, with the number of its lines.
type function struct {
	hit
	lines int
}

// functions are the longest ones of the largest source files.
func (r *review) functions() []string {
	sources := first(searchedFiles, r.files.files(isSource))
	if len(sources) == 0 {
		return []string{sayNoCode.in(r.lang)}
	}
	var found []function
	for _, name := range sources {
		hits, _ := r.search(map[string]any{"path": name, "pattern": codeOf(name).functions})
		found = append(found, functionsIn(hits)...)
	}
	slices.SortStableFunc(found, func(a, b function) int { return b.lines - a.lines })
	if len(found) == 0 {
		return nil
	}
	lines := []string{sayLongest.in(r.lang, len(sources), r.quoted(sources, 3))}
	for _, f := range first(3, found) {
		lines = append(lines, "  - "+sayFunction.in(r.lang, f.place(), f.lines, quote(strings.TrimRight(f.text, " {"))))
	}
	body := r.make(readFile, map[string]any{"path": found[0].file, "offset": found[0].line, "limit": found[0].lines})
	if n := nesting(body.text); body.ok && n > 1 {
		lines = append(lines, "  - "+sayNested.in(r.lang, n))
	}
	return lines
}

// functionsIn returns the functions that lines at the margin begin and end.
func functionsIn(hits []hit) []function {
	var found []function
	for i, h := range hits[:max(0, len(hits)-1)] {
		end := hits[i+1]
		switch {
		case !strings.Contains(h.text, "("), strings.HasPrefix(h.text, "}"), strings.HasSuffix(h.text, "}"): // the last is on one line
		case path.Ext(h.file) == ".py":
			if strings.HasPrefix(h.text, "def ") || strings.HasPrefix(h.text, "async def ") {
				found = append(found, function{h, end.line - h.line})
			}
		case strings.HasPrefix(end.text, "}"):
			found = append(found, function{h, end.line - h.line + 1})
		}
	}
	return found
}

var indented = lazyregexp.New(`(?m)^ *\d+\t(\t+|(?: {4})+)\S`)

// nesting returns how deep the lines of a page are indented.
func nesting(page string) int {
	deep := 0
	for _, m := range indented.FindAllStringSubmatch(page, -1) {
		deep = max(deep, strings.Count(m[1], "\t"), len(m[1])/4)
	}
	return deep
}

// testFindings returns what was found out about the tests.
func (r *review) testFindings() []string {
	t := r.files
	if t == nil || !t.seen {
		return r.noFiles()
	}
	sources, tested := t.files(isSource), t.files(isTest)
	if len(sources)+len(tested) == 0 {
		return []string{"- " + sayNothingToTest.in(r.lang)}
	}
	lines := []string{saySources.in(r.lang, len(sources), len(tested))}
	stems, folders := make(map[string]bool), make(map[string]bool)
	for _, name := range tested {
		stems[stemOf(name)+path.Ext(name)], folders[path.Dir(name)] = true, true
	}
	bare := make(map[string]bool)
	var alone []string
	for _, name := range sources {
		if !folders[path.Dir(name)] {
			bare[path.Dir(name)] = true
		}
		if !stems[path.Base(name)] {
			alone = append(alone, name)
		}
	}
	if len(bare) > 0 {
		lines = append(lines, sayBareFolders.in(r.lang, len(bare), r.quoted(sorted(bare), mostPlaces)))
	}
	if len(alone) > 0 {
		lines = append(lines, sayUntested.in(r.lang, len(alone), r.quoted(alone, 5)))
	}
	lines = append(lines, r.counted(len(tested))...)
	lines = append(lines, r.lines(tested)...)
	if len(t.partial) > 0 {
		lines = append(lines, sayPartly.in(r.lang, r.quoted(t.partial, mostPlaces)))
	}
	return bullets(lines)
}

// counted returns how many tests there are, and which are skipped.
func (r *review) counted(files int) []string {
	if files == 0 {
		return nil
	}
	o := r.make(searchFiles, map[string]any{"pattern": `^\s*(func (Test|Fuzz)[A-Z]\w*\(|(async )?def test_|(it|test)\(|#\[test\])`, "mode": "count"})
	n := 0
	for _, m := range hitCount.FindAllStringSubmatch(o.text, -1) {
		if count, _ := strconv.Atoi(m[2]); o.ok && isTest(m[1]) {
			n += count
		}
	}
	say := sayTests
	if hitsAhead.MatchString(o.text) {
		say = sayTestsAtLeast
	}
	lines := []string{say.in(r.lang, n)}
	hits, _ := r.search(map[string]any{"pattern": `\bt\.Skip(f|Now)?\(|@(pytest\.mark|unittest)\.skip|\b(it|test|describe)\.skip\(|#\[ignore`})
	hits = slices.DeleteFunc(hits, func(h hit) bool { return !isTest(h.file) })
	if len(hits) > 0 {
		lines = append(lines, saySkipped.in(r.lang, len(hits), r.job.lang.list(each(first(5, hits), hit.place))))
	}
	return lines
}

// noFiles is the finding of an agent that cannot see any.
func (q request) noFiles() []string { return []string{"- " + sayNoFiles.in(q.lang)} }
