package chatapi

import (
	"net/http"
	"strings"
	"time"

	"society-tui/llm"
)

// nameOf are the codes of statuses that a class has beside others.
var nameOf = map[int]string{http.StatusForbidden: "forbidden", http.StatusNotFound: "not_found"}

// classify returns the class of an error. status is 0 if it came within a stream, and
// then whatever the body says. now is the time of the endpoint.
func (private redactor) classify(status int, header http.Header, body []byte, now time.Time) *llm.Error {
	page := strings.Contains(header.Get("Content-Type"), "html") || strings.HasPrefix(strings.TrimSpace(string(body)), "<")
	r := report{text: pageText(body)}
	if !page {
		r = parseReport(body)
	}
	if status == 0 {
		status = r.code
	}
	failure := &llm.Error{Class: classOf(status, &r, page), Status: status, Code: private.line(r.name), Text: private.line(r.text), Quotes: true}
	if failure.Class == llm.Context {
		if failure.Window = r.window; r.window == 0 {
			failure.Window = learnWindow(r.text)
		}
	}
	if failure.Code == "" { // the status says as much, where others of its class mean something else
		failure.Code = nameOf[status]
	}
	failure.RetryAfter = waitOf(header, &r, failure.Class, now)
	if failure.Text == "" {
		failure.Text, failure.Quotes = strings.ToLower(http.StatusText(status)), r.name != ""
	}
	if failure.Text == "" {
		failure.Text = "the endpoint reports an error and does not say which"
	}
	return failure
}
