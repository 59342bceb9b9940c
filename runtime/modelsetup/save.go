package modelsetup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/apikey"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/modeladdress"
	"society-tui/runtime/template"
)

// Save keeps a draft in the settings, and has the society use it.
func (u *Setup) Save(ctx context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if err := u.checkName(d); err != nil {
		return api.ModelSaved{}, err
	}
	former := u.sources()
	var saved api.ModelSaved
	var changes []config.Change
	own := u.isOwn(d.Before)
	if own {
		changes = u.moveOwn() // to which the [model] table still leads by its name
	}
	if d.Before != "" && d.Before != d.Name {
		others, err := u.named(d.Before, d.Name)
		if err != nil {
			return saved, err
		}
		changes = append(append(changes, others...), config.Change{Model: d.Before, Key: "name", Value: d.Name})
	}
	first := len(u.endpoints()) == 0
	var chosen []config.Change
	if first && !asDefault { // else it would be, as the only one
		chosen = []config.Change{{Key: "model.offline", Value: true}}
	}
	if asDefault && !own { // which is the default already
		var err error
		if chosen, err = u.choose(d.Name); err != nil {
			return saved, err
		}
	}
	e, err := u.keep(ctx, d, &saved)
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
	if modeladdress.IsAzure(d.URL) {
		set("key_header", e.KeyHeader, true)
	}
	set("model", d.Model, d.Model != d.Name)
	if d.Key != api.KeyStays || e.KeyFrom == nil { // else the file says where it is; with an address no variable is presumed
		set("key_env", e.KeyEnv, e.KeyEnv != "")
		set("key_from", e.Source.Value(), !e.Source.IsZero() && e.KeyEnv == "")
	}
	set("context_window", d.Window, d.Window > 0)
	set("plain_http", true, d.PlainHTTP)
	changes = append(changes, chosen...)
	u.offline = u.offline || first && !asDefault
	if err := u.edit(ctx, changes, &saved); err != nil { // it holds for this run
		u.unwritten = slices.DeleteFunc(u.unwritten, func(o config.Endpoint) bool { return o.Name == d.Before || o.Name == d.Name })
		u.unwritten = append(u.unwritten, e)
	} else {
		u.unwritten = slices.DeleteFunc(u.unwritten, func(o config.Endpoint) bool { return o.Name == d.Before })
		saved.KeyLeft = u.forgetUnused(ctx, former)
		if err := (template.Source{Dir: u.now.Templates}).RenameModel(ctx, d.Before, d.Name); err != nil {
			saved.File, saved.Unwritten, saved.Lines = u.now.Templates, err, fmt.Sprintf("model = %q # %s\n", d.Name, d.Before)
		}
	}
	return saved, u.use(ctx, Models{Before: d.Before, Now: d.Name}, d.Name, asDefault, &saved)
}

// checkName returns why a draft cannot have its name.
func (u *Setup) checkName(d api.ModelDraft) error {
	switch {
	case d.Name == "":
		return textNoName.With()
	case d.Name != d.Before && u.names(d.Name):
		return textTaken.With(d.Name)
	}
	return config.CheckModelName(d.Name)
}

// sources returns where the keys of models are, also of those that the settings have and the
// society does not use.
func (u *state) sources() []apikey.Source {
	var all []apikey.Source
	for _, e := range slices.Concat(u.now.Models, u.endpoints()) {
		if !e.Source.IsZero() {
			all = append(all, e.Source)
		}
	}
	return all
}

// forgetUnused removes the entered keys among the former ones that neither a model nor the file
// names any more: a table with a mistake is no model. It returns which stay because other
// settings may use them, nil for none. What cannot be removed is of no use to anybody else: that
// is not told.
func (u *Setup) forgetUnused(ctx context.Context, former []apikey.Source) error {
	file, err := os.ReadFile(u.now.File)
	if err != nil {
		return nil
	}
	var left []string
	for _, source := range former {
		is := func(other apikey.Source) bool { return other.String() == source.String() }
		names := regexp.MustCompile(regexp.QuoteMeta(source.String()) + `["']`)
		if names.Match(file) || slices.ContainsFunc(u.sources(), is) || slices.Contains(left, source.String()) {
			continue
		}
		stays := u.otherNames(names)
		if !stays {
			stays, _ = u.store().Forget(ctx, source)
		}
		if stays {
			left = append(left, source.String())
		}
	}
	if len(left) == 0 {
		return nil
	}
	return textKeyLeft.With(i18n.List(left))
}

// otherNames reports whether a TOML file beside the settings, perhaps a copy of them, names a
// key. One that cannot be read may.
func (u *state) otherNames(key *regexp.Regexp) bool {
	beside, err := os.ReadDir(u.dir())
	return err != nil || slices.ContainsFunc(beside, func(f os.DirEntry) bool {
		if !strings.HasSuffix(f.Name(), ".toml") || f.Name() == apikey.KeysFile || f.Name() == filepath.Base(u.now.File) {
			return false
		}
		text, err := os.ReadFile(filepath.Join(u.dir(), f.Name()))
		return err != nil || key.Match(text)
	})
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
	follow := func(c config.Change, fallback []string) {
		if !slices.Contains(fallback, before) {
			return
		}
		var rest []string
		for _, name := range fallback {
			if name == before {
				name = now
			}
			if name != "" {
				rest = append(rest, name)
			}
		}
		change(c, rest, len(rest) == 0)
	}
	follow(config.Change{Key: "model.fallback"}, u.now.Model.Fallback)
	for _, e := range u.now.Models {
		follow(config.Change{Model: e.Name, Key: "fallback"}, e.Fallback)
	}
	return append(changes, u.now.RenameInGraphs(before, now)...), nil
}

// names reports whether a model of that name is set up.
func (u *Setup) names(name string) bool {
	is := func(e config.Endpoint) bool { return e.Name == name }
	return slices.ContainsFunc(u.now.Models, is) || slices.ContainsFunc(u.endpoints(), is)
}

// keep puts an entered key where it is to be, and returns the endpoint of a draft.
func (u *Setup) keep(ctx context.Context, d api.ModelDraft, saved *api.ModelSaved) (config.Endpoint, error) {
	e := u.drafted(d)
	if d.Key != api.KeyStays {
		e.Key, e.KeyEnv, e.Source, e.KeyFrom = config.Secret{}, "", apikey.Source{}, nil
	}
	var err error
	switch d.Key {
	case api.KeyInKeyring, api.KeyInFile:
		place := apikey.InFile
		if d.Key == api.KeyInKeyring {
			place = apikey.InKeyring
		}
		e.Source, saved.KeyInFile, err = u.store().Keep(ctx, place, apikey.Entered{Key: string(d.Entered), Model: d.Name, BaseURL: d.URL, Own: u.ownSource(d.Before)})
	case api.KeyByCommand:
		e.Source, err = apikey.Parse(commandOf(string(d.Entered)), u.dir())
	case api.KeyInEnv:
		e.KeyEnv = strings.TrimSpace(string(d.Entered))
		err = e.Key.UnmarshalText([]byte(u.Sources.Getenv(e.KeyEnv)))
	case api.KeyOfOther:
		var other config.Endpoint
		other, err = u.keeper(d)
		e.Key, e.KeyEnv, e.Source = other.Key, other.KeyEnv, other.Source
	case api.KeyStays:
		_, err = u.keeper(d)
	}
	return e, err
}

// ownSource returns where the key of a model is, none if another model has it too.
func (u *state) ownSource(name string) (own apikey.Source) {
	list := u.endpoints()
	for _, e := range list {
		if e.Name == name {
			own = e.Source
		}
	}
	if slices.ContainsFunc(list, func(e config.Endpoint) bool { return e.Name != name && e.Source.String() == own.String() }) {
		return apikey.Source{}
	}
	return own
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
		e.Headers, e.Query, e.Sought = nil, nil, nil
	}
	e.Name, e.Model, e.BaseURL, e.ContextWindow, e.PlainHTTP = d.Name, d.Model, d.URL, d.Window, d.PlainHTTP
	if len(d.Query) > 0 {
		e.Query = map[string]config.Private{}
		for name, value := range d.Query {
			e.Query[name] = config.Private(value)
		}
	}
	if modeladdress.IsAzure(d.URL) {
		e.KeyHeader = cmp.Or(e.KeyHeader, azureHeader)
	}
	return e
}

// azureHeader is the header in which Azure takes keys.
const azureHeader = "api-key"

// before returns the endpoint that a draft changes.
func (u *state) before(d api.ModelDraft) (config.Endpoint, bool) {
	list := u.endpoints()
	i := slices.IndexFunc(list, func(e config.Endpoint) bool { return e.Name == d.Before })
	if i < 0 || d.Before == "" {
		return config.Endpoint{}, false
	}
	return list[i], true
}

// keeper returns the model whose key a draft has or takes, and why it cannot: the key belongs to
// the endpoint that it was set up for.
func (u *state) keeper(d api.ModelDraft) (config.Endpoint, error) {
	if d.Key == api.KeyOfOther {
		d.Before = string(d.Entered)
	}
	e, ok := u.before(d)
	if from, to := apikey.Origin(cmp.Or(e.BaseURL, config.OpenAI)), apikey.Origin(d.URL); !ok || from != to {
		return e, textOtherKey.With(from, to)
	}
	return e, nil
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

// edit writes the settings. It notes in saved why they could not be written.
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
func (u *Setup) use(ctx context.Context, m Models, name string, asDefault bool, saved *api.ModelSaved) error {
	if asDefault {
		u.offline = false
		if list := u.endpoints(); u.now.Model.Offline || len(list) == 0 || list[0].Name != name { // --demo stays set
			saved.Overridden = u.now.DecidedBy("model.name", "model.offline")
			u.chosen = name
		}
	}
	m.Endpoints = u.used()
	return u.hand(ctx, m)
}
