package apikey

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"iter"
	"slices"
	"strconv"
	"sync/atomic"

	"society-tui/llm"
)

// A Model is a model whose key is found when it is first asked, so that a keyring that is
// locked or a command that waits holds nothing up but this model. After a refusal of the key
// it is looked for once more: it may be another by now.
type Model struct {
	name string
	find func(context.Context) (Found, error)
	open func(Found) (llm.Model, error)

	turn    chan struct{} // capacity 1: held while current and found are used
	current llm.Model
	found   Found
	account atomic.Pointer[string] // of found, nil before

	keyless llm.Adapter // set before use; nil if nothing is known without the key
}

// RemembersLike makes a the one to ask what was adapted until the key was found. It must be
// called before m is used.
func (m *Model) RemembersLike(a llm.Adapter) { m.keyless = a }

// adapter returns who knows what was adapted, nil for nobody.
func (m *Model) adapter() llm.Adapter {
	if opened := m.opened(); opened != nil {
		a, _ := opened.(llm.Adapter)
		return a
	}
	return m.keyless
}

// Found is what was looked for: a key, and values of other parts of requests.
type Found struct {
	Key    string
	Values []string
}

func (f Found) equal(g Found) bool { return f.Key == g.Key && slices.Equal(f.Values, g.Values) }

// NewModel returns a model of a name. Find finds its key, and open makes the model that has
// it.
func NewModel(name string, find func(context.Context) (Found, error), open func(Found) (llm.Model, error)) *Model {
	return &Model{name: name, find: find, open: open, turn: make(chan struct{}, 1)}
}

// Name returns the name of the model as the endpoint knows it.
func (m *Model) Name() string { return m.name }

// Close closes what the model holds open, and waits for nothing: while its key is looked for it
// holds nothing open. It may still be asked afterwards.
func (m *Model) Close() error {
	if c, ok := m.opened().(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Lookup finds the key, if that was not done, and asks the endpoint for something else than an
// answer.
func (m *Model) Lookup(ctx context.Context, path string, body []byte) ([]byte, error) {
	model, err := m.model(ctx, nil)
	if err != nil {
		return nil, failure(ctx, err)
	}
	asker, ok := model.(interface {
		Lookup(ctx context.Context, path string, body []byte) ([]byte, error)
	})
	if !ok {
		return nil, &llm.Error{Class: llm.NotChat, Text: "it cannot be asked for its models"}
	}
	return asker.Lookup(ctx, path, body)
}

// Generate finds the key, if that was not done, and asks the model.
func (m *Model) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		model, err := m.model(ctx, nil)
		if err != nil {
			yield(llm.Chunk{}, failure(ctx, err))
			return
		}
		for again := true; ; {
			refused := false
			for chunk, err := range model.Generate(ctx, req) {
				if e, ok := errors.AsType[*llm.Error](err); ok && again && e.Status == 401 {
					if other, found := m.model(ctx, model); found == nil && other != model {
						if err := llm.MayAskWithOtherKey(ctx, err); err != nil {
							yield(llm.Chunk{}, err)
							return
						}
						refused, again, model = true, false, other
						break
					}
				}
				if !yield(chunk, err) || err != nil {
					return
				}
				again = false // what has begun cannot begin anew
			}
			if !refused {
				return
			}
		}
	}
}

// model returns the model with its key. If a key was refused it is looked for again, unless
// that was done already: the result is refused if there is no other.
func (m *Model) model(ctx context.Context, refused llm.Model) (llm.Model, error) {
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if m.current != nil && m.current != refused {
		return m.current, nil
	}
	found, err := m.find(ctx)
	if err != nil || m.current != nil && found.equal(m.found) {
		return m.current, err
	}
	opened, err := m.open(found)
	if err != nil {
		return nil, err
	}
	m.current, m.found = opened, found
	account := Account(found.Key)
	m.account.Store(&account)
	return opened, nil
}

// failure returns an error as every model does.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &llm.Error{Class: llm.Auth, Text: err.Error(), Err: err}
}

// Adapted implements llm.Adapter, of the model that was opened last; before, see RemembersLike.
func (m *Model) Adapted() []string {
	if a := m.adapter(); a != nil {
		return a.Adapted()
	}
	return nil
}

// ForgetAdapted implements llm.Adapter, of the model that was opened last; before, see
// RemembersLike.
func (m *Model) ForgetAdapted() {
	if a := m.adapter(); a != nil {
		a.ForgetAdapted()
	}
}

// SeeksKey implements llm.KeySeeker.
func (m *Model) SeeksKey() bool { return m.opened() == nil }

// FindKey implements llm.KeySeeker.
func (m *Model) FindKey(ctx context.Context) error {
	if _, err := m.model(ctx, nil); err != nil {
		return failure(ctx, err)
	}
	return nil
}

// Account implements llm.KeySeeker. It waits for nothing.
func (m *Model) Account() string {
	if account := m.account.Load(); account != nil {
		return *account
	}
	return ""
}

// accountSeed makes accounts say nothing of keys, and differ from run to run.
var accountSeed = maphash.MakeSeed()

// Account tells a key from others and says nothing of it; it is "" for no key.
func Account(key string) string {
	if key == "" {
		return ""
	}
	return strconv.FormatUint(maphash.String(accountSeed, key), 36)
}

// opened returns the model, nil while its key is looked for.
func (m *Model) opened() llm.Model {
	select {
	case m.turn <- struct{}{}:
		defer func() { <-m.turn }()
		return m.current
	default:
		return nil
	}
}
