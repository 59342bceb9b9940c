package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// The codes of errors of the transport, beside those of the rules.
const (
	CodeUnauthorized = "unauthorized"
	CodeForbidden    = "forbidden"
	CodeNotFound     = "not_found"
	CodeMethod       = "method_not_allowed"
	CodeKeyReused    = "key_reused"
	CodeMediaType    = "unsupported_media_type"
	CodeTooMany      = "too_many_requests"
	CodeLeaving      = "leaving"
	CodeInUse        = "worktree_in_use"
	CodeInternal     = "internal"
	CodeTooLarge     = string(society.TooLarge)
	CodeInvalid      = string(society.InvalidArguments)
)

// An Error is the reply to a request that had no effect.
type Error struct {
	Status     int `json:"-"`
	RetryAfter int `json:"-"` // seconds, 0 for none

	Code      string       `json:"error" jsonschema:"names the reason; a closed list"`
	Message   string       `json:"message" jsonschema:"says what to do instead"`
	AgentID   string       `json:"agentId,omitempty" jsonschema:"whom it is about"`
	Fields    []FieldError `json:"fields,omitempty" jsonschema:"what is wrong with the request"`
	RequestID string       `json:"requestId" jsonschema:"as in the log"`
}

// A FieldError is a mistake in one field of a request.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Error returns the code and the message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// invalid returns the error of a mistake in a field.
func invalid(field, message string) *Error {
	return &Error{
		Status: http.StatusBadRequest, Code: CodeInvalid, Message: strings.TrimPrefix(field+": "+message, ": "),
		Fields: []FieldError{{field, message}},
	}
}

// statuses are the statuses of the codes of the rules.
var statuses = map[society.Code]int{
	society.InvalidTaskBrief:     http.StatusBadRequest,
	society.InvalidMessageFormat: http.StatusBadRequest,
	society.InvalidArguments:     http.StatusBadRequest,
	society.InvalidRecipient:     http.StatusBadRequest,
	society.NotYourChild:         http.StatusBadRequest,
	society.AgentNotFound:        http.StatusNotFound,
	society.TaskNotFound:         http.StatusNotFound,
	society.AgentStopped:         http.StatusConflict,
	society.TooLarge:             http.StatusRequestEntityTooLarge,
	society.LimitReached:         http.StatusTooManyRequests,
	society.MailboxFull:          http.StatusTooManyRequests,
	society.StoreUnavailable:     http.StatusServiceUnavailable,
	society.NoWorktree:           http.StatusConflict,
}

// ErrorOf returns the reply for an error.
func ErrorOf(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	if r, ok := errors.AsType[*society.Refusal](err); ok {
		return refusal(r)
	}
	switch {
	case errors.Is(err, api.ErrLeaving):
		return &Error{Status: http.StatusServiceUnavailable, RetryAfter: 5, Code: CodeLeaving, Message: "the program is leaving; start it again, then repeat the request"}
	case errors.Is(err, api.ErrKeyReused):
		return &Error{Status: http.StatusConflict, Code: CodeKeyReused, Message: "this Idempotency-Key was used for another request; use a new one"}
	}
	return &Error{Status: http.StatusInternalServerError, Code: CodeInternal, Message: "the request failed; the log explains it under this requestId"}
}

func refusal(r *society.Refusal) *Error {
	e := &Error{Status: statuses[r.Code], Code: string(r.Code), Message: why(r), AgentID: string(r.Agent)}
	for _, m := range r.Mistakes {
		e.Fields = append(e.Fields, FieldError{m.Where, m.Why.Error()})
	}
	if r.Code == society.StoreUnavailable {
		e.RetryAfter = 1
	}
	return e
}

// why returns the reason of a refusal. Those that name a tool of agents, or an argument of it,
// name a route instead.
func why(r *society.Refusal) string {
	if r.Why == nil {
		return ""
	}
	switch r.Why.Key {
	case protocol.NoSuchAgent:
		return fmt.Sprintf("there is no agent with the id %q; GET /api/agents lists the ids of those there are", r.Why.Args...)
	case protocol.WasTerminated:
		return fmt.Sprintf("%s was terminated; GET /api/agents lists those there are", r.Why.Args...)
	case protocol.UnknownTask:
		return fmt.Sprintf("there is no task %q; GET /api/tasks lists those there are", r.Why.Args...)
	}
	return r.Why.In(protocol.English)
}

// WriteError writes the reply to a request that had no effect.
func WriteError(w http.ResponseWriter, e *Error) {
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfter))
	}
	e.RequestID = w.Header().Get(RequestIDHeader)
	writeJSON(w, e.Status, e)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // all types of replies can be encoded
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // a client that is gone hears nothing
}

func refuseMethod(allowed []string) http.Handler {
	if slices.Contains(allowed, http.MethodGet) {
		allowed = append(allowed, http.MethodHead)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		WriteError(w, &Error{Status: http.StatusMethodNotAllowed, Code: CodeMethod, Message: r.Method + " is not possible here; allowed: " + strings.Join(allowed, ", ")})
	})
}

func refusePath(w http.ResponseWriter, _ *http.Request) {
	WriteError(w, &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: "there is no such route; GET /api/openapi.json lists them"})
}
