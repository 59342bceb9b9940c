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
	failed          string            // the class of the failure of a list
	known           []api.ListedModel // in spite of it
	forgot          []string
	noKeyring       error
	refused         error          // what is wrong with any name but "fit"
	kept            api.ModelDraft // that is changed or tested
	tried           chan struct{}  // what a trial waits for, or nil
	trial           *api.ModelTrial
	givenUp         bool // a trial was
	disabled        []api.DisabledModel
	made            []string // the default
}

const rightKey = "sk-right"

func (*fakeSetup) Providers(context.Context) []api.ModelProvider {
	return []api.ModelProvider{
		{Name: "Ollama", Address: "http://127.0.0.1:11434/v1", Local: true, Models: 2},
		{Name: "Example", Address: "https://api.example.com/v1", KeyEnv: "EXAMPLE_KEY"},
		{Name: "Cloud", KeyEnv: "CLOUD_KEY"},
		{Name: "Zhipu", Address: "https://zhipu.test/v4", KeyEnv: "ZHIPU_KEY"},
	}
}
func (f *fakeSetup) NoKeyring(context.Context) error { return f.noKeyring }

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
		return api.ModelList{Class: f.failed, Models: f.known}, errors.New("it cannot be reached")
	}
	if f.unlisted {
		return api.ModelList{}, nil
	}
	return api.ModelList{Listed: true, Models: []api.ListedModel{{ID: "gpt-x", Window: 128_000}, {ID: "gpt-y"}}}, nil
}

func (f *fakeSetup) Try(ctx context.Context, d api.ModelDraft) api.ModelTrial {
	if f.tried != nil {
		select {
		case <-f.tried:
		case <-ctx.Done():
			f.givenUp = true
		}
	}
	if f.trial != nil {
		return *f.trial
	}
	if d.Key != api.NoKey && d.Entered != rightKey {
		return api.ModelTrial{Reached: api.Works, Key: api.Fails, Class: "auth", Err: errors.New("incorrect key")}
	}
	return api.ModelTrial{Reached: api.Works, Key: api.Works, Stream: api.Works, Tools: api.Works, Usage: api.Works}
}

func (f *fakeSetup) Save(_ context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	if f.refused != nil && d.Name != "fit" {
		return api.ModelSaved{}, f.refused
	}
	f.saved, f.asDefault = append(f.saved, d), asDefault
	return api.ModelSaved{}, nil
}
func (f *fakeSetup) Disabled() []api.DisabledModel { return f.disabled }
func (f *fakeSetup) MakeDefault(_ context.Context, name string) (api.ModelSaved, error) {
	f.made = append(f.made, name)
	return api.ModelSaved{}, nil
}

func (f *fakeSetup) Draft(name string) (api.ModelDraft, bool) {
	d := f.kept
	d.Before, d.Name = name, name
	return d, name != "offline demo model"
}

func (f *fakeSetup) Forget(_ context.Context, name string) error {
	f.forgot = append(f.forgot, name)
	return nil
}

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
		s.Shows("6 of 6", "OK", "Name: gpt-x", "128k")
		if len(setup.saved) != 0 {
			t.Fatal("something is saved before the last step")
		}
		s.Press("enter")
	})
	if len(setup.saved) != 1 || !setup.asDefault || setup.saved[0].Entered != rightKey || setup.saved[0].Key != api.KeyInKeyring || setup.saved[0].Window != 0 {
		t.Errorf("saved %+v, as default %t", setup.saved, setup.asDefault) // a window that is listed may change
	}
}

func TestAProviderIsFoundByItsChineseName(t *testing.T) {
	setsUp(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/setup").Type("智谱").Shows("▸ Zhipu").Hides("Ollama")
	})
}

// A window that nobody tells is asked for in the settings.
func TestAnUnknownWindowNamesItsSetting(t *testing.T) {
	setsUp(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Type("https://api.example.com/v1").Press("enter", "enter").Type(rightKey).Press("enter", "down", "enter")
		s.Shows("6 of 6", "Context", "unknown; context_window in the settings file sets it")
	})
}

func TestEscGoesBackOneStepAndWritesNothing(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Type("https://api.example.com/v1").Press("enter", "enter").Type("sk-wrong").Press("enter", "enter").Shows("incorrect key")
		s.Press("esc").Shows("4 of 6").Press("esc").Shows("3 of 6", "Key: ********").Press("esc").Shows("3 of 6", "keyring").Press("esc").Shows("2 of 6", "api.example.com").Press("esc").Shows("1 of 6").Press("esc")
		s.Hides("of 6").Shows("stays until you quit", "/setup goes on")
	})
	if len(setup.saved) != 0 {
		t.Error("something was saved")
	}
}

// Esc leaves the set-up without a question, because nothing is lost by it.
func TestASetUpThatWasLeftGoesOnWithWhatWasEntered(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Type("https://own.test/v1").Press("enter", "down", "enter").Type(rightKey).Press("enter", "esc", "esc", "esc", "esc", "esc").Hides("of 6")
		s.Do("/setup").Press("enter").Shows("2 of 6", "https://own.test/v1").Press("enter").Shows("▸ Enter it: kept in a private file").Press("enter").Shows("Key: ****").Press("enter", "enter", "enter").Hides("of 6")
		s.Do("/setup").Press("enter").Shows("2 of 6").Hides("own.test")
	})
	if len(setup.saved) != 1 || setup.saved[0].URL != "https://own.test/v1" || setup.saved[0].Entered != rightKey {
		t.Errorf("saved %+v", setup.saved)
	}
}

func TestAModelOfAnEndpointWithoutAListIsTyped(t *testing.T) {
	setup := &fakeSetup{unlisted: true}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter").Shows("▸ No key").Press("enter").Shows("no list of models").Press("enter").Shows("no list of models", "A name is needed here").Type("typed").Press("enter").Shows("5 of 5").Press("enter")
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
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com", Adapted: []string{"no_top_p"}}, {Name: "gpt-y", Host: "api.example.com"}}
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
			s.Do("/models").Press("enter").Shows("Use for").Press("u").Shows("All agents", "Role planner", "Only root", "gpt-y, for it alone", "current · the default").Hides("current · now").Press(append(rows, "enter")...)
		}
		use("down", "down")
		s.Shows("root now uses gpt-x")
		use("down")
		use()
		s.Shows("All agents now use gpt-x")
		want := []society.Command{
			society.AssignModel{Agent: society.Root, Model: "gpt-x"},
			society.ChooseModel{Role: "role-root", Model: "gpt-x"},
			society.ChooseModel{Role: "role-root", Model: "gpt-x"},
			society.AssignModel{Agent: society.Root},
		}
		if !slices.Equal(asked, want) {
			t.Errorf("got %+v, want %+v", asked, want)
		}
		s.Do("/models").Press("down", "enter", "u").Shows("current · now: gpt-y").Hides("current · the default").Press("esc", "esc")
		s.Do("/models").Press("down", "enter", "f").Shows("Nothing was learnt of gpt-y").Press("esc")
		s.Do("/models").Press("enter", "f").Shows("Forgot what the endpoint of gpt-x")
		if !slices.Equal(setup.forgot, []string{"gpt-x"}) || asked[len(want)] != (society.ForgetWindow{Model: "gpt-x"}) {
			t.Errorf("forgot %q, commands %+v", setup.forgot, asked[len(want):])
		}
	})
}

func TestAMendedAddressIsWholeOnASmallScreen(t *testing.T) {
	setsUp(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/setup").Press("enter").Type("https://a.long.name.of.a.host.example").Press("enter")
		s.Shows("3 of 6", "\n", "now https://a.long.name.of.a.host.example/v1").Hides("key · now")
	})
}

// withKept runs a script with two models of the settings, after which nothing may be saved.
func withKept(t *testing.T, setup *fakeSetup, script func(*pagetest.Screen)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com"}, {Name: "gpt-y", Host: "api.example.com"}, {Name: "offline demo model"}}
		script(pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: setup, File: func() string { return "/etc/config.toml" }})
		}))
	})
	if len(setup.saved) > 0 {
		t.Errorf("saved %d drafts, want none", len(setup.saved))
	}
}

// A test of a model is a report: it sets nothing up, and closes to the list of models.
func TestATestIsAReport(t *testing.T) {
	withKept(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/models").Press("enter", "t").Shows("Test gpt-x", "Tools         OK", "[ Close ]", "enter, esc, q = Close").Hides("of 6", "Save", "Name:", "[ Back ]")
		s.Press("enter").Hides("Test gpt-x").Shows("Set up another model", "enter = Test")
		s.Press("t").Shows("Test gpt-x").Press("esc").Hides("Test gpt-x").Shows("enter = Test").Press("esc").Shows("┌ Models").Hides("enter = Test")
	})
}

// The report of a failed test shows the error and offers what can be changed.
func TestAFailedTestOffersWhatFits(t *testing.T) {
	failed := api.ModelTrial{Reached: api.Works, Key: api.Works, Class: "model", Err: errors.New("no such model"), Near: []string{"gpt-z"}}
	setup := &fakeSetup{trial: &failed, kept: api.ModelDraft{URL: "https://api.example.com/v1", Model: "gpt-q", Key: api.KeyStays, Kept: api.KeyInEnv, KeptIn: "MINE"}}
	withKept(t, setup, func(s *pagetest.Screen) {
		open := func() *pagetest.Screen {
			return s.Do("/models").Press("enter", "t").Shows("Test gpt-x", "no such model", "Choose another model.", "Similar names there: gpt-z", "Reached", "enter = Close", "t Test again").Hides("of 6", "Save anyway")
		}
		open().Press("enter").Hides("no such model").Shows("Set up another model")
		open().Press("t").Shows("Test gpt-x", "no such model").Press("q").Hides("no such model")
		open().Press("k").Shows("Edit gpt-x · 1 of 4 · Key", "▸ Keep the key", "In the variable MINE").Press("esc").Shows("┌ Models", "Set up another model")
		open().Press("a").Shows("Edit gpt-x · 1 of 5 · Address", "Address: https://api.example.com/v1").Press("esc").Shows("┌ Models")
		open().Press("m").Shows("Edit gpt-x · 1 of 3 · Model", "gpt-y").Press("esc").Shows("┌ Models")
		open().Press("m", "enter").Shows("Edit gpt-x · 2 of 3 · Test", "enter = Other model").Press("esc").Shows("1 of 3").Press("esc").Shows("┌ Models")
	})
}

// While the model is asked, esc ends that and returns to the models.
func TestEscCancelsATest(t *testing.T) {
	setup := &fakeSetup{}
	withKept(t, setup, func(s *pagetest.Screen) {
		setup.tried = make(chan struct{})
		s.Do("/models").Press("enter", "t").Shows("Test gpt-x", "for a short answer", "esc = Cancel").Hides("of 6")
		s.Press("esc").Hides("Test gpt-x", "Tools").Shows("┌ Models", "Set up another model")
		if !setup.givenUp {
			t.Error("the model is still asked")
		}
	})
}

// Enter takes what the user likely came for: to make a model the default or, if it is, to test it.
func TestEnterInAnOpenModelTakesWhatIsLikelyWanted(t *testing.T) {
	withKept(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/models").Press("enter").Shows("enter = Test", "esc close").Press("q").Hides("enter = Test").Shows("┌ Models")
		s.Press("enter", "esc").Hides("enter = Test").Press("enter", "enter").Shows("Test gpt-x", "[ Close ]").Press("esc", "esc", "down", "enter").Shows("enter = Make default").Press("esc")
		s.Press("down", "enter").Shows("offline demo model", "enter = Make default").Press("u").Shows("Who uses offline demo model?", "All agents")
	})
}

// A model that is edited keeps its key with one enter, and esc leads back to the models.
func TestAnEditedModelKeepsItsKeyWithOneEnter(t *testing.T) {
	for place, now := range map[api.KeyPlace]string{
		api.KeyInKeyring: "In the keyring of your system", api.KeyInFile: "In the file x", api.KeyInEnv: "In the variable x", api.KeyByCommand: "Printed by the command x", api.NoKey: "",
	} {
		t.Run(string(place), func(t *testing.T) {
			setup := &fakeSetup{kept: api.ModelDraft{URL: "https://api.example.com/v1", Model: "gpt-x", Key: api.KeyStays, Kept: place, KeptIn: "x"}}
			selected := "▸ Keep the key"
			if place == api.NoKey {
				setup.kept.Key, setup.kept.KeptIn, selected = api.NoKey, "", "▸ No key"
			}
			withKept(t, setup, func(s *pagetest.Screen) {
				setup.trial = &api.ModelTrial{Reached: api.Works, Key: api.Works, Tools: api.Works}
				s.Do("/models").Press("enter", "e").Shows("Edit gpt-x · 1 of 5 · Address").Press("enter")
				s.Shows("2 of 5 · Key", selected, now).Press("enter").Shows("3 of 5 · Model", "▸ gpt-x").Press("enter").Shows("5 of 5 · Save", "enter = Save ·")
				s.Press("esc", "esc").Shows("2 of 5", selected).Press("esc").Shows("1 of 5", "api.example.com").Press("esc").Hides("of 5").Shows("┌ Models")
			})
		})
	}
}

// At another host the key cannot stay; one of the same kind is presumed, and going back to the
// host brings the key back.
func TestAKeyStaysAtItsHost(t *testing.T) {
	setup := &fakeSetup{kept: api.ModelDraft{URL: "https://api.example.com/v1", Model: "gpt-x", Key: api.KeyStays, Kept: api.KeyInFile, KeptIn: "keys.toml"}}
	withKept(t, setup, func(s *pagetest.Screen) {
		to := func(address string) *pagetest.Screen { return s.Press("ctrl+u").Type(address).Press("enter") }
		s.Do("/models").Press("enter", "e")
		to("https://other.example.com/v1").Shows("▸ Enter it: kept in a private file").Hides("Keep the key").Press("esc")
		to("https://api.example.com/v2").Shows("▸ Keep the key", "In the file keys.toml")
	})
}

// Enter takes what usually helps after a failure of a kind.
func TestTheChoiceThatFitsAFailureIsSelected(t *testing.T) {
	for class, want := range map[string]string{
		"auth": "Other key", "network": "Other address", "not_chat": "Other address", "model": "Other model", "protocol": "Other model",
		"rate": "Test again", "overload": "Test again", "quota": "Back", "request": "Back", "": "Back",
	} {
		t.Run(class, func(t *testing.T) {
			setup := &fakeSetup{trial: &api.ModelTrial{Class: class, Err: errors.New("it failed")}}
			setsUp(t, setup, func(s *pagetest.Screen) {
				s.Do("/setup").Press("down", "enter", "enter", "enter").Shows("it failed", "enter = "+want+" ·")
				if class == "" || class == "model" || class == "protocol" { // of no list
					return
				}
				setup.failed = class
				s.Press("esc", "esc", "enter").Shows("it cannot be reached", "enter = "+want+" ·")
			})
		})
	}
}

// An endpoint that refuses a request without a key asks for one, so that is where the user is led.
func TestAfterARefusalWithoutAKeyOneIsEntered(t *testing.T) {
	setup := &fakeSetup{failed: "auth"}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter").Shows("▸ No key").Press("enter").Shows("enter = Other key ·").Press("enter").Shows("▸ Enter it")
	})
}

// Another key is entered in an empty field, so that a paste does not lengthen the refused one.
func TestAfterARefusalTheFieldOfTheKeyIsEmpty(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Type("example").Press("enter", "enter").Type("sk-wrong").Press("enter", "enter").Shows("incorrect key").Press("enter").Shows("Key:").Hides("Key: *")
		s.Type(rightKey).Press("enter", "enter").Shows("Name: gpt-x").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Entered != rightKey {
		t.Errorf("saved %d, want one with the second key", len(setup.saved))
	}
}

// A search hides every provider, but never the row for another address, which takes an address
// that was typed.
func TestAnotherAddressIsAlwaysThere(t *testing.T) {
	setsUp(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/setup").Type("zzz").Shows("▸ Another address", "Nothing found. enter goes on to type an address", "1/5").Hides("Example")
		s.Press("enter").Shows("2 of 6").Hides("zzz").Press("esc")
		s.Press("ctrl+u").Type("exa").Shows("▸ Example", "Another address").Hides("Nothing found", "Ollama").Press("down", "enter").Shows("2 of 6").Hides("Address: exa").Press("esc")
		s.Press("ctrl+u").Type("local").Shows("Another address", "Ollama").Hides("Nothing found", "Example", "Cloud")
		s.Press("ctrl+u").Type("https://a.co/v1").Shows("▸ Another address", "1/5").Hides("Nothing found", "Example").Press("enter").Shows("2 of 6", "Address: https://a.co/v1")
	})
}

// The address of a known provider is taken as it is, and can be changed; one that each customer
// has alone is asked for.
func TestTheAddressOfAKnownProviderIsNotAskedFor(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Type("example").Press("enter").Shows("2 of 5 · Key", "Other address", "Now https://api.example.com/v1")
		s.Press("esc").Shows("1 of 6").Press("enter").Press("end", "enter").Shows("2 of 6 · Address", "Address: https://api.example.com/v1").Press("enter").Shows("3 of 6 · Key").Hides("Other address")
		s.Press("esc").Shows("2 of 6").Press("esc").Shows("1 of 6")
		s.Press("ctrl+u").Type("cloud").Press("enter").Shows("2 of 6 · Address", "Cloud gives you an address of your own", "Address: ").Hides("api.example.com").Press("esc")
		s.Press("ctrl+u").Type("example").Press("enter", "enter").Type(rightKey).Shows("2 of 5").Press("enter").Shows("3 of 5").Press("enter").Shows("5 of 5 · Save").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].URL != "https://api.example.com/v1" {
		t.Errorf("saved %+v", setup.saved)
	}
}

// Without a keyring a key is entered for the file that it then is in.
func TestWithoutAKeyringAKeyIsKeptInTheFile(t *testing.T) {
	setup := &fakeSetup{noKeyring: errors.New("no session bus")}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Type("example").Press("enter").Shows("▸ Enter it: kept in a private file", "keys.toml").Hides("keyring")
		s.Press("enter").Shows("kept in keys.toml beside").Type(rightKey).Press("enter", "enter").Shows("5 of 5 · Save").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Key != api.KeyInFile {
		t.Errorf("saved %+v", setup.saved)
	}
}

// A name that is refused stays to be corrected, and so does an empty one.
func TestARefusedNameIsAskedAgain(t *testing.T) {
	setup := &fakeSetup{refused: errors.New("use letters and digits")}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter", "enter", "enter").Shows("5 of 5 · Save", "It will be saved in").Hides("is saved")
		s.Type(" 1").Press("enter").Shows("5 of 5", "use letters and digits", "Name: gpt-x 1")
		s.Press("ctrl+u", "enter").Shows("use letters and digits", "Name:").Hides("gpt-x").Type("fit").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Name != "fit" {
		t.Errorf("saved %+v", setup.saved)
	}
}

// An empty key says that one is needed; what is typed on the list of places is a key, and is never
// shown.
func TestAKeyThatIsTypedOnTheListIsEntered(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Type("example").Press("enter", "enter", "enter").Shows("2 of 5", "A key is needed here").Press("esc").Shows("▸ Enter it")
		s.Press("down").Press("j", "k", "j").Type("s").Shows("Key: *", "kept in the keyring").Hides("A key is needed").Type("ey").Shows("Key: ***").Press("esc")
		s.Shows("▸ Enter it: kept in the keyring").Press("down").Type(rightKey).Shows("keys.toml").Hides(rightKey).Press("enter").Shows("3 of 5").Press("enter").Shows("OK").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Entered != rightKey || setup.saved[0].Key != api.KeyInFile {
		t.Errorf("saved %d", len(setup.saved))
	}
}

// A name that no list has is taken as it was typed.
func TestAnUnlistedNameIsTyped(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter", "enter").Shows("3 of 5 · Model").Type("mine").Shows("▸ Type a name", "Not listed. enter goes on with the name as typed").Hides("gpt-x")
		s.Press("enter").Shows("Model: mine").Press("enter").Shows("Name: mine").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Model != "mine" {
		t.Errorf("saved %+v", setup.saved)
	}
}

func TestANameWithABlankIsRefusedWithWhatToDo(t *testing.T) {
	setup := &fakeSetup{}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter", "enter").Type("my model").Press("enter", "enter").Shows("A model name has no blanks", "such as gpt-5-mini", "Model: my model")
		s.Press("ctrl+u").Type("my-model").Press("enter").Shows("Name: my-model").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Model != "my-model" {
		t.Errorf("saved %+v", setup.saved)
	}
}

// After a failure the model does not become the default by an enter, and from another address esc
// leads back to the failure.
func TestAFailureIsReturnedTo(t *testing.T) {
	setup := &fakeSetup{trial: &api.ModelTrial{Class: "network", Err: errors.New("it failed")}}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter", "enter", "enter").Shows("4 of 5", "it failed").Press("a").Shows("2 of 6").Press("ctrl+u").Type("bad").Press("enter").Shows("cannot be asked")
		s.Press("esc").Shows("4 of 5", "it failed").Press("s").Shows("5 of 5 · Save", "enter = Save ·").Press("enter")
	})
	if len(setup.saved) != 1 || setup.asDefault || setup.saved[0].URL != "http://127.0.0.1:11434/v1" {
		t.Errorf("saved %+v", setup.saved)
	}
}

// The names that are known without a list are offered when it fails.
func TestKnownNamesAreChosenFromWithoutAList(t *testing.T) {
	setup := &fakeSetup{failed: "network", known: []api.ListedModel{{ID: "big-1"}, {ID: "small-1"}}}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter", "enter").Shows("it cannot be reached", "from the 2 models of this service", "Choose a name").Press("m").Shows("big-1", "small-1", "Type a name")
		s.Press("down", "enter").Shows("Name: small-1").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Model != "small-1" {
		t.Errorf("saved %+v", setup.saved)
	}
}

// A list that fails is returned to as well.
func TestAFailedListIsReturnedTo(t *testing.T) {
	setsUp(t, &fakeSetup{failed: "network"}, func(s *pagetest.Screen) {
		s.Do("/setup").Press("down", "enter", "enter").Shows("cannot be reached").Press("a").Shows("2 of 6").Press("esc").Shows("3 of 5", "cannot be reached")
		s.Press("a").Press("enter").Shows("3 of 6 · Key").Press("esc").Shows("2 of 6").Press("esc").Shows("1 of 6")
	})
}

// The key of a model is offered to a second one at its host.
func TestASecondModelHasTheKeyOfTheFirst(t *testing.T) {
	setup := &fakeSetup{kept: api.ModelDraft{URL: "https://api.example.com/v1", Model: "gpt-x", Key: api.KeyStays, Kept: api.KeyInFile}, trial: &api.ModelTrial{}}
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com"}}
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: setup, File: func() string { return "/etc/config.toml" }})
		})
		s.Do("/setup").Press("down", "enter").Hides("Same key as").Press("esc", "down", "enter").Shows("▸ Same key as gpt-x").Press("enter", "down", "enter").Shows("5 of 5").Press("enter")
	})
	if len(setup.saved) != 1 || setup.saved[0].Key != api.KeyOfOther || setup.saved[0].Entered != "gpt-x" {
		t.Errorf("saved %d", len(setup.saved))
	}
}

// A model that answers for the first time is not one that was never used.
func TestAModelThatIsAskedIsInUse(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com"}, {Name: "gpt-y", Host: "api.example.com"}}
		f.Put(api.Row{ID: society.Root, Parent: society.User, Model: "gpt-x", State: society.WaitingLLM})
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: &fakeSetup{}, File: func() string { return "/etc/config.toml" }})
		})
		s.Do("/models").Shows("Answering now", "Not used since the start")
	})
}

// The list opens at the model on which the agent has failed, its removal tells what follows, and a
// key that is saved for it tells how the agent goes on.
func TestAModelOnWhichAnAgentFailedIsRepaired(t *testing.T) {
	setup := &fakeSetup{kept: api.ModelDraft{URL: "https://api.example.com/v1", Model: "gpt-x", Key: api.KeyStays, Kept: api.KeyInFile}, trial: &api.ModelTrial{}}
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com"}, {Name: "gpt-y", Host: "api.example.com"}, {Name: "offline demo model"}}
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-root", Name: "planner", Model: "gpt-x"}}}
		f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", RoleID: "role-root", Model: "gpt-y", OwnModel: true, Error: "Incorrect API key provided", ErrorClass: "auth"})
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: setup, File: func() string { return "/etc/config.toml" }})
		})
		s.Do("/models").Shows("▸ gpt-y", "Not used since the start · agents: root", "roles: planner").Hides("nobody uses it · roles")
		s.Press("enter", "x").Shows("Remove gpt-y?", "Agents that then use the model of their roles: root").Hides("becomes the default", "use the default").Press("esc")
		s.Press("up", "enter", "x").Shows("Roles that then use the default: planner", "gpt-y becomes the default.").Hides("Agents that").Press("esc", "down")
		s.Press("enter", "e", "enter", "enter", "enter", "enter").Shows("gpt-y is set up", "root failed: /retry root asks again")
	})
	if len(setup.saved) != 1 {
		t.Errorf("saved %d", len(setup.saved))
	}
}

// An agent that has failed on the former default is named when another takes its place.
func TestAnotherDefaultTellsHowAFailedAgentGoesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com"}, {Name: "offline demo model"}}
		f.Holds.Roles = []api.Role{{Role: society.Role{ID: "role-root", Name: "planner"}}}
		f.Put(api.Row{ID: society.Root, Parent: society.User, Role: "planner", RoleID: "role-root", Model: "gpt-x", Error: "connection refused", ErrorClass: "network"})
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: &fakeSetup{}, File: func() string { return "/etc/config.toml" }})
		})
		s.Do("/models").Press("down", "enter", "d").Shows("offline demo model answers from now on", "root failed: /retry root asks again")
	})
}

// Without a last model the built-in one answers, and that is said before.
func TestTheRemovalOfTheLastModelNamesTheOfflineOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Holds.Models = []api.Model{{Name: "gpt-x", Host: "api.example.com"}}
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return models.New(d, models.Config{Setup: &fakeSetup{}, File: func() string { return "/etc/config.toml" }})
		})
		s.Do("/models").Press("enter", "x").Shows("the built-in offline model answers then")
	})
}

// A key that was entered for one provider is not offered to another.
func TestAnotherProviderHasAnotherKey(t *testing.T) {
	setsUp(t, &fakeSetup{failed: "auth"}, func(s *pagetest.Screen) {
		s.Do("/setup").Type("example").Press("enter", "enter").Type("sk-example").Press("enter").Shows("cannot be reached")
		s.Press("esc").Shows("Key: **********").Press("esc", "esc").Shows("1 of 6", "▸ Example").Press("enter", "enter").Shows("Key: **********")
		s.Press("esc", "esc", "up", "enter").Shows("▸ No key").Press("down", "enter").Shows("Key:").Hides("Key: *")
	})
}

// What was allowed for an address is not asked again, but for another one it is.
func TestAModelOverPlainHTTPIsChangedWithoutTheQuestion(t *testing.T) {
	setup := &fakeSetup{plain: true, kept: api.ModelDraft{URL: "http://192.168.1.5/v1", Model: "gpt-x", Key: api.KeyStays, Kept: api.KeyInFile, KeptIn: "keys.toml", PlainHTTP: true}}
	withKept(t, setup, func(s *pagetest.Screen) {
		s.Do("/models").Press("enter", "e").Shows("1 of 5 · Address").Press("enter").Hides("is not encrypted").Shows("2 of 5 · Key")
		s.Press("esc").Press("ctrl+u").Type("http://192.168.1.6/v1").Press("enter").Shows("is not encrypted")
	})
}

// Who came from the list of models goes back to it.
func TestEscOnTheFirstStepLeadsBackToTheListItCameFrom(t *testing.T) {
	setsUp(t, &fakeSetup{}, func(s *pagetest.Screen) {
		s.Do("/models").Press("end", "enter").Shows("1 of 6").Press("esc").Hides("1 of 6").Shows("┌ Models", "Set up a real model")
		s.Press("esc").Do("/setup").Shows("1 of 6").Press("esc").Hides("of 6", "┌ Models")
	})
}

// While the offline model is the default, the others stay in the list, and one of them can take
// its place.
func TestAModelThatWaitsIsMadeTheDefault(t *testing.T) {
	setup := &fakeSetup{disabled: []api.DisabledModel{{Name: "llama3", Why: errors.New("the offline model is the default"), Waits: true}, {Name: "bad", Why: errors.New("no address")}}}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/models").Shows("▸ offline demo model", "llama3", "not in use", "the offline model is the default", "bad", "not available", "Set up another model")
		s.Press("down", "enter").Shows("enter = Make default", "Remove").Hides("Use for", "Forget").Press("x").Hides("It is the last one").Press("esc")
		s.Press("enter", "d").Shows("llama3 answers from now on")
	})
	if len(setup.made) != 1 || setup.made[0] != "llama3" {
		t.Errorf("made %q the default, want llama3", setup.made)
	}
}

// Save does not make a model that did not answer the default, and says so.
func TestASavedModelThatWaitsIsTold(t *testing.T) {
	setup := &fakeSetup{trial: &api.ModelTrial{Reached: api.Fails, Class: "network", Err: errors.New("it cannot be reached")}, disabled: []api.DisabledModel{{Name: "gpt-x", Waits: true}}}
	setsUp(t, setup, func(s *pagetest.Screen) {
		s.Do("/setup").Type("ollama").Press("enter", "enter").Shows("▸ gpt-x").Press("enter").Shows("it cannot be reached").Press("s").Shows("enter = Save ·")
		s.Press("enter").Shows("gpt-x is set up; /models makes it the default")
	})
	if len(setup.saved) != 1 || setup.asDefault {
		t.Errorf("saved %d, as default %t", len(setup.saved), setup.asDefault)
	}
}
