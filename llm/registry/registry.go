// Package registry holds the models that a society can use, by name and by capability.
// [Registry.For] finds the one that a role asks for, and [Probe] asks one for a sign of
// life.
package registry

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

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
	// Endpoint identifies the endpoint, and Account the key there, which it is not: models
	// with the same of both share their limits. Of an llm.KeySeeker it is where the key is to be
	// found, in place of its own Account until there is one.
	Endpoint string
	Account  string
	// Window is the size of the context in tokens; 0 if unknown. It and Images are given as the
	// settings have them; then they are what Facts say.
	Window int
	// MaxTokens bounds its answers; 0 leaves that to the endpoint.
	MaxTokens int
	// Calls bounds how many calls of it run at once; 0 for no bound of its own.
	Calls int
	// RPM and TPM bound how many calls of it begin in a minute and what tokens they take; 0
	// for no bound of its own.
	RPM, TPM int
	// Fallback are the names of models that answer in its place while it cannot, in order.
	Fallback []string
	// Capabilities are names that a role can ask for instead.
	Capabilities []string
	// Effort is how much it thinks by its settings, "" as its endpoint decides.
	Effort string
	// Images is "yes" if it takes images and "no" if it takes none, "" if that is not known.
	Images string
	// Unoffered is set for one that the user may name and agents are not told of.
	Unoffered bool
	// Facts are what is known of it, at first from the settings alone; [Registry.Learn] adds to
	// them.
	Facts llm.Facts
	// Offers are the names of the models that its endpoint has, as far as they are known.
	Offers []string

	findings llm.Findings // from which Facts follow; never changed
}

// A Registry is a set of models, which [Registry.Replace] changes as a whole. Its methods may
// be called from any goroutine.
type Registry struct{ set atomic.Pointer[set] }

// A set never changes.
type set struct {
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
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].begin()
	}
	r := new(Registry)
	r.set.Store(&set{entries: entries})
	return r, nil
}

// Only returns a registry in which every name and every capability leads to the
// same model: for a user who wants no other to be asked, whatever roles say.
func Only(e Entry) (*Registry, error) {
	r, err := New(e)
	if err == nil {
		r.set.Store(&set{entries: r.All(), only: true})
	}
	return r, err
}

// Replace takes over the models of another registry. Calls that run go on with the models that
// they have; what these hold open beside that is closed. What was found out of a model that stays
// at its endpoint still holds.
func (r *Registry) Replace(by *Registry) error {
	for {
		before := r.set.Load()
		if r.set.CompareAndSwap(before, by.set.Load().knowing(before)) {
			return before.close()
		}
	}
}

// For returns the model that a role asks for: by its name, else the first with the
// capability, else the default. ok is false if there is none.
func (r *Registry) For(name, capability string) (e Entry, ok bool) {
	now := r.set.Load()
	if now.only || name == "" && capability == "" {
		return now.entries[0], true
	}
	i := slices.IndexFunc(now.entries, func(e Entry) bool {
		if name != "" {
			return e.Name == name
		}
		return slices.Contains(e.Capabilities, capability)
	})
	if i < 0 {
		return Entry{}, false
	}
	return now.entries[i], true
}

// All returns the models, the default first.
func (r *Registry) All() []Entry { return slices.Clone(r.set.Load().entries) }

// Close closes what the models hold open. They may still be asked afterwards.
func (r *Registry) Close() error { return r.set.Load().close() }

func (s *set) close() error {
	var all []error
	for _, e := range s.entries {
		if c, ok := e.Model.(io.Closer); ok {
			all = append(all, c.Close())
		}
	}
	return errors.Join(all...)
}
