// Package shellwords tells which programs a command of a shell calls, with which words, as
// far as its text says. [Parse] is pure: it runs and looks up nothing.
//
// A plain command is one of which that is certain, whoever reads it: bash, another shell, a
// person. It is nothing but simple calls, joined by && || ; | and newlines, of which every
// word is literal. Of all other commands the calls are found as well as they can be, for
// rules that deny: what cannot be known is told as a partial call.
package shellwords

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"society-tui/runtime/tool"
)

// What is larger than these is not understood, and so never allowed by a rule.
const (
	mostBytes  = 64 << 10 // of a text
	mostNested = 200      // brackets within brackets: the parser tries some of them twice
	// Of what is found in a text and in the texts that it contains.
	mostCalls = 1000
	mostFound = 256 << 10 // bytes
	mostDepth = 8         // of commands in words of commands: sh -c "sh -c …"
)

// Parse returns a command as rules see it. What is no command of bash has no calls, and is
// not plain.
func Parse(text string) tool.Command {
	file, ok := parse(text)
	if !ok {
		return tool.Command{}
	}
	if plain(text) && !misread(text, file) {
		q := quoter{}
		if q.stmts(file.Stmts) {
			c := collector{topSkipped: true}
			c.file(text, file)
			return tool.Command{Plain: true, Calls: q.calls, Within: c.calls, Partial: c.partial, Quoted: q.text.String()}
		}
	}
	c := collector{}
	c.file(text, file)
	return tool.Command{Calls: c.calls, Partial: c.partial}
}

// parse reads a text as bash does.
func parse(text string) (file *syntax.File, ok bool) {
	if len(text) > mostBytes || strings.ContainsRune(text, 0) || nested(text) > mostNested {
		return nil, false
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	return file, err == nil
}

// misread reports whether the parser may see less than a shell: it lets a comment go on
// behind a backslash at the end of its line.
func misread(text string, file *syntax.File) (found bool) {
	if !strings.Contains(text, "\\\n") {
		return false
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		_, comment := n.(*syntax.Comment)
		found = found || comment
		return !found
	})
	return found
}

// nested returns how many brackets are open at once in a text, quoted or not.
func nested(text string) (most int) {
	now := 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			now++
			most = max(most, now)
		case ')', '}', ']':
			now = max(now-1, 0)
		}
	}
	return most
}

// plain reports whether all shells, and people, see the same characters in a text. A carriage
// return and some other characters are blanks to one and letters to another, and those that
// change the direction of text hide what is there.
func plain(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	for _, r := range text {
		switch {
		case r == '\n', r == '\t', r == ' ':
		case unicode.IsControl(r), unicode.IsSpace(r), unicode.In(r, unicode.Cf, unicode.Zs, unicode.Zl, unicode.Zp), r == utf8.RuneError:
			return false
		}
	}
	return true
}
