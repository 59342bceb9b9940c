package api

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"society-tui/runtime/society"
)

// ErrKeyReused is returned for a request with the key of another.
var ErrKeyReused = errors.New("this key was used for another request")

// A RequestKey lets a request take effect once, however often it is sent.
type RequestKey struct {
	Key    string            // chosen by the client
	Digest [sha256.Size]byte // of the request: another one with the same key is refused
}

// replies are the replies to commands of clients, by the name of their type.
var replies = func() map[string]reflect.Type {
	byName := map[string]reflect.Type{}
	for _, r := range []society.Reply{
		society.Done{},
		society.Sent{},
		society.Interruption{},
		society.Rewound{},
		society.Forked{},
		society.StopResult{},
		society.Pausing{},
		society.Resumption{},
		society.TerminateResult{},
		society.Dropped{},
		society.Spawned{},
		society.RoleChange{},
		society.EffortChange{},
		society.AddTeamResult{},
		society.ApprovalsAnswered{},
		society.ContextCompression{},
		society.BudgetSet{},
		society.ModelAssigned{},
	} {
		byName[reflect.TypeOf(r).Name()] = reflect.TypeOf(r)
	}
	return byName
}()

// EncodeReply encodes a reply with the name of its type.
func EncodeReply(r society.Reply) (kind string, text []byte, err error) {
	text, err = json.Marshal(r)
	return reflect.TypeOf(r).Name(), text, err
}

// DecodeReply decodes what EncodeReply returned.
func DecodeReply(kind string, text []byte) (society.Reply, error) {
	typ, ok := replies[kind]
	if !ok {
		return nil, fmt.Errorf("no reply is called %q", kind)
	}
	r := reflect.New(typ)
	if err := json.Unmarshal(text, r.Interface()); err != nil {
		return nil, fmt.Errorf("decode a %s: %w", kind, err)
	}
	return r.Elem().Interface().(society.Reply), nil //nolint:forcetypeassert // the list holds replies only
}
