// Package modelsetup sets models up while the society runs: it finds local servers, tries a
// model before it is kept, writes the settings, and has the society use what they lead to.
package modelsetup

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"society-tui/llm/catalog"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/apikey"
	"society-tui/runtime/config"
	"society-tui/runtime/modeladdress"
)

// A Setup implements api.ModelSetup. Its exported fields are set before it is used; Catalog
// may be nil.
type Setup struct {
	Sources config.Sources
	Keys    apikey.Keyring
	Catalog *catalog.Catalog
	// Open makes the model of an endpoint.
	Open func(config.Endpoint) (registry.Entry, error)
	// Hide keeps a key out of logs, exports and error texts from now on.
	Hide func(key string)
	// Ports are where local servers are looked for; the usual ones if it is nil.
	Ports []Port

	mu sync.Mutex // held by what changes models, over the keyring and the lock of the file
	state
	society atomic.Pointer[Society]
	// seen is the state for those who only read, which never wait.
	seen atomic.Pointer[state]
}

// A Society is what a set-up needs of the society that uses its models.
type Society struct {
	// Take has it use models.
	Take func(context.Context, Models) error
	// Forget has a model forget what its endpoint has taught it, or all models for "".
	Forget func(ctx context.Context, name string) error
	// Trial returns a model that is asked as those of the society are, with what is known of it,
	// see [society-tui/runtime.Runtime.Trial].
	Trial func(registry.Entry) registry.Entry
}

// Models are what a society is to use.
type Models struct {
	Endpoints []config.Endpoint // the default first; none for the built-in model
	// Same are the names of those that are as they were.
	Same []string
	// Now is the model that was saved, and Before the name that it had, "" for a new one. Of one
	// that was removed there is Before alone.
	Before, Now string
	// Offline is set if the built-in model answers whatever roles ask for.
	Offline bool
}

// A state is which models there are.
type state struct {
	now config.Settings
	// unwritten are models that are in no file, and chosen is the default of this run if the
	// settings lead to another.
	unwritten []config.Endpoint
	chosen    string
	offline   bool // the built-in model was chosen, so the others wait
}

var _ api.ModelSetup = (*Setup)(nil)

// New returns the set-up of a program with these settings.
func New(s config.Settings) *Setup {
	u := &Setup{state: state{now: s, offline: s.Model.Offline}}
	u.show()
	return u
}

// show shows the state to readers.
func (u *Setup) show() {
	s := u.state
	s.unwritten = slices.Clone(s.unwritten)
	u.seen.Store(&s)
}

// hand gives models to the society. Readers know of them before it tells that they are others.
func (u *Setup) hand(ctx context.Context, m Models) error {
	before := u.Endpoints()
	m.Offline = u.offline
	u.show()
	for _, e := range m.Endpoints {
		is := func(other config.Endpoint) bool { return reflect.DeepEqual(other, e) }
		if e.Name != m.Now && slices.ContainsFunc(before, is) {
			m.Same = append(m.Same, e.Name)
		}
	}
	return u.society.Load().Take(ctx, m)
}

// For sets which society is to use the models.
func (u *Setup) For(s Society) { u.society.Store(&s) }

// Forget has a model forget what its endpoint has taught it, or all models for "".
func (u *Setup) Forget(ctx context.Context, name string) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.society.Load().Forget(ctx, name)
}

// Address mends an address as it was typed.
func (*Setup) Address(raw string) (api.ModelAddress, error) { return modeladdress.Mend(raw) }

// Endpoints returns the models that are in use, the default first; none for the built-in one.
func (u *Setup) Endpoints() []config.Endpoint { return u.seen.Load().used() }

func (u *state) used() []config.Endpoint {
	if u.offline {
		return nil
	}
	return u.endpoints()
}

// endpoints returns the models that are set up, also while the built-in one answers for them.
func (u *state) endpoints() []config.Endpoint {
	set := u.now
	set.Model.Offline = false
	list, err := set.Endpoints()
	if err != nil {
		list = nil
	}
	for _, e := range u.unwritten {
		list = slices.DeleteFunc(list, func(other config.Endpoint) bool { return other.Name == e.Name })
		list = append(list, e)
	}
	if i := slices.IndexFunc(list, func(e config.Endpoint) bool { return e.Name == u.chosen }); i > 0 {
		chosen := list[i]
		list = slices.Insert(slices.Delete(list, i, i+1), 0, chosen)
	}
	return list
}

// Draft returns a model of the settings, to be changed.
func (u *Setup) Draft(name string) (api.ModelDraft, bool) {
	seen := u.seen.Load()
	list := seen.endpoints()
	i := slices.IndexFunc(list, func(e config.Endpoint) bool { return e.Name == name })
	if i < 0 || !seen.isTable(name) && !seen.isOwn(name) {
		return api.ModelDraft{}, false
	}
	e := list[i]
	d := api.ModelDraft{
		Before: name, Name: name, Model: e.Model, URL: cmp.Or(e.BaseURL, config.OpenAI), Window: e.ContextWindow, PlainHTTP: e.PlainHTTP,
	}
	if e.KeyEnv != "" || !e.Source.IsZero() {
		d.Key = api.KeyStays
		d.Kept, d.KeptIn = placeOf(e)
	}
	return d, true
}

// placeOf returns where the key of an endpoint is. Of a command it tells the program alone: an
// argument may be a secret.
func placeOf(e config.Endpoint) (place api.KeyPlace, in string) {
	switch from := e.Source.Value().(type) {
	case []string:
		return api.KeyByCommand, from[0]
	case string: // its kinds are called as the places are
		kind, name, _ := strings.Cut(from, ":")
		name, _, _ = strings.Cut(name, "#")
		return api.KeyPlace(kind), name
	}
	return api.KeyInEnv, e.KeyEnv
}

// NoKeyring returns why there is no keyring.
func (u *Setup) NoKeyring(ctx context.Context) error {
	return apikey.Store{Keyring: u.Keys}.NoKeyring(ctx)
}

// isTable reports whether a model is one of the [[models]], which can be changed by name.
func (u *state) isTable(name string) bool {
	is := func(e config.Endpoint) bool { return e.Name == name }
	return slices.ContainsFunc(u.now.Models, is) || slices.ContainsFunc(u.unwritten, is)
}

// isOwn reports whether a model is that of the [model] table, and can get a table of its own. A key
// that is written there cannot be in one.
func (u *state) isOwn(name string) bool {
	return name != "" && name == u.now.Model.Name && u.now.InFile("model.name") && !u.now.InFile("model.key") && !u.isTable(name)
}

// Disabled returns the models of the settings with mistakes, those that cannot be opened, and
// those that wait while the built-in one answers.
func (u *Setup) Disabled() []api.DisabledModel {
	var all []api.DisabledModel
	seen := u.seen.Load()
	now := &seen.now
	for i := range now.Models {
		m := &now.Models[i]
		why := errors.Join(m.Wrong...)
		if why == nil {
			_, why = u.Open(*m)
		}
		if why != nil {
			all = append(all, api.DisabledModel{Name: m.Name, Why: why})
		}
	}
	if !seen.offline {
		return all
	}
	for _, e := range seen.endpoints() {
		if !slices.ContainsFunc(all, func(d api.DisabledModel) bool { return d.Name == e.Name }) {
			all = append(all, api.DisabledModel{Name: e.Name, Why: textWaits.With(), Waits: true})
		}
	}
	return all
}

// Waits reports whether a model is set up that waits while the built-in one answers for it.
func (u *Setup) Waits(name string) bool {
	seen := u.seen.Load()
	return seen.offline && slices.ContainsFunc(seen.endpoints(), func(e config.Endpoint) bool { return e.Name == name })
}

func (u *state) dir() string { return filepath.Dir(u.now.File) }

func (u *Setup) store() apikey.Store { return apikey.Store{Keyring: u.Keys, File: u.now.File} }
