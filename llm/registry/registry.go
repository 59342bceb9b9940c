// Package registry holds the models that a society can use, by name and by capability.
// [Registry.For] finds the one that a role asks for, and [Probe] asks one for a sign of
// life.
package registry

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"society-tui/llm"
)

// What an Entry can say of images.
const (
	TakesImages   = "yes"
	TakesNoImages = "no"
)

// An Entry is a model with its properties. Name and Model are required.
type Entry struct {
	// Name is the name for roles and people. The endpoint may use another.
	Name  string
	Model llm.Model
	// Endpoint identifies the endpoint: models with the same one share its limit.
	Endpoint string
	// Window is the size of the context in tokens; 0 if unknown.
	Window int
	// Calls bounds how many calls of it run at once; 0 for no bound of its own.
	Calls int
	// Capabilities are names that a role can ask for instead.
	Capabilities []string
	// Images is "yes" if it takes images and "no" if it takes none, "" if that is not known.
	Images string
	// Price is what its tokens cost.
	Price llm.Fact[llm.Price]
	// Unoffered is set for one that the user may name and agents are not told of.
	Unoffered bool
}

// A Registry is a fixed set of models. Its methods may be called from any
// goroutine.
type Registry struct {
	entries []Entry
	only    bool
}

// New returns a registry of these models, the default first. Names must differ.
func New(entries ...Entry) (*Registry, error) {
	if len(entries) == 0 {
		return nil, errors.New("there is no model")
	}
	names := map[string]bool{}
	for _, e := range entries {
		switch {
		case e.Name == "" || e.Model == nil:
			return nil, fmt.Errorf("the model %q lacks its name or what is to be asked", e.Name)
		case names[e.Name]:
			return nil, fmt.Errorf("two models are called %q; give each a name of its own", e.Name)
		}
		names[e.Name] = true
	}
	return &Registry{entries: slices.Clone(entries)}, nil
}

// Only returns a registry in which every name and every capability leads to the
// same model: for a user who wants no other to be asked, whatever roles say.
func Only(e Entry) (*Registry, error) {
	r, err := New(e)
	if err == nil {
		r.only = true
	}
	return r, err
}

// For returns the model that a role asks for: by its name, else the first with the
// capability, else the default. ok is false if there is none.
func (r *Registry) For(name, capability string) (e Entry, ok bool) {
	if r.only || name == "" && capability == "" {
		return r.entries[0], true
	}
	i := slices.IndexFunc(r.entries, func(e Entry) bool {
		if name != "" {
			return e.Name == name
		}
		return slices.Contains(e.Capabilities, capability)
	})
	if i < 0 {
		return Entry{}, false
	}
	return r.entries[i], true
}

// All returns the models, the default first.
func (r *Registry) All() []Entry { return slices.Clone(r.entries) }

// Close closes what the models hold open. They may still be asked afterwards.
func (r *Registry) Close() error {
	var all []error
	for _, e := range r.entries {
		if c, ok := e.Model.(io.Closer); ok {
			all = append(all, c.Close())
		}
	}
	return errors.Join(all...)
}
