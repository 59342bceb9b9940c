package chatapi

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"society-tui/llm"
)

const (
	longestError  = 64 << 10         // bytes of an error's body that are read
	errorPatience = 10 * time.Second // how long they may take
	userAgent     = "society-tui"
)

// An exchange does one request for go-openai: it sends it nowhere but to the
// endpoint, turns whatever is not a stream into an error, and normalizes what is.
type exchange struct {
	client  *http.Client
	base    *url.URL
	private redactor
	extras  []extra
	idle    *watch
	wire    *llm.Wire // nil for none
}

// Do implements openai.HTTPDoer. Its errors are *refusal or *llm.Error.
func (x *exchange) Do(r *http.Request) (*http.Response, error) {
	if !sameOrigin(x.base, r.URL) {
		return nil, x.fail(llm.Invalid, "the request would leave "+x.base.Host)
	}
	if err := x.restore(r); err != nil {
		return nil, x.fail(llm.Invalid, err.Error())
	}
	if err := x.keepRequest(r); err != nil {
		return nil, x.fail(llm.Invalid, err.Error())
	}
	r.Header.Set("User-Agent", userAgent)
	x.idle.start()
	resp, err := x.client.Do(r)
	if err != nil {
		x.idle.stop()
		return nil, x.unreached(err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, x.refused(resp)
	}
	resp.Body = &normalizedBody{streamNormalizer: newStreamNormalizer(x.watched(resp.Body), x.private), body: resp.Body}
	return resp, nil
}

// keepRequest keeps the body that is sent.
func (x *exchange) keepRequest(r *http.Request) error {
	if x.wire == nil {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	x.wire.Sent(body, x.private.exchange)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

// watched returns the body of an answer under the watch; what is read of it is kept.
func (x *exchange) watched(body io.Reader) *watched {
	if x.wire != nil {
		body = io.TeeReader(body, x.wire)
	}
	return &watched{Reader: body, watch: x.idle}
}

// restore merges into the body what go-openai could not carry.
func (x *exchange) restore(r *http.Request) error {
	if len(x.extras) == 0 {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	body = merge(body, x.extras)
	r.ContentLength = int64(len(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return nil
}

func (x *exchange) fail(class llm.Class, text string) *llm.Error {
	return &llm.Error{Class: class, Text: x.private.line(text)}
}

// unreached is the error for a request that got no answer.
func (x *exchange) unreached(err error) error {
	if x.idle.fired() {
		return x.fail(llm.Overload, x.idle.text())
	}
	class, text, cause := networkFailure(err)
	return &llm.Error{Class: class, Text: x.private.line(text), Err: cause}
}

// refused is the error for an answer that is not a success.
func (x *exchange) refused(resp *http.Response) error {
	source := x.watched(resp.Body)
	source.within(errorPatience)
	defer x.idle.stop()
	// What could be read within the bounds has to do: the status says enough.
	body, _ := io.ReadAll(io.LimitReader(source, longestError))
	failure := x.private.classify(resp.StatusCode, resp.Header.Get("Content-Type"), body)
	failure.RetryAfter = retryAfter(resp.Header, time.Now())
	if resp.StatusCode/100 == 3 {
		failure.Text = x.private.line("the endpoint redirects to " + destination(resp))
	}
	return &refusal{failure: failure, body: string(body)}
}

// destination returns the target of a redirect, without parts that may be secret.
func destination(resp *http.Response) string {
	to, err := resp.Location()
	if err != nil {
		return "nowhere"
	}
	return to.Scheme + "://" + to.Host
}

// A refusal is an answer with an error status. It keeps the body, in which the
// refused field is named.
type refusal struct {
	failure *llm.Error
	body    string
}

func (r *refusal) Error() string { return r.failure.Error() }

// normalizedBody is the body that go-openai reads.
type normalizedBody struct {
	*streamNormalizer
	body io.Closer
}

// Close releases the connection, for another request if the answer was whole.
func (b *normalizedBody) Close() error {
	if b.complete {
		b.source.within(lastBytesPatience)
		_, _ = io.CopyN(io.Discard, b.source, 4<<10) // its end is near, or not worth waiting for
	}
	b.source.watch.stop()
	return b.body.Close()
}
