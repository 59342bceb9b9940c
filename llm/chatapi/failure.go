package chatapi

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// A report is the content of an error body of any shape.
type report struct {
	text string
	kind string // its type and code, in small letters
	name string // its first code, else its first type
	told bool   // name is a code
	code int    // if the code is an HTTP status
}

// classify returns the class of an error. status is 0 if it came within a stream, and
// then whatever the body says.
func (private redactor) classify(status int, contentType string, body []byte) *llm.Error {
	page := strings.Contains(contentType, "html") || strings.HasPrefix(strings.TrimSpace(string(body)), "<")
	r := report{text: pageText(body)}
	if !page {
		r = parseReport(body)
	}
	if status == 0 {
		status = r.code
	}
	failure := &llm.Error{Class: class(status, r, page), Status: status, Code: private.line(r.name), Text: private.line(r.text), Quotes: true}
	if failure.Text == "" {
		failure.Text = strings.ToLower(http.StatusText(status))
	}
	if failure.Text == "" {
		failure.Text = "the endpoint reports an error and does not say which"
	}
	return failure
}

var (
	tooLong = lazyregexp.New(`context_length_exceeded|exceed_context_size|context_too_large|context size has been exceeded|` +
		`maximum context length|context (window|length) (of|is|was|has been) |exceeds? (the )?(model'?s )?(maximum )?context|prompt is too long|input is too long`)
	noFunds   = lazyregexp.New(`insufficient_quota|insufficient[ _](balance|credit|funds)|billing_hard_limit|billing_not_active|out of credits|credit balance is too low`)
	tooMany   = lazyregexp.New(`rate[ _-]?limit|too many requests|too_many_requests`)
	wrongKey  = lazyregexp.New(`invalid_api_key|authentication|unauthorized|permission_denied|incorrect api key`)
	malformed = lazyregexp.New(`invalid_request|bad_request|invalid_argument|not_found|unprocessable`)
)

func class(status int, r report, page bool) llm.Class {
	said := r.kind + " " + strings.ToLower(r.text)
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return llm.Auth
	case status == http.StatusPaymentRequired || (noFunds.MatchString(said) && (status == 0 || status == http.StatusTooManyRequests)):
		return llm.Quota
	case status == http.StatusTooManyRequests || status == 529:
		return llm.Rate
	case status == http.StatusRequestEntityTooLarge || tooLong.MatchString(said):
		return llm.Context
	case status == http.StatusRequestTimeout || status == http.StatusConflict || status == http.StatusTooEarly || status >= 500:
		return llm.Overload
	case page || (status != 0 && status < 400):
		return llm.NotChat
	case status >= 400:
		return llm.Invalid
	}
	// An error within a stream that names no status.
	switch {
	case tooMany.MatchString(said):
		return llm.Rate
	case wrongKey.MatchString(r.kind):
		return llm.Auth
	case malformed.MatchString(r.kind):
		return llm.Invalid
	}
	return llm.Overload
}

// parseReport reads the shapes of errors that are in use: OpenAI's object, a
// bare string, vLLM's and FastAPI's, a list with one of these in it, plain text.
func parseReport(body []byte) report {
	v, rest, ok := first(body)
	if !ok || len(rest) > 0 {
		return report{text: string(body)}
	}
	var r report
	r.read(v, deepest)
	r.kind = strings.ToLower(strings.TrimSpace(r.kind))
	return r
}

func (r *report) read(v value, depth int) {
	switch {
	case depth == 0:
	case v.isString():
		r.say(v.str())
	case v.isArray():
		list := v.members()
		for _, element, more := list.next(); more; _, element, more = list.next() {
			r.read(element, depth-1)
		}
	case v.isObject():
		r.object(v, depth)
	}
}

func (r *report) object(v value, depth int) {
	for _, name := range []string{"error", "errors", "message", "msg", "detail", "error_msg", "loc"} {
		if member := v.member(name); isFault(member) {
			r.read(member, depth-1)
		}
	}
	for _, name := range []string{"type", "code", "status", "error_code"} {
		member := v.member(name)
		if n, ok := member.number(); ok {
			if n >= 400 && n < 600 && r.code == 0 {
				r.code = int(n)
			}
		} else if member.isString() {
			r.kind += " " + member.str()
			r.called(member.str(), name != "type")
		}
	}
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

// errno returns what the system said, without the name of its call.
func errno(err error) string {
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err.Error()
	}
	return err.Error()
}

// networkFailure describes what went wrong on the way. The text of the cause may hold
// foreign bytes; the cause that is returned does not.
func networkFailure(err error) (llm.Class, string, error) {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if wrong, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return llm.NotChat, "the endpoint's certificate is not trusted: " + wrong.Err.Error(), nil
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || strings.Contains(err.Error(), "HTTP response to HTTPS client") {
		return llm.NotChat, "the endpoint does not speak TLS; perhaps its base URL begins with http", nil
	}
	if unknown, ok := errors.AsType[*net.DNSError](err); ok {
		return llm.Overload, "the host " + unknown.Name + " cannot be found", unknown
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		if op.Op == "dial" && op.Addr != nil {
			return llm.Overload, fmt.Sprintf("%s cannot be reached: %s", op.Addr, errno(op.Err)), op
		}
		return llm.Overload, fmt.Sprintf("the connection broke (%s): %s", op.Op, errno(op.Err)), op
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return llm.Overload, "the endpoint closed the connection", io.ErrUnexpectedEOF
	}
	return llm.Overload, err.Error(), nil
}
