package shellwords

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A word is one of a call. If it is not known, its text is what it is computed from.
type word struct {
	text  string
	known bool
}

// A collector finds the calls of a command, and of what is a command in it: behind wrappers,
// in words and in what a shell reads. Where it cannot tell it takes more for a call than is
// one, because what it finds is denied or asked about and never allowed.
type collector struct {
	calls, partial [][]string
	// topSkipped leaves out the calls of the command itself.
	topSkipped bool
	unknown    bool // an empty partial call is there
	depth      int  // 0 for the calls of the command itself
	bytes      int  // of all words
}

// anything records that a program may be called of which nothing is known.
func (c *collector) anything() {
	if !c.unknown {
		c.unknown = true
		c.partial = append(c.partial, []string{})
	}
}

// full reports whether there is too much to go on.
func (c *collector) full() bool {
	if len(c.calls)+len(c.partial) < mostCalls && c.bytes < mostFound && c.depth < mostDepth {
		return false
	}
	c.anything()
	return true
}

// script finds the calls of a text that a shell is given.
func (c *collector) script(text string) {
	c.depth++
	defer func() { c.depth-- }()
	if c.full() {
		return
	}
	file, ok := parse(text)
	if !ok {
		c.anything()
		return
	}
	c.file(text, file)
}

// file finds the calls of a text that was parsed.
func (c *collector) file(source string, file *syntax.File) {
	var fed []string // what commands are given as their input, of this text
	reads := false   // a shell reads its commands from there
	if misread(source, file) {
		c.anything()
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Stmt:
			for _, r := range n.Redirs {
				fed = append(fed, given(source, r)...)
			}
		case *syntax.CallExpr:
			words := valuesOf(source, n.Args)
			if len(words) > 0 && (words[0].text == "echo" || words[0].text == "printf") {
				for _, w := range words[1:] {
					fed = append(fed, w.text)
				}
				fed = append(fed, joined(words[1:]))
			}
			reads = c.call(words, c.depth == 0 && c.topSkipped) || reads
		case *syntax.Assign:
			if n.Name != nil && startup(n.Name.Value) {
				c.anything()
			}
		case *syntax.DeclClause:
			c.add([]word{{n.Variant.Value, true}, {}})
		case *syntax.TimeClause:
			c.add([]word{{"time", true}, {}})
		case *syntax.CoprocClause:
			c.add([]word{{"coproc", true}, {}})
		case *syntax.ExtGlob: // whose pattern the parser leaves as it is
			c.anything()
		case *syntax.SglQuoted:
			if !c.topSkipped && (strings.Contains(n.Value, "$(") || strings.Contains(n.Value, "`")) {
				c.anything() // test -v and arithmetic run what stands in an index
			}
		}
		return true
	})
	if !reads {
		return
	}
	c.anything()
	for _, text := range fed {
		c.script(text)
	}
}

// given returns the input of a heredoc and of a word behind <<<.
func given(source string, r *syntax.Redirect) []string {
	switch {
	case r.Hdoc != nil:
		return []string{valueOf(source, r.Hdoc).text}
	case r.Op == syntax.WordHdoc:
		return []string{valueOf(source, r.Word).text}
	}
	return nil
}

// add records a call.
func (c *collector) add(words []word) {
	if c.full() {
		return
	}
	var call []string
	known := true
	for _, w := range words {
		if known && !w.known { // the first
			known = false
			if len(call) == 0 {
				c.anything()
			} else {
				c.partial = append(c.partial, append([]string{}, call...))
			}
		}
		if w != (word{}) {
			call = append(call, w.text)
			c.bytes += len(w.text)
		}
	}
	if len(call) > 0 {
		c.calls = append(c.calls, call)
	}
}

// call records a call, unless it is known already, and those that its words make. It reports
// whether it is a shell that reads commands from its input.
func (c *collector) call(words []word, recorded bool) (reads bool) {
	if len(words) == 0 || c.full() {
		return false
	}
	if !recorded {
		c.add(words)
	}
	c.depth++
	defer func() { c.depth-- }()
	name, rest := called(words[0].text), words[1:]
	if runsCode(name, rest) {
		c.anything()
	}
	for i, arg := range rest[:min(len(rest), mostBefore)] {
		if w, wraps := wrappers[name+" "+arg.text]; wraps && (i == 0 || strings.HasPrefix(rest[0].text, "-")) {
			return c.wrapped(name, w, rest[i+1:])
		}
	}
	switch w, wraps := wrappers[name]; {
	case wraps:
		return c.wrapped(name, w, rest)
	case shells[name]:
		return c.shell(rest)
	case name == "find", name == "fd", name == "fdfind":
		return c.found(name, rest)
	}
	if (name == "eval" || name == "trap") && len(rest) > 0 && rest[0].text == "--" {
		rest = rest[1:]
	}
	switch name {
	case "eval":
		c.text(rest)
	case "trap":
		if len(rest) > 0 {
			c.text(rest[:1])
		}
	case "export", "declare", "typeset", "readonly", "local", "setenv":
		if slices.ContainsFunc(rest, func(w word) bool { return startup(w.text) }) {
			c.anything()
		}
	case "alias":
		for _, w := range rest {
			_, is, _ := strings.Cut(w.text, "=")
			c.text([]word{{is, w.known}})
		}
	case "source", ".":
		return len(rest) > 0 && (!rest[0].known || strings.HasPrefix(rest[0].text, "/dev/"))
	}
	return false
}

// text finds the calls in words that are a script together.
func (c *collector) text(words []word) {
	for _, w := range words {
		if !w.known {
			c.anything()
		}
	}
	c.script(joined(words))
}

func joined(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.text
	}
	return strings.Join(texts, " ")
}

// shell finds the calls of a shell with these arguments.
func (c *collector) shell(args []word) (reads bool) {
	given := false // with -c
	for len(args) > 0 {
		arg := args[0]
		if !arg.known {
			c.anything()
		}
		if arg.text == "--" || arg.text == "-" {
			args = args[1:]
			break
		}
		if arg.text == "" || !strings.ContainsRune("-+", rune(arg.text[0])) {
			break
		}
		args = args[1:]
		short := !strings.HasPrefix(arg.text, "--")
		given = given || short && strings.Contains(arg.text, "c") || arg.text == "--command"
		if value := short && strings.ContainsAny(arg.text[len(arg.text)-1:], "oO") || arg.text == "--rcfile" || arg.text == "--init-file"; value && len(args) > 0 {
			args = args[1:]
		}
		if short && strings.Contains(arg.text, "s") {
			reads = true
		}
	}
	if given {
		if len(args) > 0 {
			c.text(args[:1])
		}
		return reads
	}
	return reads || len(args) == 0 || !args[0].known || strings.HasPrefix(args[0].text, "/dev/") || strings.HasPrefix(args[0].text, "/proc/")
}

// found finds the calls that find makes of what it finds.
func (c *collector) found(name string, args []word) (reads bool) {
	for i, arg := range args {
		switch arg.text {
		case "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch":
		default:
			if strings.HasPrefix(arg.text, "--exec") || name != "find" && carries(arg.text, "-x") || name != "find" && carries(arg.text, "-X") {
				c.anything() // the program is attached
			}
			continue
		}
		if c.full() {
			break
		}
		var words []word
		for _, w := range args[i+1:] {
			if w.text == ";" || w.text == "+" {
				break
			}
			w.known = w.known && !strings.Contains(w.text, "{}")
			words = append(words, w)
		}
		reads = c.call(words, false) || reads
	}
	return reads
}

// valuesOf returns the words of a call.
func valuesOf(source string, args []*syntax.Word) []word {
	words := make([]word, len(args))
	for i, arg := range args {
		words[i] = valueOf(source, arg)
	}
	return words
}

// valueOf returns what a word is without its quotes, and whether nothing in it is expanded.
func valueOf(source string, w *syntax.Word) word {
	v := word{known: true}
	var b strings.Builder
	for _, part := range w.Parts {
		v.known = value(&b, source, part, false) && v.known
	}
	v.text = b.String()
	return v
}

// value writes a part of a word. What is expanded stands as in the text.
func value(b *strings.Builder, source string, part syntax.WordPart, quoted bool) (known bool) {
	switch part := part.(type) {
	case *syntax.Lit:
		return unescape(b, part.Value, quoted)
	case *syntax.SglQuoted:
		b.WriteString(part.Value)
		return !part.Dollar || !strings.Contains(part.Value, `\`)
	case *syntax.DblQuoted:
		known = true
		for _, p := range part.Parts {
			known = value(b, source, p, true) && known
		}
		return known
	}
	const shown = 100 // bytes of what is expanded
	from, to := int(part.Pos().Offset()), int(part.End().Offset())
	b.WriteString(source[min(from, len(source)):min(max(from, to), from+shown, len(source))])
	return false
}

// unescape writes literal text, and reports whether the shell leaves it as it is.
func unescape(b *strings.Builder, text string, quoted bool) (known bool) {
	known = true
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("$`\"\\\n", text[i+1]) >= 0):
			if i++; text[i] != '\n' {
				b.WriteByte(text[i])
			}
			continue
		case !quoted && strings.IndexByte("*?[{~", c) >= 0 && !strings.HasPrefix(text[i:], "{}"):
			known = false
		}
		b.WriteByte(c)
	}
	return known
}
