package attachapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// The codes of errors that only attached screens get.
const (
	CodeIncompatible = "incompatible"
	CodeLookOnly     = "look_only"
	CodeSocketOnly   = "socket_only"
	CodeNoGraph      = "no_graph"
	CodeNoApproval   = "no_approval"
	CodeNoArtifact   = "no_artifact"
	CodeNoFile       = "no_file"
	CodeNoFileChange = "no_file_change"
	CodeNoWorktree   = "no_worktree_there"
	CodeTreeInUse    = "worktree_in_use"
	CodeNoProcess    = "no_process"
	CodeNoServer     = "no_server"
	CodeNotAttached  = "not_attached"
	CodeNotHere      = "not_available"
	CodeMoving       = "moving"
	CodeMistake      = "mistake"
)

var (
	// ErrNotAttached is returned for a request of a screen that the society does not know,
	// or does not know any more.
	ErrNotAttached = errors.New("this screen is not attached")
	// ErrMoving is returned while the society moves to another process.
	ErrMoving = errors.New("the society moves to another process")
)

// A failure is the reply to a request that had no effect: what other programs get, and
// what it takes to make the error anew.
type failure struct {
	httpapi.Error

	Refusal *refusal `json:"refusal"`
	// Why explains a failure that other programs are not told more about: a screen shows it
	// to the user, whose society it is.
	Why      *i18n.Text `json:"why"`
	Protocol int        `json:"protocol"` // of the society, with CodeIncompatible
}

// A refusal is a *society.Refusal.
type refusal struct {
	Code     society.Code    `json:"code"`
	Agent    society.AgentID `json:"agent"`
	Why      *reason         `json:"why"`
	Mistakes []mistake       `json:"mistakes"`
}

// A reason is a *protocol.Reason.
type reason struct {
	Key  protocol.Key `json:"key"`
	Args []argument   `json:"args"`
}

// An argument is one of a reason: a word, a number, or a text in both languages.
type argument struct {
	Word   *string    `json:"word"`
	Number *int64     `json:"number"`
	Text   *i18n.Text `json:"text"`
}

// A mistake is one of a refused template.
type mistake struct {
	Where string    `json:"where"`
	Why   i18n.Text `json:"why"`
}

// both returns an error in both languages.
func both(err error) i18n.Text {
	return i18n.Text{EN: i18n.Error(protocol.English, err), ZH: i18n.Error(protocol.Chinese, err)}
}

func argumentOf(v any) argument {
	if in, ok := v.(interface{ In(protocol.Lang) string }); ok {
		return argument{Text: &i18n.Text{EN: in.In(protocol.English), ZH: in.In(protocol.Chinese)}}
	}
	switch r := reflect.ValueOf(v); {
	case r.CanInt():
		n := r.Int()
		return argument{Number: &n}
	case r.CanUint():
		n := int64(r.Uint()) //nolint:gosec // sizes and counts
		return argument{Number: &n}
	}
	word := fmt.Sprint(v)
	return argument{Word: &word}
}

func (a argument) value() any {
	switch {
	case a.Text != nil:
		return a.Text.With()
	case a.Number != nil:
		return *a.Number
	case a.Word != nil:
		return *a.Word
	}
	return ""
}

func refusalOf(r *society.Refusal) *refusal {
	wire := &refusal{Code: r.Code, Agent: r.Agent}
	if r.Why != nil {
		wire.Why = &reason{Key: r.Why.Key}
		for _, arg := range r.Why.Args {
			wire.Why.Args = append(wire.Why.Args, argumentOf(arg))
		}
	}
	for _, m := range r.Mistakes {
		wire.Mistakes = append(wire.Mistakes, mistake{m.Where, both(m.Why)})
	}
	return wire
}

func (r *refusal) refusal() *society.Refusal {
	made := &society.Refusal{Code: r.Code, Agent: r.Agent}
	if r.Why != nil {
		made.Why = &protocol.Reason{Key: r.Why.Key}
		for _, arg := range r.Why.Args {
			made.Why.Args = append(made.Why.Args, arg.value())
		}
	}
	for _, m := range r.Mistakes {
		made.Mistakes = append(made.Mistakes, society.Mistake{Where: m.Where, Why: m.Why.With()})
	}
	return made
}

// transported are errors without fields of their own, by their codes.
var transported = []struct {
	err           error
	status        int
	code, message string
}{
	{api.ErrLeaving, http.StatusServiceUnavailable, httpapi.CodeLeaving, "the program is leaving"},
	{api.ErrLookOnly, http.StatusForbidden, CodeLookOnly, "this screen attached to look; attach without that to change something"},
	{api.ErrSocketOnly, http.StatusForbidden, CodeSocketOnly, "this is decided on the screen or over the socket only; attach without --url"},
	{api.ErrNoGraph, http.StatusNotFound, CodeNoGraph, "no role has that graph any more"},
	{api.ErrNoApproval, http.StatusNotFound, CodeNoApproval, "this request does not wait any more"},
	{api.ErrNoArtifact, http.StatusNotFound, CodeNoArtifact, "there is no such artifact, or not this version of it"},
	{api.ErrNoFile, http.StatusNotFound, CodeNoFile, "there is no such file in the workspace"},
	{api.ErrNoFileChange, http.StatusNotFound, CodeNoFileChange, "there is no such change of a file; changes are kept for 30 days"},
	{api.ErrNoWorktree, http.StatusNotFound, CodeNoWorktree, "there is no such worktree"},
	{api.ErrWorktreeInUse, http.StatusConflict, CodeTreeInUse, "an agent works in this worktree: terminate the agent first"},
	{api.ErrNoProcess, http.StatusNotFound, CodeNoProcess, "there is no such process any more"},
	{api.ErrNoServer, http.StatusNotFound, CodeNoServer, "the settings name no such MCP server"},
	{api.ErrKeyReused, http.StatusConflict, httpapi.CodeKeyReused, "this Idempotency-Key was used for another request"},
	{ErrNotAttached, http.StatusConflict, CodeNotAttached, "attach first: this screen is not known"},
	{ErrMoving, http.StatusServiceUnavailable, CodeMoving, "the society moves to another process; attach again"},
	{errors.ErrUnsupported, http.StatusNotFound, CodeNotHere, "this is not available here"},
}

// failureOf returns the reply for an error.
func failureOf(err error) *failure {
	if f, ok := errors.AsType[*Incompatible](err); ok {
		return &failure{Protocol: f.Ours, Error: httpapi.Error{Status: http.StatusUpgradeRequired, Code: CodeIncompatible, Message: fmt.Sprintf(
			"this program has protocol %d for attached screens, not %d; use the same version on both sides", f.Ours, f.Theirs)}}
	}
	for _, t := range transported {
		if errors.Is(err, t.err) {
			return &failure{Error: httpapi.Error{Status: t.status, Code: t.code, Message: t.message}}
		}
	}
	if m, ok := errors.AsType[mistaken](err); ok {
		why := both(m.error)
		return &failure{Error: httpapi.Error{Status: http.StatusUnprocessableEntity, Code: CodeMistake, Message: why.EN}, Why: &why}
	}
	f := &failure{Error: *httpapi.ErrorOf(err)}
	if f.Code == httpapi.CodeInternal {
		why := both(err)
		f.Why = &why
	}
	if r, ok := errors.AsType[*society.Refusal](err); ok {
		f.Refusal = refusalOf(r)
	}
	return f
}

// ReadError returns the error that a reply carries, as the society returned it. ok is false
// if the reply is not one of a society.
func ReadError(status int, body io.Reader) (err error, ok bool) { //nolint:revive // the error is the value
	f := failure{Error: httpapi.Error{Status: status}}
	if err := NewDecoder(io.LimitReader(body, largestBody)).Decode(&f); err != nil || f.Code == "" {
		return nil, false
	}
	if f.Refusal != nil {
		return f.Refusal.refusal(), true
	}
	if f.Why != nil {
		return f.Why.With(), true
	}
	if f.Code == CodeIncompatible {
		return &Incompatible{Ours: Protocol, Theirs: f.Protocol}, true
	}
	for _, t := range transported {
		if f.Code == t.code {
			return t.err, true
		}
	}
	return &f.Error, true
}
