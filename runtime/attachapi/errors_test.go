package attachapi

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"reflect"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// overTheWire returns an error as a client gets it.
func overTheWire(t *testing.T, err error) error {
	t.Helper()
	var body bytes.Buffer
	f := failureOf(err)
	if encodeErr := Encode(&body, f); encodeErr != nil {
		t.Fatalf("Encode(%v) = %v", err, encodeErr)
	}
	got, ok := ReadError(f.Status, &body)
	if !ok {
		t.Fatalf("%v is no error behind the wire", err)
	}
	return got
}

func TestErrorsComeBackAsThemselves(t *testing.T) {
	t.Parallel()
	for _, known := range transported {
		if got := overTheWire(t, fmt.Errorf("wrapped: %w", known.err)); !errors.Is(got, known.err) {
			t.Errorf("%v comes back as %v", known.err, got)
		}
	}
	if got := overTheWire(t, errors.New("the disk is full")); got.Error() != "the disk is full" {
		t.Errorf("another error comes back as %v", got)
	}
	if _, ok := ReadError(500, bytes.NewBufferString("<html>")); ok {
		t.Error("what no society has written is taken for its error")
	}
}

func TestRefusalsComeBackWithAllTheirFieldsAndWords(t *testing.T) {
	t.Parallel()
	mistake := i18n.Text{EN: "the name is missing", ZH: "缺少名称"}
	for _, want := range []*society.Refusal{
		{Code: society.AgentStopped, Agent: "a-1"},
		{Code: society.AgentNotFound, Agent: "a-1", Why: protocol.Because(protocol.NoSuchAgent, society.AgentID("a-1"))},
		{Code: society.LimitReached, Why: protocol.Because(protocol.TooManyRounds, 7)},
		{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnknownGraph, "plan", protocol.Names{"a", "b"})},
		{Code: society.InvalidArguments, Why: protocol.Because(protocol.UnknownGraph, "plan", protocol.Names(nil))},
		{Code: society.InvalidArguments, Why: protocol.Because(protocol.InField, "name", protocol.Because(protocol.NameForbids, '/'))},
		{Code: society.InvalidArguments, Why: protocol.Because(protocol.NameForbids, '\u202e')},
		{Code: society.InvalidArguments, Why: protocol.Because(protocol.PastTheEnd, "result:1", uint8(3), int64(9))},
		{Code: society.InvalidArguments, Why: protocol.Because(protocol.HistoryUnread, errors.New("no such file"))},
		{Code: society.InvalidTaskBrief, Mistakes: society.Mistakes{{Where: "roles[0].name", Why: mistake.With()}, {Why: errors.New("too long")}}},
	} {
		got, ok := errors.AsType[*society.Refusal](overTheWire(t, fmt.Errorf("wrapped: %w", want)))
		if !ok || got.Code != want.Code || got.Agent != want.Agent || len(got.Mistakes) != len(want.Mistakes) {
			t.Errorf("%+v comes back as %+v", want, got)
			continue
		}
		for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
			if got.Why.In(lang) != want.Why.In(lang) || got.Mistakes.In(lang) != want.Mistakes.In(lang) {
				t.Errorf("%q, %q come back as %q, %q", want.Why.In(lang), want.Mistakes.In(lang), got.Why.In(lang), got.Mistakes.In(lang))
			}
		}
	}
	// A field more would be lost.
	if n := reflect.TypeFor[society.Refusal]().NumField(); n != 4 {
		t.Errorf("society.Refusal has %d fields, of which 4 are sent", n)
	}
	if n := reflect.TypeFor[society.Mistake]().NumField(); n != 2 {
		t.Errorf("society.Mistake has %d fields, of which 2 are sent", n)
	}
}

func TestEveryErrorOfTheContractHasAWireForm(t *testing.T) {
	t.Parallel()
	sent := map[string]error{
		"ErrLeaving": api.ErrLeaving, "ErrNoGraph": api.ErrNoGraph, "ErrKeyReused": api.ErrKeyReused, "ErrLookOnly": api.ErrLookOnly, "ErrSocketOnly": api.ErrSocketOnly,
		"ErrNoApproval": api.ErrNoApproval, "ErrNoArtifact": api.ErrNoArtifact, "ErrNoFile": api.ErrNoFile, "ErrNoFileChange": api.ErrNoFileChange,
		"ErrNoWorktree": api.ErrNoWorktree, "ErrWorktreeInUse": api.ErrWorktreeInUse, "ErrNoProcess": api.ErrNoProcess, "ErrNoServer": api.ErrNoServer,
		"ErrDisconnected": nil, // of the client itself
	}
	for _, file := range filesOf(t, "../api") {
		ast.Inspect(file, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(v.Names[0].Name, "Err") {
				if _, ok := sent[v.Names[0].Name]; !ok {
					t.Errorf("api.%s is not sent as itself", v.Names[0].Name)
				}
			}
			return true
		})
	}
	for name, err := range sent {
		if err != nil && !errors.Is(overTheWire(t, err), err) {
			t.Errorf("%s does not come back as itself", name)
		}
	}
}
