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
)

// errno returns what the system said, without the name of its call.
func errno(err error) string {
	if call, ok := errors.AsType[*os.SyscallError](err); ok {
		return call.Err.Error()
	}
	return err.Error()
}

// networkFailure describes what went wrong on the way. The text of the cause may hold
// foreign bytes; the cause that is returned does not.
func networkFailure(err error) *llm.Error {
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if wrong, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return &llm.Error{Class: llm.Network, Code: llm.CodeCertificate, Text: "the endpoint's certificate is not trusted: " + wrong.Err.Error()}
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok || strings.Contains(err.Error(), "HTTP response to HTTPS client") {
		return &llm.Error{Class: llm.Network, Code: llm.CodeTLS, Text: "the endpoint does not speak TLS; perhaps its base URL begins with http"}
	}
	op, isOp := errors.AsType[*net.OpError](err)
	if isOp && op.Op == "proxyconnect" || err.Error() == http.StatusText(http.StatusProxyAuthRequired) {
		failure := &llm.Error{Class: llm.Network, Code: llm.CodeProxy, Text: "the proxy refuses: " + err.Error()}
		if isOp {
			failure.Text, failure.Err = "the proxy cannot be reached: "+errno(innermost(op)), op
		}
		return failure
	}
	if unknown, ok := errors.AsType[*net.DNSError](err); ok {
		return &llm.Error{Class: llm.Network, Code: llm.CodeHost, Place: unknown.Name, Text: "the host " + unknown.Name + " cannot be found", Err: unknown}
	}
	switch {
	case isOp && op.Op == "dial" && op.Addr != nil:
		return &llm.Error{Class: llm.Network, Code: llm.CodeUnreachable, Place: op.Addr.String(), Text: fmt.Sprintf("%s cannot be reached: %s", op.Addr, errno(op.Err)), Err: op}
	case isOp && op.Op == "dial":
		return &llm.Error{Class: llm.Network, Code: llm.CodeUnreachable, Text: "the endpoint cannot be reached: " + errno(op.Err), Err: op}
	case isOp:
		return &llm.Error{Class: llm.Overload, Code: llm.CodeClosed, Text: fmt.Sprintf("the connection broke (%s): %s", op.Op, errno(op.Err)), Err: op}
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return &llm.Error{Class: llm.Overload, Code: llm.CodeClosed, Text: "the endpoint closed the connection", Err: io.ErrUnexpectedEOF}
	case strings.Contains(err.Error(), "TLS handshake timeout"):
		return &llm.Error{Class: llm.Network, Code: llm.CodeUnreachable, Text: "the endpoint does not answer the TLS handshake"}
	}
	return &llm.Error{Class: llm.Overload, Text: err.Error()}
}

// innermost returns what the system said of a connection within a connection.
func innermost(op *net.OpError) error {
	if inner, ok := errors.AsType[*net.OpError](op.Err); ok {
		return inner.Err
	}
	return op.Err
}

// proxyOf returns the host of the proxy that a request goes through; "" for none.
func proxyOf(client *http.Client, r *http.Request) string {
	t, ok := client.Transport.(*http.Transport)
	if !ok || t.Proxy == nil {
		return ""
	}
	u, err := t.Proxy(r)
	if err != nil || u == nil {
		return ""
	}
	return u.Host
}
