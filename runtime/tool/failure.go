package tool

import (
	"bytes"
	"encoding/json"
	"errors"

	"society-tui/runtime/protocol"
)

// A Failure is the error of a call that does nothing. Its text is the result as the model is
// to read it: a code, and a message with what to do next. A tool with more to tell embeds it,
// with an Error method that encodes all fields.
type Failure struct {
	Code    string `json:"error"`
	Message string `json:"message"`
}

// Fail returns a failure with a message in the language of the agent.
func Fail(lang protocol.Lang, code string, why interface{ In(protocol.Lang) string }) *Failure {
	return &Failure{code, why.In(lang)}
}

func (f *Failure) Error() string { return Encode(f) }

func (f *Failure) isFailure() {}

type failure interface {
	error
	isFailure() // also of what embeds a Failure
}

// Failed returns the result of a Call that ended with a failure, and any other error as it is.
func Failed(err error) (Result, error) {
	if f, ok := errors.AsType[failure](err); ok {
		return Result{Text: f.Error(), Failed: true}, nil
	}
	return Result{}, err
}

// NotPlanned returns what a Plan returns instead of a failure, and any other error as it is.
func NotPlanned(err error) (Plan, error) {
	if f, ok := errors.AsType[failure](err); ok {
		return Plan{}, Refused(f.Error())
	}
	return Plan{}, err
}

// Encode returns a value as a model reads it: JSON in which & of an address stays &.
func Encode(v any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return err.Error()
	}
	return string(bytes.TrimSpace(b.Bytes()))
}
