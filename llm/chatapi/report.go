package chatapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"society-tui/llm/lazyregexp"
)

// A report is the content of an error body of any shape.
type report struct {
	text   string
	codes  []string // its types and codes, in small letters
	name   string   // its first code, else its first type
	told   bool     // name is a code
	code   int      // if a code is an HTTP status
	window int      // if a member names it; 0 if none does
	delay  value    // how long to wait, in a member; nil for none
	unit   float64  // how many of the delay's make a second, if it is a number
	header http.Header
}

// parseReport reads the shapes of errors that are in use: OpenAI's object, a bare string,
// vLLM's and FastAPI's, Google's details, a list with one of these in it, one in a string
// of another, plain text.
func parseReport(body []byte) report {
	v, rest, ok := first(body)
	if !ok || len(rest) > 0 {
		return report{text: string(body)}
	}
	var r report
	r.read(v, nested)
	return r
}

func (r *report) read(v value, depth int) {
	switch {
	case depth == 0:
	case v.isString():
		text := v.str()
		if inner, rest, ok := first([]byte(text)); ok && len(rest) == 0 && (inner.isObject() || inner.isArray()) {
			r.read(inner, depth-1)
			return
		}
		r.say(text)
	case v.isArray():
		list := v.members()
		for _, element, more := list.next(); more; _, element, more = list.next() {
			r.read(element, depth-1)
		}
	case v.isObject():
		r.object(v, depth)
	}
}

// The members of an error that count: with its text, or an error in their turn; with a name
// for it; with how long to wait, and how many of their units make a second.
var (
	textMembers = []string{"error", "errors", "message", "msg", "detail", "error_msg", "error_message", "loc", "details", "violations", "metadata", "raw"}
	codeMembers = []string{"type", "code", "status", "error_code", "reason", "quotaId"}
	waitMembers = []string{"retry_after_ms", "retryDelay", "retry_after", "retry_after_seconds", "resets_in_seconds"}
)

const (
	windowMember  = "n_ctx"
	headersMember = "headers"
)

// nested limits how far errors may be within each other: Google's have details in lists.
const nested = 12

func (r *report) object(v value, depth int) {
	found := map[string]value{}
	fields := v.members()
	for key, member, more := fields.next(); more; key, member, more = fields.next() {
		if _, twice := found[string(key)]; !twice && len(found) < 256 {
			found[string(key)] = member
		}
	}
	for _, name := range textMembers {
		if member := found[name]; isFault(member) {
			r.read(member, depth-1)
		}
	}
	for _, name := range codeMembers {
		r.named(name, found[name])
	}
	if n, ok := found[windowMember].number(); ok && r.window == 0 {
		r.window = inRange(n)
	}
	for _, name := range waitMembers {
		if member := found[name]; r.delay == nil && !member.isNull() {
			r.delay, r.unit = member, 1
			if strings.HasSuffix(name, "_ms") {
				r.unit = 1000
			}
		}
	}
	if headers := found[headersMember]; headers.isObject() && r.header == nil {
		r.header = headers.header()
	}
}

// named takes a name or number of the error.
func (r *report) named(member string, v value) {
	n, isNumber := v.number()
	switch {
	case isNumber && n >= 400 && n < 600:
		if r.code == 0 {
			r.code = int(n)
		}
	case isNumber:
		r.codes = append(r.codes, strconv.FormatFloat(n, 'f', -1, 64))
	case v.isString():
		r.codes = append(r.codes, strings.ToLower(v.str()))
		if member != "quotaId" {
			r.called(v.str(), member != "type")
		}
	}
}

// header reads the members of an object as headers.
func (v value) header() http.Header {
	h := http.Header{}
	fields := v.members()
	for key, member, more := fields.next(); more; key, member, more = fields.next() {
		h.Set(string(key), member.str())
	}
	return h
}

// code matches what can be the name of an error, as opposed to a text about it.
var code = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)

// called takes what the endpoint calls the error. A code says more than a type.
func (r *report) called(name string, isCode bool) {
	if code.MatchString(name) && (r.name == "" || isCode && !r.told) {
		r.name, r.told = name, isCode
	}
}

// longestText limits the text that is taken from an endpoint's error.
const longestText = 4 << 10

// say adds text, unless it was said already.
func (r *report) say(text string) {
	switch {
	case r.text == "":
		r.text = text
	case len(r.text) > longestText:
	case !strings.Contains(r.text, text):
		r.text += "; " + text
	}
}

// squashed returns the codes without what endpoints spell differently, each between spaces.
func (r *report) squashed() string {
	return " " + strings.Join(slices.Collect(func(yield func(string) bool) {
		for _, c := range r.codes {
			if !yield(squash.Replace(c)) {
				return
			}
		}
	}), " ") + " "
}

var squash = strings.NewReplacer("_", "", "-", "", ".", "")

var (
	pageTitle = lazyregexp.New(`(?is)<title[^>]*>(.*?)</title>`)
	pageCode  = lazyregexp.New(`(?is)<(script|style)[^>]*>.*?</(script|style)>|<[^>]*>`)
)

// pageText returns the title of a web page, or else its text.
func pageText(body []byte) string {
	if title := pageTitle.FindSubmatch(body); title != nil {
		return string(title[1])
	}
	return string(pageCode.ReplaceAll(body, []byte(" ")))
}
