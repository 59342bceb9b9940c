package workspace

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// An ignored is a rule of a .gitignore.
type ignored struct {
	base    string // the folder of the file, "." for the workspace
	folders bool   // it is about folders only
	except  bool   // it takes back what an earlier rule ignores
	kind    kindOfRule
	pattern string
}

// A kindOfRule is what the pattern of a rule is compared with. Most rules are about a name
// alone, which takes no matching.
type kindOfRule int

const (
	byPath   kindOfRule = iota // the path from base on
	byName                     // the last name of the path
	bySuffix                   // the end of the last name, literally
	isName                     // the last name, literally
)

// special are the characters that mean something in a pattern.
const special = `*?[]{}\`

// ignores reads the rules of a .gitignore in a folder.
func ignores(base string, content []byte) (rules []ignored) {
	for line := range strings.Lines(string(content)) {
		line = strings.TrimRight(line, "\r\n")
		if cut := strings.TrimRight(line, " "); !strings.HasSuffix(cut, `\`) {
			line = cut
		}
		if line == "" || line[0] == '#' {
			continue
		}
		r := ignored{base: base}
		if line[0] == '!' {
			r.except, line = true, line[1:]
		}
		if strings.HasSuffix(line, "/") {
			r.folders, line = true, strings.TrimSuffix(line, "/")
		}
		suffix, ending := strings.CutPrefix(line, "*")
		switch {
		case strings.HasPrefix(line, "/"):
			line = line[1:]
		case strings.Contains(line, "/"):
		case !strings.ContainsAny(line, special):
			r.kind = isName
		case ending && !strings.ContainsAny(suffix, special):
			r.kind, line = bySuffix, suffix
		default:
			r.kind = byName
		}
		r.pattern = line
		if r.kind == byPath || r.kind == byName { // braces are ordinary characters to git
			r.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
		}
		if r.kind == bySuffix || line != "" && doublestar.ValidatePattern(r.pattern) {
			rules = append(rules, r)
		}
	}
	return rules
}

// isIgnored reports whether rules, the later ones deciding, ignore a path.
func isIgnored(rules []ignored, name string, folder bool) bool {
	last := path.Base(name)
	for i := len(rules) - 1; i >= 0; i-- {
		if r := &rules[i]; (folder || !r.folders) && r.matches(name, last) {
			return !r.except
		}
	}
	return false
}

// matches reports whether a rule is about a path, whose last name is given too.
func (r *ignored) matches(name, last string) bool {
	switch r.kind {
	case isName:
		return last == r.pattern
	case bySuffix:
		return strings.HasSuffix(last, r.pattern)
	case byName:
		return doublestar.MatchUnvalidated(r.pattern, last)
	}
	if r.base != "." {
		name = strings.TrimPrefix(name, r.base+"/")
	}
	if strings.HasSuffix(r.pattern, "/**") && name == path.Dir(r.pattern) {
		return false // all in the folder, but not the folder
	}
	return doublestar.MatchUnvalidated(r.pattern, name)
}
