package models_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/feature/models"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// A fakeSetup lists two models, and takes one key.
type fakeSetup struct {
	api.ModelSetup
	plain, unlisted bool
	saved           []api.ModelDraft
	asDefault       bool
	failed          string // the class of the failure of a list
	forgot          bool
}

const rightKey = "sk-right"

func (*fakeSetup) Providers(context.Context) []api.ModelProvider {
	return []api.ModelProvider{{Name: "Ollama", Address: "http://127.0.0.1:11434/v1", Local: true, Models: 2}, {Name: "Example", Address: "https://api.example.com/v1", KeyEnv: "EXAMPLE_KEY"}}
}

func (f *fakeSetup) Address(raw string) (api.ModelAddress, error) {
	if raw == "bad" {
		return api.ModelAddress{}, errors.New("this address cannot be asked")
	}
	at := api.ModelAddress{URL: raw, Plain: f.plain}
	if strings.HasSuffix(raw, ".example") {
		at.URL, at.Mended = raw+"/v1", []error{errors.New("now https://a.long.name.of.a.host.example/v1")}
	}
	return at, nil
}

func (f *fakeSetup) List(context.Context, api.ModelDraft) (api.ModelList, error) {
	if f.failed != "" {
		return api.ModelList{Class: f.failed}, errors.New("it cannot be reached")
	}
	if f.unlisted {
		return api.ModelList{}, nil
	}
	return api.ModelList{Listed: true, Models: []api.ListedModel{{ID: "gpt-x", Window: 128_000}, {ID: "gpt-y"}}}, nil
}

func (*fakeSetup) Try(_ context.Context, d api.ModelDraft) api.ModelTrial {
	if d.Key != api.NoKey && d.Entered != rightKey {
		return api.ModelTrial{Reached: api.Works, Key: api.Fails, Class: "auth", Err: errors.New("incorrect key")}
	}
	return api.ModelTrial{Reached: api.Works, Key: api.Works, Stream: api.Works, Tools: api.Works, Usage: api.Works}
}

func (f *fakeSetup) Save(_ context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	f.saved, f.asDefault = append(f.saved, d), asDefault
	return api.ModelSaved{}, nil
}
func (*fakeSetup) Disabled() []api.DisabledModel { return nil }
func (*fakeSetup) Draft(name string) (api.ModelDraft, bool) {
	return api.ModelDraft{Before: name, Name: name}, true
}
func (f *fakeSetup) Forget(context.Context) error { f.forgot = true; return nil }

// setsUp runs a script with the feature and that set-up.
func setsUp(t *testing.T, setup *fakeSetup, script func(*pagetest.Screen)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "offline demo model"}}
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-root", Name: "planner"}}}
		script(pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: setup, File: func() string { return "/etc/config.toml" }})
		}))
	})
}

func TestAModelIsSetUpStepByStep(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Shows("1 of 6", "▸ Another address", "Ollama", "answers on this machine", "Example").Press("enter")
		s.Shows("2 of 6").Type("bad").Press("enter").Shows("cannot be asked").Press("ctrl+u").Type("https://api.example.com/v1").Press("enter")
		s.Shows("3 of 6", "▸ Enter it: kept in the keyring").Press("enter").Type("sk-wrong").Shows("Key: ********").Hides("sk-wrong").Press("enter")
		s.Shows("4 of 6", "▸ gpt-x", "context of 128k").Press("enter")
		s.Shows("5 of 6", "incorrect key", "Enter another key").Press("k", "ctrl+u").Type(rightKey).Press("enter", "enter")
		s.Shows("6 of 6", "OK", "Name: gpt-x")
		if len(setup.saved) != 0 {
			t.Fatal("something is saved before the last step")
		}
		s.Press("enter")
	})
	if len(setup.saved) != 1 || !setup.asDefault || setup.saved[0].Entered != rightKey || setup.saved[0].Key != api.KeyInKeyring || setup.saved[0].Window != 128_000 {
		t.Errorf("saved %d, as default %t", len(setup.saved), setup.asDefault)
	}
}

func TestEscGoesBackOneStepAndWritesNothing(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Type("https://api.example.com/v1").Press("enter", "enter").Type("sk-wrong").Press("enter", "enter").Shows("incorrect key")
		s.Press("esc").Shows("4 of 6").Press("esc").Shows("3 of 6", "Key: ********").Press("esc").Shows("3 of 6", "keyring").Press("esc").Shows("2 of 6", "api.example.com").Press("esc").Shows("1 of 6").Press("esc").Hides("of 6")
	})
	if len(setup.saved) != 0 {
		t.Error("something was saved")
	}
}

func TestAModelOfAnEndpointWithoutAListIsTyped(t *testing.T) {
	setup := &fakeSetup{unlisted: true}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter", "enter").Shows("▸ No key").Press("enter").Shows("no list of models").Type("typed").Press("enter").Shows("6 of 6").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Model != "typed" || setup.saved[0].Key != api.NoKey {
		t.Errorf("saved %d", len(setup.saved))
	}
}

func TestAKeyOverPlainHTTPIsAskedAbout(t *testing.T) {
	setup := &fakeSetup{plain: true}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Type("http://192.168.1.5/v1").Press("enter", "enter").Shows("is not encrypted", "Without a key").Press("k").Shows("3 of 6").Press("enter")
		s.Type(rightKey).Press("enter", "enter").Press("enter")
	})
	if len(setup.saved) != 1 || !setup.saved[0].PlainHTTP {
		t.Errorf("saved %d", len(setup.saved))
	}
}

// The places of a key come back as they were chosen, and a paste is trimmed.
func TestTheChosenPlaceOfAKeyStaysSelected(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Type("https://api.example.com/v1").Press("enter", "down", "enter").Type(" " + rightKey + " ").Press("enter").Shows("4 of 6")
		s.Press("esc").Shows("Key: **").Press("esc").Shows("▸ Enter it: kept in a private file").Press("enter", "enter", "enter").Shows("6 of 6").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Key != api.KeyInFile || setup.saved[0].Entered != rightKey {
		t.Errorf("saved %d", len(setup.saved))
	}
}

// A failure of the list names the step that follows from its kind, and esc is called what it does.
func TestAFailedListNamesTheNextStep(t *testing.T) {
	setup := &fakeSetup{failed: "network"}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Shows("esc = Back").Type("https://api.example.com/v1").Press("enter").Shows("esc back").Press("enter").Type(rightKey).Press("enter")
		s.Shows("cannot be reached", "Check the address, and the proxy", "esc = Back").Press("a").Shows("2 of 6", "api.example.com")
	})
}

// A model is used for a role, for one agent, or for all, whose own models give way.
func TestAModelIsUsedForARoleAnAgentOrAll(t *testing.T) {
	setup := &fakeSetup{}
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com"}, {Name: "gpt-y", Host: "api.example.com"}}
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-root", Name: "planner"}}}
		var asked []society.Command
		f.Answer = func(cmd society.Command) (society.Reply, error) {
			asked = append(asked, cmd)
			switch c := cmd.(type) {
			case society.AssignModel:
				return society.ModelAssigned{Model: c.Model, Changed: true}, nil
			case society.ChooseModel:
				return society.RoleChange{Role: c.Role, Changed: true}, nil
			}
			return society.Done{}, nil
		}
		f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", RoleID: "role-root", Model: "gpt-y", OwnModel: true})
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: setup, File: func() string { return "/etc/config.toml" }})
		})
		use := func(rows ...string) {
			s.Do("/models").Press("enter").Shows("Use for").Press("u").Shows("All agents", "Role planner", "Only root", "gpt-y, for it alone").Press(append(rows, "enter")...)
		}
		use("down", "down")
		s.Shows("root now uses gpt-x")
		use("down")
		use()
		want := []society.Command{
			society.AssignModel{Agent: society.Root, Model: "gpt-x"},
			society.ChooseModel{Role: "role-root", Model: "gpt-x"},
			society.ChooseModel{Role: "role-root", Model: "gpt-x"},
			society.AssignModel{Agent: society.Root},
		}
		if !slices.Equal(asked, want) {
			t.Errorf("got %+v, want %+v", asked, want)
		}
		s.Do("/models").Press("enter", "f").Shows("Forgot what endpoints")
		if !setup.forgot || asked[len(want)] != (society.ForgetWindow{}) {
			t.Errorf("forgot %t, commands %+v", setup.forgot, asked[len(want):])
		}
	})
}

func TestAMendedAddressIsWholeOnASmallScreen(t *testing.T) {
	setsUp(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Type("https://a.long.name.of.a.host.example").Press("enter")
		s.Shows("3 of 6", "\n", "now https://a.long.name.of.a.host.example/v1").Hides("key · now")
	})
}
