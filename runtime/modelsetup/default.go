package modelsetup

import (
	"context"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/config"
)

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
		changes = u.moveOwn()
	}
	for _, e := range u.now.Models {
		if e.Default && e.Name != name {
			changes = append(changes, config.Change{Model: e.Name, Key: "default"})
		}
	}
	if u.now.InFile("model.offline") || u.now.DecidedBy("model.offline") != "" { // which hides what the file says
		changes = append(changes, config.Change{Key: "model.offline"})
	}
	return append(changes, config.Change{Key: "model.name", Value: name}), nil
}

// moveOwn returns the changes that give the model of the [model] table a table of its own.
func (u *state) moveOwn() []config.Change {
	name := u.now.Model.Name
	changes := config.MoveModel(name)
	list := u.endpoints()
	if i := slices.IndexFunc(list, func(e config.Endpoint) bool { return e.Name == name }); i >= 0 && list[i].KeyEnv != "" && !u.now.InFile("model.key_from") {
		changes = append(changes, config.Change{Model: name, Key: "key_env", Value: list[i].KeyEnv}) // which a table of its own does not presume
	}
	return changes
}

// MakeDefault makes a model the default. A name that no endpoint has is that of the built-in
// one.
func (u *Setup) MakeDefault(ctx context.Context, name string) (api.ModelSaved, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var saved api.ModelSaved
	if !u.names(name) {
		_ = u.edit(ctx, []config.Change{{Key: "model.offline", Value: true}}, &saved) // told in saved
		if !u.now.Model.Offline {
			saved.Overridden = u.now.DecidedBy("model.name")
		}
		u.offline = true
		return saved, u.hand(ctx, Models{})
	}
	changes, err := u.choose(name)
	if err != nil {
		return saved, err
	}
	_ = u.edit(ctx, changes, &saved)
	u.chosen = ""
	return saved, u.use(ctx, Models{}, name, true, &saved)
}

// Remove takes a model out of the settings.
func (u *Setup) Remove(ctx context.Context, name string) (api.ModelSaved, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	var saved api.ModelSaved
	own := u.isOwn(name)
	if !own && !u.isTable(name) {
		return saved, textNotHere.With(name)
	}
	former := u.sources()
	changes, err := u.named(name, "")
	if err != nil {
		return saved, err
	}
	if own {
		changes = append(u.moveOwn(), changes...)
	}
	changes = append(changes, config.RemoveModel(name))
	err = u.edit(ctx, changes, &saved)
	u.unwritten = slices.DeleteFunc(u.unwritten, func(e config.Endpoint) bool { return e.Name == name })
	if err == nil { // else the key is needed at the next start
		saved.KeyLeft = u.forgetUnused(ctx, former)
	}
	rest := slices.DeleteFunc(u.used(), func(e config.Endpoint) bool { return e.Name == name })
	return saved, u.hand(ctx, Models{Endpoints: rest, Before: name})
}
