package chatapi

import (
	"bytes"
	"errors"
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
// endpoint, turns whatever is not a stream into an error, and normalizes what is. The answer
// is read from it alone: go-openai would decode once more what is canonical already.
type exchange struct {
	client  *http.Client
	base    *url.URL
	private redactor
	options *Config
	learned *learned
	sent    *request
	idle    *watch
	wire    *llm.Wire // nil for none
	answer  *normalizedBody
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
	x.options.head(r)
	x.idle.start()
	resp, err := x.client.Do(r)
	if err != nil {
		x.idle.stop()
		return nil, x.unreached(r, err)
	}
	if resp.StatusCode != http.StatusOK {
		defer resp.Body.Close()
		return nil, x.refused(resp)
	}
	x.learned.fromHeader(resp.Header)
	x.answer = &normalizedBody{streamNormalizer: newStreamNormalizer(x.watched(resp.Body), x.private), body: resp.Body}
	resp.Body = http.NoBody
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

// restore puts into the body the messages, and what go-openai could not carry.
func (x *exchange) restore(r *http.Request) error {
	body := make([]byte, max(r.ContentLength, 0))
	if _, err := io.ReadFull(r.Body, body); err != nil {
		return fmt.Errorf("read the request: %w", err)
	}
	body, err := withMessages(body, x.sent.messages)
	if err != nil {
		return err
	}
	if len(x.sent.extras) > 0 {
		body = merge(body, x.sent.extras)
	}
	if x.sent.marked {
		body = markForCache(body)
	}
	body = withOptions(body, x.sent.options)
	r.ContentLength = int64(len(body))
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return nil
}

func (x *exchange) fail(class llm.Class, text string) *llm.Error {
	return &llm.Error{Class: class, Text: x.private.line(text)}
}

// unreached is the error for a request that got no answer. It names the proxy, which is as
// often to blame as the endpoint.
func (x *exchange) unreached(r *http.Request, err error) error {
	if x.idle.fired() {
		failure := x.fail(llm.Overload, x.idle.text())
		failure.Code = llm.CodeSilent
		return failure
	}
	for _, refused := range []error{ErrPlainHTTP, ErrPublicHTTP} {
		if errors.Is(err, refused) { // nothing was sent, and nothing would be the next time
			return &llm.Error{Class: llm.Invalid, Text: x.private.line(x.base.Host + ": " + refused.Error()), Err: refused}
		}
	}
	failure := networkFailure(err)
	if proxy := proxyOf(x.client, r); proxy != "" && failure.Class == llm.Network {
		failure.Text += " (through the proxy " + proxy + ")"
		failure.Proxy = x.private.line(proxy)
	}
	failure.Text, failure.Place = x.private.line(failure.Text), x.private.line(failure.Place)
	return failure
}

// refused is the error for an answer that is not a success.
func (x *exchange) refused(resp *http.Response) error {
	source := x.watched(resp.Body)
	source.within(errorPatience)
	defer x.idle.stop()
	// What could be read within the bounds has to do: the status says enough.
	body, _ := io.ReadAll(io.LimitReader(source, longestError))
	failure := x.private.classify(resp.StatusCode, resp.Header, body, time.Now())
	if resp.StatusCode/100 == 3 {
		to := destination(resp)
		failure.Code, failure.Place, failure.Text, failure.Quotes = llm.CodeRedirect, x.private.line(to), x.private.line("the endpoint redirects to "+to), false
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

// normalizedBody is the body of an answer.
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
