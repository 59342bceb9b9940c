// Package highlight tells the parts of program code apart, with the lexers of chroma.
package highlight

import (
	"path"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// A Kind is what a part of code is.
type Kind uint8

// The kinds.
const (
	Keyword Kind = iota
	Literal      // a string or a number
	Comment
	Name    // of a function, a type, a tag or a key
	Added   // a line of a diff
	Removed // likewise
	Kinds   // how many there are
)

// A Span is a part of a line, in bytes.
type Span struct {
	From, To int
	Is       Kind
}

// A Language is one that code can be written in. The nil one has no spans.
type Language struct{ lexer chroma.Lexer }

// Named returns the language with a name such as "go", nil if it is unknown.
func Named(name string) *Language { return of(lexers.Get(name)) }

// OfFile returns the language of a file by its name, nil if it is unknown.
func OfFile(name string) *Language { return of(lexers.Match(path.Base(name))) }

func of(lexer chroma.Lexer) *Language {
	if lexer == nil {
		return nil
	}
	return &Language{chroma.Coalesce(lexer)}
}

// Spans returns the spans of each of the lines, which stand behind each other: a string or a
// comment may go over lines.
func (l *Language) Spans(lines []string) [][]Span {
	all := make([][]Span, len(lines))
	if l == nil || len(lines) == 0 {
		return all
	}
	tokens, err := l.lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, strings.Join(lines, "\n")+"\n")
	if err != nil { // a language that it cannot read
		return all
	}
	row, at := 0, 0
	for token := range tokens.Stdlib() {
		is, known := kindOf(token.Type)
		for part := range strings.SplitAfterSeq(token.Value, "\n") {
			if row == len(lines) {
				return all
			}
			code := strings.TrimSuffix(part, "\n")
			if known && code != "" {
				if !strings.HasPrefix(lines[row][min(at, len(lines[row])):], code) {
					return all // not the text that it was given
				}
				all[row] = append(all[row], Span{at, at + len(code), is})
			}
			if at += len(code); code != part {
				row, at = row+1, 0
			}
		}
	}
	return all
}

func kindOf(t chroma.TokenType) (is Kind, known bool) {
	switch {
	case t.InCategory(chroma.Keyword), t == chroma.OperatorWord:
		return Keyword, true
	case t.InCategory(chroma.Literal):
		return Literal, true
	case t.InCategory(chroma.Comment):
		return Comment, true
	case t == chroma.GenericInserted:
		return Added, true
	case t == chroma.GenericDeleted:
		return Removed, true
	}
	switch t {
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameClass, chroma.NameTag, chroma.NameAttribute, chroma.NameBuiltin,
		chroma.NameDecorator, chroma.NameNamespace, chroma.GenericHeading, chroma.GenericSubheading:
		return Name, true
	}
	return 0, false
}
