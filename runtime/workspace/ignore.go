package workspace

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// An ignored is a rule of a .gitignore.
type ignored struct {
	base    string // the folder of the file, "." for the workspace
	pattern string // relative to base
	folders bool   // it is about folders only
	except  bool   // it takes back what an earlier rule ignores
}

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
		switch {
		case strings.HasPrefix(line, "/"):
			line = line[1:]
		case !strings.Contains(line, "/"):
			line = "**/" + line
		}
		// Braces are ordinary characters to git.
		r.pattern = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(line)
		if line != "" && doublestar.ValidatePattern(r.pattern) {
			rules = append(rules, r)
		}
	}
	return rules
}

// ignores reports whether rules, the later ones deciding, ignore a path.
func isIgnored(rules []ignored, name string, folder bool) bool {
	for i := len(rules) - 1; i >= 0; i-- {
		r := rules[i]
		rel := name
		if r.base != "." {
			rel = strings.TrimPrefix(name, r.base+"/")
		}
		if r.folders && !folder || strings.HasSuffix(r.pattern, "/**") && rel == path.Dir(r.pattern) {
			continue
		}
		if doublestar.MatchUnvalidated(r.pattern, rel) {
			return !r.except
		}
	}
	return false
}
