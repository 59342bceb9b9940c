// Package lazyregexp has regular expressions that are compiled when they are first used. The
// program is started again for each command that an agent runs: what is compiled while its
// packages are initialised is paid for each time.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression of the program's own. Several goroutines may use it.
type Regexp struct{ get func() *regexp.Regexp }

// New returns an expression. In tests it is compiled at once, so that a wrong one is seen.
func New(expression string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
	if len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") {
		r.get()
	}
	return r
}

// Match is as in package regexp.
func (r *Regexp) Match(b []byte) bool { return r.get().Match(b) }

// MatchString is as in package regexp.
func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

// FindString is as in package regexp.
func (r *Regexp) FindString(s string) string { return r.get().FindString(s) }

// FindStringIndex is as in package regexp.
func (r *Regexp) FindStringIndex(s string) []int { return r.get().FindStringIndex(s) }

// FindStringSubmatch is as in package regexp.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

// FindAllString is as in package regexp.
func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

// FindAllStringIndex is as in package regexp.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.get().FindAllStringIndex(s, n) }

// FindAllStringSubmatch is as in package regexp.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is as in package regexp.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

// FindSubmatch is as in package regexp.
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.get().FindSubmatch(b) }

// ReplaceAll is as in package regexp.
func (r *Regexp) ReplaceAll(src, with []byte) []byte { return r.get().ReplaceAll(src, with) }

// ReplaceAllString is as in package regexp.
func (r *Regexp) ReplaceAllString(src, with string) string {
	return r.get().ReplaceAllString(src, with)
}

// ReplaceAllStringFunc is as in package regexp.
func (r *Regexp) ReplaceAllStringFunc(src string, with func(string) string) string {
	return r.get().ReplaceAllStringFunc(src, with)
}
