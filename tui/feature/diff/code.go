package diff

import (
	"path"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"

	"society-tui/tui/dialog"
	"society-tui/tui/difflines"
)

// linesOf returns the lines of the clean diff of a file, with the code in them told apart.
func linesOf(file, diff string) []dialog.Line {
	lines := dialog.Diff(diff)
	lexer := lexers.Match(path.Base(file))
	if kinds := difflines.Kinds(diff); lexer != nil && kinds != nil {
		for _, own := range []difflines.Kind{difflines.Removed, difflines.Added} { // Same is last as it is in the new file
			markSide(lines, kinds, own, chroma.Coalesce(lexer))
		}
	}
	return lines
}

// markSide marks the code in the lines of one of the two files, a hunk at a time: a string
// or comment may go over lines.
func markSide(lines []dialog.Line, kinds []difflines.Kind, own difflines.Kind, lexer chroma.Lexer) {
	var hunk []*dialog.Line
	for i := range lines {
		switch kinds[i] {
		case own, difflines.Same:
			if !strings.HasPrefix(lines[i].Text, `\`) { // no newline at the end of the file
				hunk = append(hunk, &lines[i])
			}
		case difflines.Hunk, difflines.File, difflines.Text:
			mark(hunk, lexer)
			hunk = nil
		}
	}
	mark(hunk, lexer)
}

// mark sets the spans of lines that stand behind each other in a file, each behind its sign.
func mark(lines []*dialog.Line, lexer chroma.Lexer) {
	if len(lines) == 0 {
		return
	}
	var text strings.Builder
	for _, l := range lines {
		l.Spans = nil
		text.WriteString(bare(l.Text) + "\n")
	}
	tokens, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, text.String())
	if err != nil { // a language that it cannot read; the diff is shown without
		return
	}
	row, at := 0, 0
	for _, token := range tokens.Tokens() {
		is, known := codeOf(token.Type)
		for part := range strings.SplitAfterSeq(token.Value, "\n") {
			if row == len(lines) {
				return
			}
			l := lines[row]
			code := strings.TrimSuffix(part, "\n")
			if known && code != "" {
				from := len(l.Text) - len(bare(l.Text)) + at
				if !strings.HasPrefix(l.Text[min(from, len(l.Text)):], code) {
					return // not the text that it was given
				}
				l.Spans = append(l.Spans, dialog.Span{From: from, To: from + len(code), Is: is})
			}
			if at += len(code); code != part {
				row, at = row+1, 0
			}
		}
	}
}

// bare is a line of a diff without its sign.
func bare(line string) string {
	if line == "" {
		return ""
	}
	return line[1:]
}

func codeOf(t chroma.TokenType) (is dialog.Code, known bool) {
	switch {
	case t.InCategory(chroma.Keyword):
		return dialog.Keyword, true
	case t.InCategory(chroma.Literal):
		return dialog.Literal, true
	case t.InCategory(chroma.Comment):
		return dialog.Comment, true
	}
	return 0, false
}
