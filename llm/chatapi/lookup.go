package chatapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"society-tui/llm"
)

// longestLookup bounds what Lookup reads.
const longestLookup = 2 << 20

// Lookup asks the endpoint for something else than an answer, as the model is asked: with its
// key, and without following a redirect. A path such as "models" is below the base URL; one
// such as "/api/ps" is beside it, in the place of its /v1. It is asked with GET, or with POST
// if there is a body of JSON. The error is an *llm.Error or that of ctx.
func (m *Model) Lookup(ctx context.Context, path string, body []byte) ([]byte, error) {
	work, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := &exchange{client: &m.client, base: m.base, private: m.private, options: &m.config, idle: newWatch(0, cancel)}
	request, err := m.lookupRequest(work, path, body)
	if err != nil {
		return nil, x.fail(llm.Invalid, err.Error())
	}
	text, err := x.lookup(request)
	if err != nil {
		return nil, m.failure(ctx, err)
	}
	return text, nil
}

func (m *Model) lookupRequest(ctx context.Context, path string, body []byte) (*http.Request, error) {
	to := *m.base
	if strings.HasPrefix(path, "/") {
		to.Path = strings.TrimSuffix(to.Path, "/v1") + path
	} else {
		to.Path += "/" + path
	}
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(ctx, method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("ask for %s: %w", path, err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", userAgent)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if m.config.Key != "" {
		request.Header.Set("Authorization", "Bearer "+string(m.config.Key))
	}
	m.config.head(request)
	return request, nil
}

func (x *exchange) lookup(request *http.Request) ([]byte, error) {
	resp, err := x.client.Do(request)
	if err != nil {
		return nil, x.unreached(request, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, x.refused(resp)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, longestLookup+1))
	if err == nil && len(text) > longestLookup {
		err = errors.New("the endpoint sent more than 2 MiB")
	}
	if err != nil {
		return nil, x.fail(llm.Overload, err.Error())
	}
	return text, nil
}
