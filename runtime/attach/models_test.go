package attach_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/storage/memdb"
)

var textOfTest = i18n.Text{EN: "no %s", ZH: "没有 %s"}

// A setup holds what it answers, and what it was asked.
type setup struct {
	providers []api.ModelProvider
	list      api.ModelList
	trial     api.ModelTrial
	saved     api.ModelSaved
	err       error
	noKeyring error
	drafts    map[string]api.ModelDraft
	disabled  []api.DisabledModel

	asked []any
}

func (s *setup) Providers(context.Context) []api.ModelProvider { return s.providers }
func (s *setup) NoKeyring(context.Context) error               { return s.noKeyring }
func (*setup) Address(string) (api.ModelAddress, error)        { return api.ModelAddress{}, nil }
func (s *setup) ask(what ...any)                               { s.asked = append(s.asked, what...) }

func (s *setup) List(_ context.Context, d api.ModelDraft) (api.ModelList, error) {
	s.ask("list", d)
	return s.list, s.err
}

func (s *setup) Try(_ context.Context, d api.ModelDraft) api.ModelTrial {
	s.ask("try", d)
	return s.trial
}

func (s *setup) Save(_ context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	s.ask("save", d, asDefault)
	return s.saved, s.err
}
func (s *setup) Draft(name string) (api.ModelDraft, bool) { d, ok := s.drafts[name]; return d, ok }
func (s *setup) Disabled() []api.DisabledModel            { return s.disabled }
func (s *setup) MakeDefault(_ context.Context, name string) (api.ModelSaved, error) {
	s.ask("default", name)
	return s.saved, s.err
}

func (s *setup) Remove(_ context.Context, name string) (api.ModelSaved, error) {
	s.ask("remove", name)
	delete(s.drafts, name)
	return s.saved, s.err
}

func (s *setup) Forget(_ context.Context, name string) error {
	s.ask("forget", name)
	return s.err
}

// sameError reports whether two errors say the same in both languages.
func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == b
	}
	return i18n.Error(protocol.English, a) == i18n.Error(protocol.English, b) && i18n.Error(protocol.Chinese, a) == i18n.Error(protocol.Chinese, b)
}

// withSetup serves a set-up, and attaches a screen.
func withSetup(t *testing.T, s *setup, script func(t *testing.T, m api.ModelSetup), change ...func(*attach.Config)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		h := &host{TB: t, store: memdb.New(), model: llmtest.Script("scripted"), models: s}
		h.start()
		defer h.leave()
		c := h.connect(change...)
		defer c.Close()
		script(t, c.ModelSetup())
	})
}

func TestModelsAreSetUpAttached(t *testing.T) {
	two, four := 2.0, 4.0
	s := &setup{
		providers: []api.ModelProvider{{Name: "Local", Address: "http://127.0.0.1:1/v1", Local: true, Models: 2}, {Name: "<b>", KeyEnv: "K", KeySet: true}},
		list:      api.ModelList{Listed: true, Server: "vllm", Models: []api.ListedModel{{ID: "a", Window: 8192, Input: &two, Output: &four, Old: true}, {ID: "b"}}},
		trial: api.ModelTrial{
			Reached: api.Works, Key: api.Fails, Stream: api.NotFound, Milliseconds: 3, Window: 9, Err: textOfTest.With("key"), Class: "auth", Near: []string{"x"},
		},
		saved:    api.ModelSaved{File: "/f", Unwritten: textOfTest.With("file"), Lines: "a = 1\n", KeyInFile: textOfTest.With("ring"), KeyLeft: textOfTest.With("left"), Overridden: "SOCIETY_MODEL"},
		drafts:   map[string]api.ModelDraft{"scripted": {Before: "scripted", Name: "scripted", Model: "m", URL: "https://h/v1", Key: api.KeyStays, Kept: api.KeyInEnv, KeptIn: "MINE", Window: 5, PlainHTTP: true}, "waiting": {Name: "waiting"}},
		disabled: []api.DisabledModel{{Name: "bad", Why: textOfTest.With("address")}, {Name: "waiting", Why: textOfTest.With("offline"), Waits: true}},
	}
	d := api.ModelDraft{Before: "a", Name: "b", Model: "m", URL: "https://h/v1", Key: api.KeyInKeyring, Entered: "sk-<\"secret\">", Window: 7, PlainHTTP: true}
	withSetup(t, s, func(t *testing.T, m api.ModelSetup) {
		ctx := t.Context()
		if got := m.Providers(ctx); !reflect.DeepEqual(got, s.providers) {
			t.Errorf("Providers = %+v, want %+v", got, s.providers)
		}
		if got := m.NoKeyring(ctx); got != nil {
			t.Errorf("NoKeyring = %v, want none", got)
		}
		s.noKeyring = textOfTest.With("bus")
		if got := m.NoKeyring(ctx); !sameError(got, s.noKeyring) {
			t.Errorf("NoKeyring = %v, want %v", got, s.noKeyring)
		}
		if got, err := m.Address("http:/h"); err != nil || got.URL != "http://h/v1" || len(got.Mended) != 1 || !got.Plain {
			t.Errorf("Address = %+v, %v", got, err)
		}
		if got, err := m.List(ctx, d); err != nil || !reflect.DeepEqual(got, s.list) {
			t.Errorf("List = %+v, %v, want %+v", got, err, s.list)
		}
		trial := m.Try(ctx, d)
		if !sameError(trial.Err, s.trial.Err) {
			t.Errorf("Try tells %v, want %v", trial.Err, s.trial.Err)
		}
		if trial.Err = s.trial.Err; !reflect.DeepEqual(trial, s.trial) {
			t.Errorf("Try = %+v, want %+v", trial, s.trial)
		}
		saved, err := m.Save(ctx, d, true)
		if err != nil || !sameError(saved.Unwritten, s.saved.Unwritten) || !sameError(saved.KeyInFile, s.saved.KeyInFile) || !sameError(saved.KeyLeft, s.saved.KeyLeft) {
			t.Errorf("Save = %+v, %v, want %+v", saved, err, s.saved)
		}
		if saved.Unwritten, saved.KeyInFile, saved.KeyLeft = s.saved.Unwritten, s.saved.KeyInFile, s.saved.KeyLeft; !reflect.DeepEqual(saved, s.saved) {
			t.Errorf("Save = %+v, want %+v", saved, s.saved)
		}
		if _, err := m.MakeDefault(ctx, "x"); err != nil {
			t.Errorf("MakeDefault = %v", err)
		}
		if err := m.Forget(ctx, "x"); err != nil {
			t.Errorf("Forget = %v", err)
		}
		if got := m.Disabled(); len(got) != 2 || got[0].Name != "bad" || got[0].Waits || !got[1].Waits || !sameError(got[0].Why, s.disabled[0].Why) {
			t.Errorf("Disabled = %+v, want %+v", got, s.disabled)
		}
		if got, ok := m.Draft("scripted"); !ok || !reflect.DeepEqual(got, s.drafts["scripted"]) {
			t.Errorf("Draft = %#v, %t, want %#v", got, ok, s.drafts["scripted"])
		}
		if _, ok := m.Draft("waiting"); !ok {
			t.Error("no draft of a model that waits")
		}
		if _, err := m.Remove(ctx, "scripted"); err != nil {
			t.Errorf("Remove = %v", err)
		}
		if got, ok := m.Draft("scripted"); ok { // at once, before the changes come
			t.Errorf("Draft of what was removed = %#v", got)
		}
		want := []any{"list", d, "try", d, "save", d, true, "default", "x", "forget", "x", "remove", "scripted"}
		if !reflect.DeepEqual(s.asked, want) {
			t.Errorf("asked is %v, want %v", s.asked, want)
		}
		s.err = textOfTest.With("name")
		if _, err := m.Save(ctx, d, false); !sameError(err, s.err) {
			t.Errorf("Save with a mistake = %v, want %v", err, s.err)
		}
	})
}

func TestWithoutASetUpNothingIsSetUpAttached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := openHost(t, memdb.New(), llmtest.Script("scripted"))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		m := c.ModelSetup()
		if _, err := m.Save(t.Context(), api.ModelDraft{}, false); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Save = %v", err)
		}
		if all, disabled := m.Providers(t.Context()), m.Disabled(); len(all) != 0 || len(disabled) != 0 {
			t.Errorf("Providers = %v, Disabled = %v", all, disabled)
		}
	})
}

func TestAScreenThatLooksReadsModelsOnly(t *testing.T) {
	s := &setup{providers: []api.ModelProvider{{Name: "Local"}}, disabled: []api.DisabledModel{{Name: "bad", Why: textOfTest.With("address")}}}
	withSetup(t, s, func(t *testing.T, m api.ModelSetup) {
		ctx := t.Context()
		if all, disabled := m.Providers(ctx), m.Disabled(); len(all) != 1 || len(disabled) != 1 {
			t.Errorf("Providers = %v, Disabled = %v", all, disabled)
		}
		_, list := m.List(ctx, api.ModelDraft{})
		_, save := m.Save(ctx, api.ModelDraft{}, true)
		_, makes := m.MakeDefault(ctx, "a")
		_, remove := m.Remove(ctx, "a")
		for name, err := range map[string]error{
			"List": list, "Try": m.Try(ctx, api.ModelDraft{}).Err, "Save": save, "MakeDefault": makes, "Remove": remove, "Forget": m.Forget(ctx, "x"),
		} {
			if !errors.Is(err, api.ErrLookOnly) {
				t.Errorf("%s = %v", name, err)
			}
		}
		if len(s.asked) > 0 {
			t.Errorf("asked is %v", s.asked)
		}
	}, func(cfg *attach.Config) { cfg.Look = true })
}

// What was entered is not even sent to a port.
func TestNoKeyIsSentOverAPort(t *testing.T) {
	s := &setup{}
	h := &host{TB: t, store: memdb.New(), model: llmtest.Script("scripted"), models: s}
	h.start()
	defer h.leave()
	c := h.connect(func(cfg *attach.Config) { cfg.URL = "http://127.0.0.1:3000" })
	defer c.Close()
	before := h.sent()
	_, err := c.ModelSetup().Save(t.Context(), api.ModelDraft{Entered: "sk-secret"}, true)
	if grew := h.sent() - before; !errors.Is(err, api.ErrSocketOnly) || grew > 0 || len(s.asked) > 0 {
		t.Errorf("Save = %v, %d bytes sent, asked %v", err, grew, s.asked)
	}
}

func TestWhatWasEnteredIsNotPrinted(t *testing.T) {
	d := api.ModelDraft{Name: "a", Entered: "sk-secret"}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
		for _, v := range []any{d, &d, d.Entered, []api.ModelDraft{d}} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, "sk-secret") || strings.Contains(text, fmt.Sprintf("%x", "sk-secret")) {
				t.Errorf("%s of %T is %s", verb, v, text)
			}
		}
	}
}
