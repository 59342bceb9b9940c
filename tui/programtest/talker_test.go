package programtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"society-tui/runtime/tool/org"
)

// A talker is an endpoint that answers every request with words at the pace of
// a model.
type talker struct {
	pace time.Duration
	// pieces is the length of an answer, followed by a call, so that the agent
	// returns with the result; 0 never ends.
	pieces int
	// full is the number of messages at which a context is compressed; 0 is never.
	full int

	begun, open, said, answered atomic.Int64
}

func (s *talker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	begun := s.begun.Add(1)
	s.open.Add(1)
	defer s.open.Add(-1)
	request, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	tick := time.NewTicker(s.pace)
	defer tick.Stop()
	send := func(delta string) bool {
		s.said.Add(1)
		_, _ = fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":%s}]}`+"\n\n", delta)
		if http.NewResponseController(w).Flush() != nil {
			return false
		}
		select {
		case <-tick.C:
			return true
		case <-r.Context().Done():
			return false
		}
	}
	for i := 0; s.pieces == 0 || i < s.pieces; i++ {
		if !send(`{"content":"some more words "}`) {
			return
		}
	}
	s.answered.Add(1)
	name, arguments := "look", fmt.Sprintf(`{"about":"%d"}`, begun)
	if s.full > 0 && bytes.Count(request, []byte(`"role":`)) > s.full {
		name, arguments = org.CompressContext, fmt.Sprintf(`{"summary":"words, up to %d","keepRecentCount":4}`, begun)
	}
	text, _ := json.Marshal(arguments) // a string always encodes
	send(fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"call_%d","type":"function","function":{"name":%q,"arguments":%s}}]}`, begun, name, text))
	_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`+"\n\ndata: [DONE]\n\n")
}
