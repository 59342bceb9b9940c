package shellwords

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A quoter writes a command anew with every word quoted, as long as it is plain. Where bash
// and other shells differ it takes a command for not plain: &> is one redirect in bash, and
// a command in the background elsewhere.
type quoter struct {
	text  strings.Builder
	calls [][]string
}

// stmts writes statements, a line each, and reports whether they are plain.
func (q *quoter) stmts(all []*syntax.Stmt) bool {
	for i, s := range all {
		if i > 0 {
			q.text.WriteByte('\n')
		}
		if !q.stmt(s) {
			return false
		}
	}
	return len(q.calls) > 0
}

func (q *quoter) stmt(s *syntax.Stmt) bool {
	if s.Negated || s.Background || s.Coprocess || s.Disown || len(q.calls) >= mostCalls {
		return false
	}
	switch cmd := s.Cmd.(type) {
	case *syntax.CallExpr:
		return len(cmd.Assigns) == 0 && q.call(cmd.Args) && q.redirects(s.Redirs)
	case *syntax.BinaryCmd:
		joint, ok := map[syntax.BinCmdOperator]string{syntax.AndStmt: " && ", syntax.OrStmt: " || ", syntax.Pipe: " | "}[cmd.Op]
		if !ok || len(s.Redirs) > 0 || !q.stmt(cmd.X) {
			return false
		}
		q.text.WriteString(joint)
		return q.stmt(cmd.Y)
	}
	return false
}

func (q *quoter) call(args []*syntax.Word) bool {
	var words []string
	for i, arg := range args {
		word, ok := literal(arg)
		if !ok {
			return false
		}
		if i > 0 {
			q.text.WriteByte(' ')
		}
		q.text.WriteString(quote(word))
		words = append(words, word)
	}
	if !Callable(words) {
		return false
	}
	q.calls = append(q.calls, words)
	return true
}

// Callable reports whether the words of a call can be one of a plain command: they name a
// program, or a builtin that does nothing but what its words say.
func Callable(words []string) bool {
	if len(words) == 0 {
		return false
	}
	name := words[0]
	switch {
	case name == "", strings.HasPrefix(name, "%"), strings.Contains(name, "="), strings.Contains(name, "!"), // a job, an assignment
		reserved(name), builtins[name]:
		return false
	case name == "cd":
		return len(words) <= 2 // bash refuses more, others take the first
	case name == "printf" && len(words) > 1:
		return words[1] == "--" || !strings.HasPrefix(words[1], "-") // -v sets a variable, PATH for one
	}
	return true
}

// redirects writes those of a call: 2>&1, and > and >> of output to /dev/null.
func (q *quoter) redirects(all []*syntax.Redirect) bool {
	for _, r := range all {
		n := ""
		if r.N != nil {
			n = r.N.Value
		}
		to, ok := literal(r.Word)
		switch {
		case !ok || r.Hdoc != nil:
			return false
		case r.Op == syntax.DplOut && n == "2" && r.Word.Lit() == "1":
			q.text.WriteString(" 2>&1")
		case (r.Op == syntax.RdrOut || r.Op == syntax.AppOut) && slices.Contains([]string{"", "1", "2"}, n) && to == "/dev/null":
			q.text.WriteString(" " + n + r.Op.String() + quote(to))
		default:
			return false
		}
	}
	return true
}

// quote returns a word as every shell reads it back, whatever it contains.
func quote(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// literal returns what a word is once its quotes are gone, if it is the same in every shell
// and at any time: nothing in it is expanded.
func literal(w *syntax.Word) (text string, ok bool) {
	var b strings.Builder
	for _, part := range w.Parts {
		switch part := part.(type) {
		case *syntax.Lit:
			if !unquoted(&b, part.Value) {
				return "", false
			}
		case *syntax.SglQuoted:
			if part.Dollar {
				return "", false
			}
			b.WriteString(part.Value)
		case *syntax.DblQuoted:
			if part.Dollar || !doubleQuoted(&b, part.Parts) {
				return "", false
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unquoted writes text that no quotes are around, if nothing in it is special. A tilde is
// not behind a letter or digit, as in HEAD~1.
func unquoted(b *strings.Builder, text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			if i++; i == len(text) || text[i] == '\n' {
				return false
			}
			b.WriteByte(text[i])
		case strings.IndexByte("*?[]{}!#$`'\"&|;<>() \t\n", c) >= 0, c == '~' && (i == 0 || !alphanumeric(text[i-1])):
			return false
		default:
			b.WriteByte(c)
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '^'
}

// doubleQuoted writes text within double quotes, if nothing in it is expanded.
func doubleQuoted(b *strings.Builder, parts []syntax.WordPart) bool {
	for _, part := range parts {
		lit, ok := part.(*syntax.Lit)
		if !ok {
			return false
		}
		text := lit.Value
		for i := 0; i < len(text); i++ {
			c := text[i]
			switch {
			case c == '\\' && i+1 < len(text) && strings.IndexByte("$`\"\\", text[i+1]) >= 0:
				i++
				c = text[i]
			case c == '\\' && i+1 < len(text) && text[i+1] == '\n', c == '$', c == '`', c == '"':
				return false
			}
			b.WriteByte(c)
		}
	}
	return true
}
