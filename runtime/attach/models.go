package attach

import (
	"context"
	"net/http"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/modeladdress"
)

// A modelSetup sets models up on the machine of the society.
type modelSetup struct{ *Client }

// ModelSetup returns what sets models up, over a socket only: what a user enters is a key.
func (c *Client) ModelSetup() api.ModelSetup { return modelSetup{c} }

// Providers returns where models can be had from the machine of the society, nothing while the
// connection is cut.
func (m modelSetup) Providers(ctx context.Context) []api.ModelProvider {
	all, err := read[[]api.ModelProvider](ctx, m.Client, "models/providers", nil)
	if err != nil {
		m.cfg.Log.Info("providers of models not read", "part", "attach", "error", err.Error())
	}
	return all
}

// NoKeyring returns why there is no keyring on the machine of the society, nil while the
// connection is cut: a key that is entered then is kept nowhere.
func (m modelSetup) NoKeyring(ctx context.Context) error {
	none, err := read[attachapi.NoKeyring](ctx, m.Client, "models/keyring", nil)
	if err != nil {
		m.cfg.Log.Info("keyring not asked for", "part", "attach", "error", err.Error())
		return nil
	}
	return none.Err()
}

// Address mends an address as it was typed.
func (modelSetup) Address(raw string) (api.ModelAddress, error) { return modeladdress.Mend(raw) }

// setUp sends what may hold a key: once, and over a socket only.
func setUp[T any](ctx context.Context, c *Client, path string, in any) (reply T, err error) {
	if c.cfg.URL != "" {
		return reply, api.ErrSocketOnly
	}
	body, err := encoded(in)
	if err != nil {
		return reply, err
	}
	return once[T](ctx, c, request{method: http.MethodPost, path: "models/" + path, body: body})
}

// List asks the endpoint of a draft for its models.
func (m modelSetup) List(ctx context.Context, d api.ModelDraft) (api.ModelList, error) {
	return setUp[api.ModelList](ctx, m.Client, "list", d)
}

// Try has the model of a draft answer.
func (m modelSetup) Try(ctx context.Context, d api.ModelDraft) api.ModelTrial {
	t, err := setUp[attachapi.Trial](ctx, m.Client, "try", d)
	if err != nil {
		return api.ModelTrial{Err: err}
	}
	return t.Trial()
}

// Save keeps a draft in the settings of the society.
func (m modelSetup) Save(ctx context.Context, d api.ModelDraft, asDefault bool) (api.ModelSaved, error) {
	return m.change(ctx, "save", attachapi.Save{Draft: d, AsDefault: asDefault})
}

// MakeDefault makes a model the default.
func (m modelSetup) MakeDefault(ctx context.Context, name string) (api.ModelSaved, error) {
	return m.change(ctx, "default", attachapi.ModelName{Name: name})
}

// Remove takes a model out of the settings of the society.
func (m modelSetup) Remove(ctx context.Context, name string) (api.ModelSaved, error) {
	return m.change(ctx, "remove", attachapi.ModelName{Name: name})
}

// Forget has a model forget what its endpoint has taught it, or all models for "".
func (m modelSetup) Forget(ctx context.Context, name string) error {
	_, err := m.change(ctx, "forget", attachapi.ModelName{Name: name})
	return err
}

// change changes models. Those that there are now are known when it returns, before the
// changes that tell them come.
func (m modelSetup) change(ctx context.Context, path string, in any) (api.ModelSaved, error) {
	s, err := setUp[attachapi.Saved](ctx, m.Client, path, in)
	if err != nil {
		return api.ModelSaved{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.library = s.Library
	return s.Saved(), nil
}

// Draft returns a model of the settings as it was last told.
func (m modelSetup) Draft(name string) (api.ModelDraft, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.library.Drafts {
		if d.Name == name {
			return d, true
		}
	}
	return api.ModelDraft{}, false
}

// Disabled returns the models of the settings that are not used as they were last told.
func (m modelSetup) Disabled() (all []api.DisabledModel) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.library.Disabled {
		all = append(all, m.library.Disabled[i].Disabled())
	}
	return all
}
