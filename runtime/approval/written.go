package approval

import (
	"slices"
	"strings"
	"unicode"

	"society-tui/runtime/i18n"
)

// The tools whose written rules name no path behind them: words of a command, a host.
const (
	Bash  = "bash"
	Fetch = "fetch"
)

// The words of a written rule.
const (
	WordRole    = "role"
	WordAgent   = "agent"
	WordUnder   = "under"
	WordWhy     = "why"
	WordOutside = "outside"
	wordExact   = "="
)

// Keywords returns the words that begin a part of a written rule.
func Keywords() []string { return []string{WordRole, WordAgent, WordUnder, WordWhy, WordOutside} }

// A Field is a word of a written rule: without its quotes, and as it stands there.
type Field struct{ Text, Raw string }

// IsKeyword reports whether a word begins a part of a rule. A quoted one does not.
func (f Field) IsKeyword() bool { return slices.Contains(Keywords(), f.Raw) }

// Fields splits a written rule into words as a shell would that expands nothing: quotes
// and \ keep blanks. A quote that is not closed holds to the end.
func Fields(text string) (fields []Field) {
	var word strings.Builder
	start, quote := -1, byte(0)
	end := func(at int) {
		if start >= 0 {
			fields = append(fields, Field{word.String(), text[start:at]})
		}
		word.Reset()
		start = -1
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		if quote == 0 && (c == ' ' || c == '\t' || c == '\n') {
			end(i)
			continue
		}
		if start < 0 {
			start = i
		}
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case c == '\\' && quote != '\'' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
		default:
			word.WriteByte(c)
		}
	}
	end(len(text))
	return fields
}

// WriteWords writes words so that Fields reads them back, none of them as a keyword.
func WriteWords(words []string) string {
	written := make([]string, len(words))
	for i, w := range words {
		written[i] = w
		if w == "" || w == wordExact || slices.Contains(Keywords(), w) || strings.ContainsAny(w, special+`'"\`) || strings.ContainsFunc(w, unprintable) {
			written[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(written, " ")
}

func unprintable(r rune) bool { return r == ' ' || !unicode.IsPrint(r) }

// ReadTarget reads the part of a written rule that limits the calls of its tool: words of a command, behind
// = those that are all of it; a host; else a glob of paths. It returns what is left of the
// fields, which begins with a keyword if keywords are read, and why no command has the words.
func (r *Rule) ReadTarget(fields []Field, keywords bool) (rest []Field, wrong *i18n.Message) {
	n := len(fields)
	if at := slices.IndexFunc(fields, Field.IsKeyword); at >= 0 && keywords {
		n = at
	}
	own, rest := fields[:n], fields[n:]
	switch {
	case n == 0:
		return rest, nil
	case r.Tool == Bash:
		if own[0].Raw == wordExact {
			r.Exact, own = true, own[1:]
		}
		for _, f := range own {
			r.Words = append(r.Words, f.Text)
		}
		return rest, checkWritten(own)
	case r.Tool == Fetch:
		r.Host = own[0].Text
	default:
		r.Path = own[0].Raw
	}
	return fields[1:], nil
}

// special are the characters with which a shell ends a command or puts a value in.
const special = ";|&<>()$`"

// checkWritten returns why a shell would take words for more than words as they are written.
func checkWritten(fields []Field) *i18n.Message {
	for _, f := range fields {
		quote := byte(0)
		for i := 0; i < len(f.Raw); i++ {
			switch c := f.Raw[i]; {
			case c == '\\' && quote != '\'':
				i++
			case quote != 0 && c == quote:
				quote = 0
			case quote == 0 && (c == '\'' || c == '"'):
				quote = c
			case quote == 0 && strings.IndexByte(special, c) >= 0, quote == '"' && (c == '$' || c == '`'):
				return textNotWords.With(f.Raw, string(c))
			}
		}
		if quote != 0 {
			return textOpenQuote.With(f.Raw)
		}
	}
	return nil
}

// String describes a rule on one line, as it is written.
func (r Rule) String() string {
	words := []string{string(r.Do)}
	target := WriteWords(r.Words)
	if r.Exact {
		target = wordExact + " " + target
	}
	for _, part := range []struct{ name, value string }{
		{"", r.Tool},
		{"", r.Path},
		{"", target},
		{"", r.Host},
		{WordRole + " ", r.RoleName},
		{WordRole + " ", r.Role},
		{WordUnder + " ", r.Under},
		{WordAgent + " ", r.Agent},
	} {
		if part.value != "" {
			words = append(words, part.name+part.value)
		}
	}
	if r.Outside {
		words = append(words, WordOutside)
	}
	return strings.Join(words, " ")
}

// ParseAllow reads a rule of the command line that allows: the name of a tool, and behind a
// blank the limit of its calls: "write docs/**", "bash go test", "bash = go vet ./...",
// "fetch example.org".
//
// wrong is why no command has the words.
func ParseAllow(text string) (rule Rule, wrong *i18n.Message) {
	const blanks = " \t\n"
	name, rest, _ := strings.Cut(strings.Trim(text, blanks), " ")
	rule = Rule{Tool: name, Do: Allow}
	switch rest = strings.Trim(rest, blanks); name {
	case Bash:
		_, wrong = rule.ReadTarget(Fields(rest), false)
	case Fetch:
		rule.Host = rest
	default:
		rule.Path = rest
	}
	return rule, wrong
}
