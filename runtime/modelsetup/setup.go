// Package modelsetup sets models up while the society runs: it finds local servers, tries a
// model before it is kept, writes the settings, and has the society use what they lead to.
package modelsetup

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pelletier/go-toml/v2"

	"society-tui/llm"
	"society-tui/llm/catalog"
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
	Open func(config.Endpoint) (llm.Model, error)
	// Hide keeps a key out of logs, exports and error texts from now on.
	Hide func(key string)
	// Ports are where local servers are looked for; the usual ones if it is nil.
	Ports []Port

	mu sync.Mutex // held by what changes models, over the keyring and the lock of the file
	state
	take func(context.Context, []config.Endpoint) error
	// seen is the state for those who only read, which never wait.
	seen atomic.Pointer[state]
}

// A state is which models there are.
type state struct {
	now config.Settings
	// unwritten are models that are in no file, and chosen is the default of this run if the
	// settings lead to another.
	unwritten []config.Endpoint
	chosen    string
	offline   bool // the built-in model was chosen
}

var _ api.ModelSetup = (*Setup)(nil)

// New returns the set-up of a program with these settings.
func New(s config.Settings) *Setup {
	u := &Setup{state: state{now: s}}
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
func (u *Setup) hand(ctx context.Context, list []config.Endpoint) error {
	u.show()
	return u.take(ctx, list)
}

// For sets which society is to use models: take is given them, the default first; none for the
// built-in one.
func (u *Setup) For(take func(context.Context, []config.Endpoint) error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.take = take
}

// Forget has the models forget what their endpoints have taught them.
func (u *Setup) Forget(ctx context.Context) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.hand(ctx, u.endpoints())
}

// Address mends an address as it was typed.
func (*Setup) Address(raw string) (api.ModelAddress, error) { return modeladdress.Mend(raw) }

// Endpoints returns the models that are in use, the default first; none for the built-in one.
func (u *Setup) Endpoints() []config.Endpoint { return u.seen.Load().endpoints() }

func (u *state) endpoints() []config.Endpoint {
	if u.offline {
		return nil
	}
	list, err := u.now.Endpoints()
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
	if i < 0 || !seen.isTable(name) {
		return api.ModelDraft{}, false
	}
	e := list[i]
	d := api.ModelDraft{
		Before: name, Name: name, Model: e.Model, URL: cmp.Or(e.BaseURL, config.OpenAI), Window: e.ContextWindow, PlainHTTP: e.PlainHTTP,
	}
	if e.KeyEnv != "" || !e.Source.IsZero() {
		d.Key = api.KeyStays
	}
	return d, true
}

// isTable reports whether a model is one of the [[models]], which can be changed by name.
func (u *state) isTable(name string) bool {
	is := func(e config.Endpoint) bool { return e.Name == name }
	return slices.ContainsFunc(u.now.Models, is) || slices.ContainsFunc(u.unwritten, is)
}

// Disabled returns the models of the settings with mistakes, and those that cannot be opened.
func (u *Setup) Disabled() []api.DisabledModel {
	var all []api.DisabledModel
	now := &u.seen.Load().now
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
	return all
}

// Save keeps a draft in the settings, and has the society use it.
func (u *Setup) Save(ctx context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if d.Name != d.Before && u.names(d.Name) {
		return api.ModelSaved{}, textTaken.With(d.Name)
	}
	var saved api.ModelSaved
	var changes []config.Change
	if d.Before != "" && d.Before != d.Name {
		others, err := u.named(d.Before, d.Name)
		if err != nil {
			return saved, err
		}
		changes = append(others, config.Change{Model: d.Before, Key: "name", Value: d.Name})
	}
	var chosen []config.Change
	if asDefault {
		var err error
		if chosen, err = u.choose(d.Name); err != nil {
			return saved, err
		}
	}
	e, source, err := u.keep(ctx, d, &saved)
	if err != nil {
		return saved, err
	}
	set := func(key string, value any, given bool) {
		if !given {
			value = nil
		}
		changes = append(changes, config.Change{Model: d.Name, Key: key, Value: value})
	}
	set("base_url", d.URL, true)
	if leaves := u.leaves(d); leaves || len(d.Query) > 0 {
		set("query", d.Query, len(d.Query) > 0)
		if leaves {
			set("headers", nil, false)
		}
	}
	if isAzure(d.URL) {
		set("key_header", e.KeyHeader, true)
	}
	set("model", d.Model, d.Model != d.Name)
	switch {
	case d.Key == api.KeyStays && e.KeyFrom == nil: // with an address no variable is presumed
		set("key_env", e.KeyEnv, e.KeyEnv != "")
	case d.Key != api.KeyStays:
		set("key_env", e.KeyEnv, e.KeyEnv != "")
		set("key_from", source.Value(), !source.IsZero() && e.KeyEnv == "")
	}
	set("context_window", d.Window, d.Window > 0)
	set("plain_http", true, d.PlainHTTP)
	changes = append(changes, chosen...)
	if err := u.edit(ctx, changes, &saved); err != nil { // it holds for this run
		u.unwritten = slices.DeleteFunc(u.unwritten, func(o config.Endpoint) bool { return o.Name == d.Before || o.Name == d.Name })
		u.unwritten = append(u.unwritten, e)
	}
	return saved, u.use(ctx, d.Name, asDefault, &saved)
}

// named returns the changes of what names a model that gets another name, or "" if it is
// removed. What decides at the start and is in no file cannot be changed.
func (u *Setup) named(before, now string) ([]config.Change, error) {
	var changes []config.Change
	change := func(c config.Change, value any, empty bool) {
		if !empty {
			c.Value = value
		}
		changes = append(changes, c)
	}
	if u.now.Model.Name == before {
		if by := u.now.DecidedBy("model.name"); by != "" {
			return nil, textNamedBy.With(by, before)
		}
		change(config.Change{Key: "model.name"}, now, now == "")
	}
	for _, e := range u.now.Models {
		if !slices.Contains(e.Fallback, before) {
			continue
		}
		var rest []string
		for _, name := range e.Fallback {
			if name == before {
				name = now
			}
			if name != "" {
				rest = append(rest, name)
			}
		}
		change(config.Change{Model: e.Name, Key: "fallback"}, rest, len(rest) == 0)
	}
	return changes, nil
}

// names reports whether a model of that name is set up.
func (u *Setup) names(name string) bool {
	is := func(e config.Endpoint) bool { return e.Name == name }
	return slices.ContainsFunc(u.now.Models, is) || slices.ContainsFunc(u.endpoints(), is)
}

// keep puts an entered key where it is to be, and returns the endpoint of a draft.
func (u *Setup) keep(ctx context.Context, d api.ModelDraft, saved *api.ModelSaved) (config.Endpoint, apikey.Source, error) {
	e := u.drafted(d)
	if d.Key != api.KeyStays {
		e.Key, e.KeyEnv, e.Source, e.KeyFrom = config.Secret{}, "", apikey.Source{}, nil
	}
	var source apikey.Source
	var err error
	switch d.Key {
	case api.KeyInKeyring, api.KeyInFile:
		place := apikey.InFile
		if d.Key == api.KeyInKeyring {
			place = apikey.InKeyring
		}
		source, saved.KeyInFile, err = u.store().Keep(ctx, place, d.URL, string(d.Entered))
		e.Source = source
	case api.KeyByCommand:
		source, err = apikey.Parse(commandOf(string(d.Entered)), u.dir())
		e.Source = source
	case api.KeyInEnv:
		e.KeyEnv = strings.TrimSpace(string(d.Entered))
		err = e.Key.UnmarshalText([]byte(u.Sources.Getenv(e.KeyEnv)))
	case api.KeyStays:
		err = u.checkStays(d, e)
	}
	return e, source, err
}

// leaves reports whether a draft takes a model to another origin. Its headers and query stay
// behind: they may be secrets of the former.
func (u *state) leaves(d api.ModelDraft) bool {
	e, ok := u.before(d)
	return ok && apikey.Origin(e.BaseURL) != apikey.Origin(d.URL)
}

// drafted returns the endpoint of a draft, which is asked as the model that it changes. It has
// the key of that model.
func (u *state) drafted(d api.ModelDraft) config.Endpoint {
	e, _ := u.before(d)
	if u.leaves(d) {
		e.Headers, e.Query = nil, nil
	}
	e.Name, e.Model, e.BaseURL, e.ContextWindow, e.PlainHTTP = d.Name, d.Model, d.URL, d.Window, d.PlainHTTP
	if len(d.Query) > 0 {
		e.Query = map[string]config.Private{}
		for name, value := range d.Query {
			e.Query[name] = config.Private(value)
		}
	}
	if isAzure(d.URL) {
		e.KeyHeader = cmp.Or(e.KeyHeader, azureHeader)
	}
	return e
}

// azureHeader is the header in which Azure takes keys.
const azureHeader = "api-key"

func isAzure(address string) bool {
	u, err := url.Parse(address)
	return err == nil && strings.HasSuffix(strings.ToLower(u.Hostname()), ".openai.azure.com")
}

// before returns the endpoint that a draft changes.
func (u *state) before(d api.ModelDraft) (config.Endpoint, bool) {
	list := u.endpoints()
	i := slices.IndexFunc(list, func(e config.Endpoint) bool { return e.Name == d.Before })
	if i < 0 || d.Before == "" {
		return config.Endpoint{}, false
	}
	return list[i], true
}

// checkStays returns why a key cannot stay: it belongs to the endpoint that it was set up for.
func (u *state) checkStays(d api.ModelDraft, _ config.Endpoint) error {
	before, ok := u.before(d)
	if from, to := apikey.Origin(cmp.Or(before.BaseURL, config.OpenAI)), apikey.Origin(d.URL); !ok || from != to {
		return textOtherKey.With(from, to)
	}
	return nil
}

// commandOf returns the words of a command: a list as settings have it, else what spaces
// separate.
func commandOf(text string) []string {
	var list struct{ Command []string }
	if toml.Unmarshal([]byte("Command = "+text), &list) == nil {
		return list.Command
	}
	return strings.Fields(text)
}

func (u *state) dir() string { return filepath.Dir(u.now.File) }

func (u *Setup) store() apikey.Store { return apikey.Store{Keyring: u.Keys, Dir: u.dir()} }

// edit writes the settings. An error is told in saved, and in none of the settings.
func (u *Setup) edit(ctx context.Context, changes []config.Change, saved *api.ModelSaved) error {
	saved.File = u.now.File
	now, err := config.Edit(ctx, u.Sources, changes...)
	if w, ok := errors.AsType[*config.Unwritten](err); ok {
		saved.Unwritten, saved.Lines = w, w.Lines
		return err
	}
	if err == nil {
		u.now = now
		u.unwritten = slices.DeleteFunc(u.unwritten, func(e config.Endpoint) bool { return u.isSettled(e.Name) })
	}
	return err
}

func (u *Setup) isSettled(name string) bool {
	return slices.ContainsFunc(u.now.Models, func(e config.Endpoint) bool { return e.Name == name })
}

// use has the society use the models as they are now.
func (u *Setup) use(ctx context.Context, name string, asDefault bool, saved *api.ModelSaved) error {
	list := u.endpoints()
	if asDefault {
		u.offline = false
		if list = u.endpoints(); len(list) == 0 || list[0].Name != name {
			saved.Overridden = u.now.DecidedBy("model.name", "model.offline")
			u.chosen = name
			list = u.endpoints()
		}
		if len(list) == 0 { // --demo leads to none
			list = slices.DeleteFunc(slices.Clone(u.now.Models), func(e config.Endpoint) bool { return e.Name != name })
			u.unwritten = append(u.unwritten, list...)
		}
	}
	return u.hand(ctx, list)
}

// choose returns the changes that make a model the default. A model that stands in the
// [model] table gets a table of its own, because that table then names another.
func (u *Setup) choose(name string) ([]config.Change, error) {
	var changes []config.Change
	m := &u.now.Model
	own := m.Name != "" && !slices.ContainsFunc(u.now.Models, func(e config.Endpoint) bool { return e.Name == m.Name })
	if own && m.Name != name && u.now.InFile("model.name") {
		if u.now.InFile("model.key") {
			return nil, textPlainKey.With(m.Name, u.now.File)
		}
		changes = config.MoveModel(m.Name)
		list, _ := u.now.Endpoints()
		if i := slices.IndexFunc(list, func(e config.Endpoint) bool { return e.Name == m.Name }); i >= 0 && list[i].KeyEnv != "" && !u.now.InFile("model.key_from") {
			changes = append(changes, config.Change{Model: m.Name, Key: "key_env", Value: list[i].KeyEnv}) // which a table of its own does not presume
		}
	}
	for _, e := range u.now.Models {
		if e.Default && e.Name != name {
			changes = append(changes, config.Change{Model: e.Name, Key: "default"})
		}
	}
	if u.now.InFile("model.offline") {
		changes = append(changes, config.Change{Key: "model.offline"})
	}
	return append(changes, config.Change{Key: "model.name", Value: name}), nil
}

// MakeDefault makes a model the default. A name that no endpoint has is that of the built-in
// one.
func (u *Setup) MakeDefault(ctx context.Context, name string) (api.ModelSaved, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var saved api.ModelSaved
	if !u.names(name) {
		_ = u.edit(ctx, []config.Change{{Key: "model.offline", Value: true}}, &saved) // told in saved
		u.offline = true
		return saved, u.hand(ctx, nil)
	}
	changes, err := u.choose(name)
	if err != nil {
		return saved, err
	}
	_ = u.edit(ctx, changes, &saved)
	u.chosen = ""
	return saved, u.use(ctx, name, true, &saved)
}

// Remove takes a model out of the settings.
func (u *Setup) Remove(ctx context.Context, name string) (api.ModelSaved, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var saved api.ModelSaved
	if !u.isTable(name) {
		return saved, textNotHere.With(name)
	}
	list := u.endpoints()
	i := slices.IndexFunc(list, func(e config.Endpoint) bool { return e.Name == name })
	changes, err := u.named(name, "")
	if err != nil {
		return saved, err
	}
	changes = append(changes, config.RemoveModel(name))
	err = u.edit(ctx, changes, &saved)
	u.unwritten = slices.DeleteFunc(u.unwritten, func(e config.Endpoint) bool { return e.Name == name })
	if err == nil && i >= 0 { // else it is needed at the next start
		source := list[i].Source
		if !slices.ContainsFunc(u.endpoints(), func(e config.Endpoint) bool { return e.Source.String() == source.String() }) {
			_ = u.store().Forget(ctx, source) // what stays is of no use to anybody else
		}
	}
	rest := slices.DeleteFunc(u.endpoints(), func(e config.Endpoint) bool { return e.Name == name })
	return saved, u.hand(ctx, rest)
}
