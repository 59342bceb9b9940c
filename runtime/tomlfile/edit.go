package tomlfile

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// ErrNoEdit is returned for what cannot be changed without writing other things anew: a key
// of a table that stands in one line, or a text that is no TOML.
var ErrNoEdit error = textNoEdit.With()

// A Document is the text of a TOML file that is changed in places: what is not named stays as
// it is, to the byte, with its comments, order and line ends.
type Document struct{ text []byte }

// NewDocument returns the document of a text, without what some editors write before it.
func NewDocument(text []byte) *Document { return &Document{slices.Clone(text)} }

// Text returns the text as it is now.
func (d *Document) Text() []byte { return slices.Clone(d.text) }

// A Pair is a key with its value as TOML has it, see Literal.
type Pair struct{ Key, Value string }

// Literal returns a value as TOML has it: a text, a list of texts, a number, a bool, or a
// table of these, whose keys it sorts.
func Literal(v any) string {
	switch v := v.(type) {
	case string:
		return quote(v)
	case []string:
		all := make([]string, len(v))
		for i, text := range v {
			all[i] = quote(text)
		}
		return "[" + strings.Join(all, ", ") + "]"
	case map[string]string:
		return tableLiteral(v)
	case map[string]any:
		return tableLiteral(v)
	}
	return fmt.Sprint(v)
}

func tableLiteral[V any](table map[string]V) string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(table)) {
		all = append(all, bareKey(key)+" = "+Literal(table[key]))
	}
	return "{ " + strings.Join(all, ", ") + " }"
}

// quote returns a text as a basic string: not every escape of Go is one of TOML.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r == 0x7f || !strconv.IsPrint(r):
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// bareKey returns a key as it can stand before the equals sign.
func bareKey(key string) string {
	if key != "" && strings.Trim(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "" {
		return key
	}
	return quote(key)
}

// Set gives a key of a table a value. The table is "" for the keys before all tables, or a
// path as in Places; if it is not there it is added at the end.
func (d *Document) Set(table, key, value string) error {
	all, err := d.expressions()
	if err != nil {
		return err
	}
	path := strings.TrimPrefix(table+"."+key, ".")
	for _, e := range all {
		if e.header || e.path != path {
			continue
		}
		d.replace(e.value, e.end, value)
		return nil
	}
	if _, inside := Places(d.text)[path]; inside {
		return ErrNoEdit
	}
	line := bareKey(key) + " = " + value
	for i := len(all) - 1; i >= 0; i-- { // behind the last key of the table, else below its head
		if e := all[i]; e.table == table && (!e.header || e.path == table) {
			d.insert(d.lineEnd(e.end), line)
			return nil
		}
	}
	switch {
	case table == "":
		d.insert(d.head(), line)
	case strings.HasSuffix(table, "]"):
		return ErrNoEdit
	default:
		return d.setDotted(all, table, bareKey(key), value)
	}
	return nil
}

// setDotted adds a key of a table that has no head: beside its other keys, which are then
// written with the table before them, or below a new head at the end.
func (d *Document) setDotted(all []expression, table, key, value string) error {
	for i := len(all) - 1; i >= 0; i-- {
		if e := all[i]; !e.header && e.table == "" && strings.HasPrefix(e.path, table+".") {
			d.insert(d.lineEnd(e.end), table+"."+key+" = "+value)
			return nil
		}
	}
	if _, inside := Places(d.text)[table]; inside && !slices.ContainsFunc(all, func(e expression) bool { return strings.HasPrefix(e.path, table+".") }) {
		return ErrNoEdit // it stands in one line
	}
	d.add("["+table+"]", []Pair{{key, value}})
	return nil
}

// Value returns the value of a key of a table as it stands, with the comment behind it; false if
// there is none. Of a table with a head of its own it returns what it is in one line. Of a key
// that does not stand in one place otherwise it returns ErrNoEdit.
func (d *Document) Value(table, key string) (string, bool, error) {
	all, err := d.expressions()
	if err != nil {
		return "", false, err
	}
	path := strings.TrimPrefix(table+"."+key, ".")
	for _, e := range all {
		switch {
		case !e.header && e.path == path:
			return string(bytes.TrimRight(d.text[e.value:d.lineEnd(e.end)], " \t\r\n")), true, nil
		case e.header && e.path == path:
			return d.inOneLine(all, path)
		case e.path == path || strings.HasPrefix(e.path, path+"."):
			return "", false, ErrNoEdit
		}
	}
	if _, inside := Places(d.text)[path]; inside {
		return "", false, ErrNoEdit
	}
	return "", false, nil
}

// inOneLine returns a table with a head as an inline table. Tables within it cannot be written so.
func (d *Document) inOneLine(all []expression, table string) (string, bool, error) {
	var pairs []string
	for _, e := range all {
		switch {
		case !e.header && e.table == table:
			key := strings.TrimRight(string(d.text[e.from:e.value]), "= \t")
			pairs = append(pairs, key+" = "+string(d.text[e.value:e.end]))
		case e.path != table && strings.HasPrefix(e.path, table+"."):
			return "", false, ErrNoEdit
		}
	}
	return "{ " + strings.Join(pairs, ", ") + " }", true, nil
}

// Unset removes a key with its line. A key that is not there is removed already.
func (d *Document) Unset(table, key string) error {
	all, err := d.expressions()
	if err != nil {
		return err
	}
	path := strings.TrimPrefix(table+"."+key, ".")
	for _, e := range slices.Backward(all) {
		if e.path == path || strings.HasPrefix(e.path, path+".") && !e.header {
			d.replace(e.from, d.lineEnd(e.end), "")
		}
	}
	if _, inside := Places(d.text)[path]; inside {
		return ErrNoEdit
	}
	return nil
}

// Add adds a table to a list of tables, at the end of the text.
func (d *Document) Add(list string, pairs ...Pair) error {
	all, err := d.expressions()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(e expression) bool { return !e.header && e.path == list }) {
		return ErrNoEdit
	}
	d.add("[["+list+"]]", pairs)
	return nil
}

func (d *Document) add(head string, pairs []Pair) {
	lines := make([]string, 0, 2+len(pairs))
	if len(bytes.TrimSpace(d.text)) > 0 {
		lines = append(lines, "")
	}
	lines = append(lines, head)
	for _, p := range pairs {
		lines = append(lines, p.Key+" = "+p.Value)
	}
	d.insert(len(d.text), lines...)
}

// Remove removes a table of a list, with all of its keys, and what is in it. Comments outside
// of it stay.
func (d *Document) Remove(table string) error {
	all, err := d.expressions()
	if err != nil {
		return err
	}
	found := false
	for i := len(all) - 1; i >= 0; i-- {
		upto := all[i]
		if upto.table != table && !strings.HasPrefix(upto.table, table+".") {
			continue
		}
		first := i
		for !all[first].header {
			first--
		}
		i, found = first, true
		from, end := all[first].from, d.lineEnd(upto.end)
		if d.blankBefore(from) && d.blankAt(end) { // one of two blank lines that would meet
			end = d.lineEnd(end)
		}
		d.replace(from, end, "")
	}
	if _, inside := Places(d.text)[table]; inside && !found {
		return ErrNoEdit
	}
	return nil
}

// RemoveEmpty removes the head of a table that has no keys, and no comment up to a blank line.
func (d *Document) RemoveEmpty(table string) error {
	all, err := d.expressions()
	if err != nil {
		return err
	}
	in := func(e expression) bool { return e.table == table || strings.HasPrefix(e.table, table+".") }
	at := slices.IndexFunc(all, in)
	if at < 0 || !all[at].header || slices.ContainsFunc(all[at+1:], in) {
		return nil
	}
	from, end := all[at].from, d.lineEnd(all[at].end)
	if line := d.text[end:d.lineEnd(end)]; bytes.Contains(d.text[all[at].end:end], []byte("#")) || bytes.HasPrefix(bytes.TrimSpace(line), []byte("#")) {
		return nil
	}
	if d.blankBefore(from) && d.blankAt(end) { // one of two blank lines that would meet
		end = d.lineEnd(end)
	}
	d.replace(from, end, "")
	return nil
}

// expressions returns those of the text.
func (d *Document) expressions() ([]expression, error) {
	all, sound := expressions(d.text)
	if !sound {
		return nil, ErrNoEdit
	}
	return all, nil
}

func (d *Document) replace(from, upto int, with string) {
	d.text = slices.Concat(d.text[:from], []byte(with), d.text[upto:])
}

// insert puts lines where a line begins, or at the end, with the line ends that the text has.
func (d *Document) insert(at int, lines ...string) {
	end := "\n"
	if i := bytes.IndexByte(d.text, '\n'); i > 0 && d.text[i-1] == '\r' {
		end = "\r\n"
	}
	text := strings.Join(lines, end) + end
	if at > 0 && d.text[at-1] != '\n' {
		text = end + text
	}
	d.replace(at, at, text)
}

// lineEnd returns where the line of an offset ends, behind its end.
func (d *Document) lineEnd(at int) int {
	if i := bytes.IndexByte(d.text[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(d.text)
}

func (d *Document) blankAt(at int) bool {
	return at < len(d.text) && len(bytes.TrimSpace(d.text[at:d.lineEnd(at)])) == 0
}

func (d *Document) blankBefore(at int) bool {
	if at == 0 {
		return true
	}
	from := bytes.LastIndexByte(d.text[:at-1], '\n') + 1
	return len(bytes.TrimSpace(d.text[from:at])) == 0
}

// head returns where the first key of all goes: behind the comment with which the text
// begins, if a blank line ends it.
func (d *Document) head() int {
	at := 0
	for at < len(d.text) && bytes.HasPrefix(bytes.TrimSpace(d.text[at:d.lineEnd(at)]), []byte("#")) {
		at = d.lineEnd(at)
	}
	if at > 0 && d.blankAt(at) {
		return d.lineEnd(at)
	}
	return 0
}

// spanOf returns where the value of an expression begins, and where the expression ends.
func spanOf(text []byte, n *unstable.Node) (value, end int) {
	key := n.Key()
	last := 0
	for key.Next() {
		last = int(key.Node().Raw.Offset + key.Node().Raw.Length)
	}
	if n.Kind != unstable.KeyValue {
		if i := bytes.IndexByte(text[last:], ']'); i >= 0 {
			return last, last + i + 1
		}
		return last, last
	}
	end = int(n.Raw.Offset + n.Raw.Length)
	value = last
	for value < end && (text[value] == ' ' || text[value] == '\t' || text[value] == '=') {
		value++
	}
	for end > value && (text[end-1] == ' ' || text[end-1] == '\t') {
		end--
	}
	return value, end
}
