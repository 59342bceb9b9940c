package plain_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/tui"
)

// A lineSetup lists two models, and takes one key.
type lineSetup struct {
	api.ModelSetup
	saved     []api.ModelDraft
	asDefault bool
	removed   string
	forgot    bool
}

func (*lineSetup) Providers(context.Context) []api.ModelProvider {
	return []api.ModelProvider{{Name: "Ollama", Address: "http://127.0.0.1:11434/v1", Local: true}, {Name: "Example", Address: "https://api.example.com/v1", KeyEnv: "EXAMPLE_KEY"}}
}

func (*lineSetup) Address(raw string) (api.ModelAddress, error) {
	return api.ModelAddress{URL: raw, Plain: strings.HasPrefix(raw, "http://192.168.")}, nil
}

func (*lineSetup) List(context.Context, api.ModelDraft) (api.ModelList, error) {
	return api.ModelList{Listed: true, Models: []api.ListedModel{{ID: "gpt-x", Window: 128_000}, {ID: "gpt-y"}}}, nil
}

func (*lineSetup) Try(_ context.Context, d api.ModelDraft) api.ModelTrial {
	if d.Key != api.NoKey && d.Entered != "sk-right" {
		return api.ModelTrial{Reached: api.Works, Key: api.Fails, Class: "auth", Err: errors.New("Incorrect key.")}
	}
	return api.ModelTrial{Reached: api.Works, Key: api.Works, Stream: api.Works, Tools: api.Works}
}

func (s *lineSetup) Save(_ context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	s.saved, s.asDefault = append(s.saved, d), asDefault
	return api.ModelSaved{KeyInFile: errors.New("no session bus")}, nil
}
func (*lineSetup) Disabled() []api.DisabledModel { return nil }
func (s *lineSetup) Remove(_ context.Context, name string) (api.ModelSaved, error) {
	s.removed = name
	return api.ModelSaved{}, nil
}
func (s *lineSetup) Forget(context.Context) error { s.forgot = true; return nil }

func withSetup(t *testing.T, s *lineSetup, does func(*person)) {
	t.Helper()
	leadWith(t, tui.Config{Lang: protocol.English, ModelSetup: s}, func(f *apitest.Society) { f.Holds.Models = []api.Model{{Name: "gpt-x"}} }, does)
}

// A model is set up in lines: a wrong key names the next step, and the right one leads on.
func TestAModelIsSetUpInLines(t *testing.T) {
	s := &lineSetup{}
	withSetup(t, s, func(p *person) {
		p.writes("/setup")
		p.hears("Nothing is saved before the last answer", "1: Ollama, http://127.0.0.1:11434/v1", "Which provider?")
		p.writes("exam")
		p.hears("1: Enter it: kept in the keyring")
		p.writes("")
		p.hears("Paste or type the key")
		p.writes("sk-wrong")
		p.hears("1: gpt-x", "2: gpt-y", "Which model?")
		p.writes("2")
		p.hears("Key: failed", "Incorrect key. Enter another key.", "Write again, key, address, save, cancel")
		p.writes("key")
		p.hears("Where is the key?")
		p.writes("1")
		p.hears("Paste or type")
		p.writes(" sk-right ")
		p.hears("Which model?")
		p.writes("1")
		p.hears("Tools: OK", "An empty line is gpt-x")
		if len(s.saved) != 0 {
			t.Error("something was saved before the last answer")
		}
		p.writes("")
		p.hears("Shall it answer from now on?")
		p.writes("")
		p.hears("gpt-x is set up and answers from now on", "keys.toml, because there is no keyring (no session bus)")
	})
	if len(s.saved) != 1 || !s.asDefault || s.saved[0].Entered != "sk-right" || s.saved[0].Window != 128_000 || s.saved[0].URL != "https://api.example.com/v1" {
		t.Errorf("saved %d, as default %t", len(s.saved), s.asDefault)
	}
}

// Words go back and end, a path is no command while a program is asked for, and what can be
// read on the way is asked about.
func TestSettingUpInLinesGoesBackAndEnds(t *testing.T) {
	s := &lineSetup{}
	withSetup(t, s, func(p *person) {
		p.writes("/setup")
		p.hears("Which provider?")
		p.writes("nobody")
		p.hears("No provider is called nobody")
		p.writes("http://192.168.1.5/v1")
		p.hears("is not encrypted", "Write yes to send a key too")
		p.writes("back")
		p.hears("The address of the API")
		p.writes("http://192.168.1.5/v1")
		p.hears("Write yes")
		p.writes("yes")
		p.hears("Where is the key?")
		p.writes("4")
		p.hears("No shell runs it")
		p.writes("/usr/bin/pass show x")
		p.hears("Which model?")
		p.writes("cancel")
		p.hears("Nothing was done")
		p.writes("/help setup")
		p.hears("/setup")
	})
	if len(s.saved) != 0 {
		t.Error("something was saved")
	}
}

func TestAModelIsRemovedAndForgottenInLines(t *testing.T) {
	s := &lineSetup{}
	withSetup(t, s, func(p *person) {
		p.writes("/models forget")
		p.hears("Forgot what endpoints refused")
		p.writes("/models remove gpt-x")
		p.hears("is taken out of the settings")
		p.writes("no")
		p.hears("Nothing was done")
		if s.removed != "" {
			t.Error("it was removed without consent")
		}
		p.writes("/models remove gpt-x")
		p.writes("yes")
		p.hears("Removed gpt-x")
	})
	if s.removed != "gpt-x" || !s.forgot {
		t.Errorf("removed %q, forgot %t", s.removed, s.forgot)
	}
}
