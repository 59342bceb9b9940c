package plain_test

import (
	"context"
	"errors"
	"slices"
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
	forgot    []string
	noKeyring error
	refused   error             // what is wrong with any name but "fit"
	failed    string            // the class of the failure of a list
	known     []api.ListedModel // in spite of it
	draft     *api.ModelDraft
}

func (*lineSetup) Providers(context.Context) []api.ModelProvider {
	return []api.ModelProvider{{Name: "Ollama", Address: "http://127.0.0.1:11434/v1", Local: true}, {Name: "Example", Address: "https://api.example.com/v1", KeyEnv: "EXAMPLE_KEY"}, {Name: "Cloud"}}
}

func (s *lineSetup) NoKeyring(context.Context) error { return s.noKeyring }

func (*lineSetup) Address(raw string) (api.ModelAddress, error) {
	return api.ModelAddress{URL: raw, Plain: strings.HasPrefix(raw, "http://192.168.")}, nil
}

func (s *lineSetup) List(context.Context, api.ModelDraft) (api.ModelList, error) {
	if s.failed != "" {
		return api.ModelList{Class: s.failed, Models: s.known}, errors.New("It cannot be reached.")
	}
	return api.ModelList{Listed: true, Models: []api.ListedModel{{ID: "gpt-x", Window: 128_000}, {ID: "gpt-y"}}}, nil
}

func (*lineSetup) Try(_ context.Context, d api.ModelDraft) api.ModelTrial {
	if d.Key != api.NoKey && d.Entered != "sk-right" {
		return api.ModelTrial{Reached: api.Works, Key: api.Fails, Class: "auth", Err: errors.New("Incorrect key.")}
	}
	return api.ModelTrial{Reached: api.Works, Key: api.Works, Stream: api.Works, Tools: api.Works}
}

func (s *lineSetup) Save(_ context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	if s.refused != nil && d.Name != "fit" {
		return api.ModelSaved{}, s.refused
	}
	s.saved, s.asDefault = append(s.saved, d), asDefault
	return api.ModelSaved{KeyInFile: errors.New("no session bus")}, nil
}

func (s *lineSetup) Draft(string) (api.ModelDraft, bool) {
	if s.draft == nil {
		return api.ModelDraft{}, false
	}
	return *s.draft, true
}
func (*lineSetup) Disabled() []api.DisabledModel { return nil }
func (s *lineSetup) Remove(_ context.Context, name string) (api.ModelSaved, error) {
	s.removed = name
	return api.ModelSaved{}, nil
}

func (s *lineSetup) Forget(_ context.Context, name string) error {
	s.forgot = append(s.forgot, name)
	return nil
}

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
		p.writes("gpt y")
		p.hears("A model name has no blanks", "Which model?")
		p.writes("2")
		p.hears("Key: failed", "Incorrect key. Enter another key.", "Write again, key, address, save, back, cancel", "An empty line is key.")
		p.writes("")
		p.hears("Where is the key?")
		p.writes("1")
		p.hears("Paste or type")
		p.writes(" sk-right ")
		p.hears("Which model?")
		p.writes("1")
		p.hears("Tools: OK", "Context: 128k", "An empty line is gpt-x")
		if len(s.saved) != 0 {
			t.Error("something was saved before the last answer")
		}
		p.writes("")
		p.hears("Shall it answer from now on?")
		p.writes("a b")
		p.hears("Shall it answer from now on?")
		p.writes("")
		p.hears("gpt-x is set up and answers from now on", "keys.toml, because there is no keyring (no session bus)")
	})
	if len(s.saved) != 1 || !s.asDefault || s.saved[0].Entered != "sk-right" || s.saved[0].Window != 0 || s.saved[0].URL != "https://api.example.com/v1" {
		t.Errorf("saved %d, as default %t", len(s.saved), s.asDefault)
	}
}

// An empty key says that one is needed, and a name that is refused is asked for again: an empty
// line is still the usual one.
func TestARefusedNameIsAskedAgainInLines(t *testing.T) {
	s := &lineSetup{refused: errors.New("use letters and digits")}
	withSetup(t, s, func(p *person) {
		p.writes("/setup")
		p.hears("Which provider?")
		p.writes("exam")
		p.hears("Where is the key?")
		p.writes("1")
		p.hears("Paste or type the key")
		p.writes("")
		p.hears("A key is needed here.", "Paste or type the key")
		p.writes("sk-right")
		p.hears("Which model?")
		p.writes("1")
		p.hears("An empty line is gpt-x")
		p.writes("my model")
		p.hears("Shall it answer from now on?")
		p.writes("")
		p.hears("use letters and digits", "An empty line is gpt-x")
		p.writes("fit")
		p.hears("Shall it answer from now on?")
		p.writes("")
		p.hears("fit is set up")
	})
	if len(s.saved) != 1 || s.saved[0].Name != "fit" {
		t.Errorf("saved %d", len(s.saved))
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
		p.hears("No provider is called nobody", "A number takes one of these.")
		p.writes("back")
		p.hears("This is the first question", "Which provider?")
		p.writes("?")
		p.hears("Which provider?")
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

// A provider without an address asks for it, a key is entered for where it is kept, and an empty
// line after a failure is what usually helps.
func TestSettingUpInLinesKnowsWhatIsNeeded(t *testing.T) {
	withSetup(t, &lineSetup{noKeyring: errors.New("no session bus"), failed: "network", known: []api.ListedModel{{ID: "big-1"}, {ID: "small-1"}}}, func(p *person) {
		p.writes("/setup")
		p.hears("Which provider?")
		p.writes("cloud")
		p.hears("Cloud gives you an address of your own", "The address of the API")
		p.writes("https://mine.example.com/v1")
		p.hears("1: Enter it: kept in a private file")
		p.writes("4")
		p.hears("It cannot be reached.", "that are known here: big-1, small-1.", "An empty line is address.")
		p.writes("")
		p.hears("The address of the API")
		p.writes("cancel")
		p.hears("Nothing was done")
	})
}

func TestAModelIsRemovedAndForgottenInLines(t *testing.T) {
	s := &lineSetup{}
	withSetup(t, s, func(p *person) {
		p.writes("/models forget")
		p.hears("Forgot what the endpoints of all models refused")
		p.writes("/models forget gpt-x")
		p.hears("Forgot what the endpoint of gpt-x refused")
		p.writes("/models forget gpt-z")
		p.hears("gpt-z")
		p.writes("/models remove gpt-x")
		p.hears("is taken out of the settings", "Roles that name it then use the default")
		p.writes("no")
		p.hears("Nothing was done")
		if s.removed != "" {
			t.Error("it was removed without consent")
		}
		p.writes("/models remove gpt-x")
		p.writes("yes")
		p.hears("Removed gpt-x")
	})
	if s.removed != "gpt-x" || !slices.Equal(s.forgot, []string{"", "gpt-x"}) {
		t.Errorf("removed %q, forgot %q", s.removed, s.forgot)
	}
}

// A test that fails says in its line what to do next, as the set-up and the screen do.
func TestAFailedTestOfAModelNamesTheNextStep(t *testing.T) {
	s := &lineSetup{draft: &api.ModelDraft{Name: "gpt-x", Key: api.KeyInKeyring, Entered: "sk-wrong"}}
	withSetup(t, s, func(p *person) {
		p.writes("/models test gpt-x")
		p.hears("gpt-x did not answer: Incorrect key. Enter another key.")
	})
}
