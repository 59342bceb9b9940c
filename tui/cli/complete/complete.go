// Package complete tells a shell how a command line of kong may go on.
//
// [Script] returns what makes a shell ask; the program answers it with [After]. So
// a script knows nothing of the commands, and what it offers is always that of the
// program that is installed.
package complete

import (
	"strings"

	"github.com/alecthomas/kong"
)

// A Candidate is a word that may stand at the cursor.
type Candidate struct {
	Word  string
	About string // one line, or ""
}

// Paths tells which paths may stand at the cursor beside the candidates.
type Paths string

// The paths that a shell finds by itself.
const (
	NoPaths Paths = "none"
	Files   Paths = "files"
	Folders Paths = "folders"
)

// An Answer is how a command line may go on.
type Answer struct {
	Candidates []Candidate
	Paths      Paths
}

// A Grammar is a command line and what may stand in it.
type Grammar struct {
	Root *kong.Node
	// Values returns the values that the tag "values" of a flag or an argument names.
	Values func(name string) []Candidate
	// About returns the help of a command or a flag.
	About func(help string, tag *kong.Tag) string
}

// After returns what may follow the words of a command line, of which the last is
// the one at the cursor, perhaps empty. The program's own name is none of them.
func (g Grammar) After(words []string) Answer {
	words, split := joined(words)
	if len(words) == 0 {
		words = []string{""}
	}
	at := place{node: g.Root}
	for _, word := range words[:len(words)-1] {
		at.pass(word)
	}
	word := words[len(words)-1]
	name, value, assigned := strings.Cut(word, "=")
	flag := at.flag(name)
	switch {
	case at.awaits != nil:
		return g.values(at.awaits, word, "")
	case at.literal || !strings.HasPrefix(word, "-"):
		return g.words(at, word)
	case assigned && flag != nil && split:
		return g.values(flag.Value, value, "")
	case assigned && flag != nil:
		return g.values(flag.Value, value, name+"=")
	}
	return g.flags(at, word)
}

// joined joins the words that a shell has split at "=", and reports whether the last
// is one of them.
func joined(words []string) (whole []string, split bool) {
	for i := 0; i < len(words); i++ {
		split = false
		if n := len(whole); words[i] == "=" && n > 0 && strings.HasPrefix(whole[n-1], "--") {
			whole[n-1] += "="
			if i++; i < len(words) {
				whole[n-1] += words[i]
			}
			split = true
			continue
		}
		whole = append(whole, words[i])
	}
	return whole, split
}

// A place is where the cursor is in the grammar.
type place struct {
	node       *kong.Node
	positional int         // how many arguments of the node are given
	awaits     *kong.Value // of the flag before, or nil
	literal    bool        // after "--"
}

// pass goes over a word before the cursor.
func (p *place) pass(word string) {
	name, _, assigned := strings.Cut(word, "=")
	switch {
	case p.awaits != nil:
		p.awaits = nil
	case p.literal:
		p.positional++
	case word == "--":
		p.literal = true
	case strings.HasPrefix(word, "-"):
		if flag := p.flag(name); flag != nil && !flag.IsBool() && !assigned {
			p.awaits = flag.Value
		}
	default:
		for _, child := range p.node.Children {
			if child.Name == word && p.positional == 0 {
				p.node = child
				return
			}
		}
		p.positional++
	}
}

// flag returns the flag of a name with its hyphens, or nil.
func (p *place) flag(name string) *kong.Flag {
	for _, group := range p.node.AllFlags(false) {
		for _, flag := range group {
			if name == "--"+flag.Name || flag.Short != 0 && name == "-"+string(flag.Short) {
				return flag
			}
		}
	}
	return nil
}

// words are the commands and the values of the argument at a place.
func (g Grammar) words(at place, begun string) Answer {
	answer := Answer{Paths: NoPaths}
	if n := len(at.node.Positional); n > 0 {
		next := at.node.Positional[min(at.positional, n-1)]
		if at.positional < n || next.IsCumulative() {
			answer = g.values(next, begun, "")
		}
	}
	if at.positional > 0 || at.literal {
		return answer
	}
	for _, child := range at.node.Children {
		if !child.Hidden && strings.HasPrefix(child.Name, begun) {
			answer.Candidates = append(answer.Candidates, Candidate{child.Name, g.About(child.Help, child.Tag)})
		}
	}
	return answer
}

// flags are the flags at a place.
func (g Grammar) flags(at place, begun string) Answer {
	answer := Answer{Paths: NoPaths}
	for _, group := range at.node.AllFlags(true) {
		for _, flag := range group {
			about := g.About(flag.Help, flag.Tag)
			names := []string{"--" + flag.Name}
			if flag.Tag.Negatable != "" {
				names = append(names, "--no-"+flag.Name)
			}
			for _, name := range names {
				if strings.HasPrefix(name, begun) {
					answer.Candidates = append(answer.Candidates, Candidate{name, about})
				}
			}
		}
	}
	return answer
}

// values are those of a flag or an argument, each behind lead.
func (g Grammar) values(v *kong.Value, begun, lead string) Answer {
	answer := Answer{Paths: NoPaths}
	source := v.Tag.Get("values")
	switch paths := Paths(source); {
	case v.Enum != "":
		for _, word := range v.EnumSlice() {
			answer.add(Candidate{Word: word}, begun, lead)
		}
	case paths == Files, paths == Folders:
		answer.Paths = paths
	case source != "":
		for _, c := range g.Values(source) {
			answer.add(c, begun, lead)
		}
	}
	return answer
}

func (a *Answer) add(c Candidate, begun, lead string) {
	if strings.HasPrefix(c.Word, begun) {
		c.Word = lead + c.Word
		a.Candidates = append(a.Candidates, c)
	}
}
