package attachapi

import (
	"errors"
	"net/http"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
)

// A Save asks for a draft to be kept.
type Save struct {
	Draft     api.ModelDraft `json:"draft,omitzero"`
	AsDefault bool           `json:"asDefault,omitempty"`
}

// A ModelName names a model of the settings.
type ModelName struct {
	Name string `json:"name,omitempty"`
}

// A Trial is an api.ModelTrial with its error in both languages.
type Trial struct {
	api.ModelTrial

	Err *i18n.Text `json:"Err"`
}

// A Saved is an api.ModelSaved with its errors in both languages, and the models that there
// are now.
type Saved struct {
	api.ModelSaved

	Unwritten *i18n.Text `json:"Unwritten"`
	KeyInFile *i18n.Text `json:"KeyInFile"`
	KeyLeft   *i18n.Text `json:"KeyLeft"`
	Library   Library    `json:"library"`
}

// A NoKeyring is why there is no keyring, if there is none.
type NoKeyring struct {
	Why *i18n.Text `json:"why,omitempty"`
}

// Err returns what was sent.
func (n NoKeyring) Err() error { return errorOf(n.Why) }

// A Disabled is an api.DisabledModel with its error in both languages.
type Disabled struct {
	Name string    `json:"name"`
	Why  i18n.Text `json:"why"`
	// Waits is set for one without a mistake.
	Waits bool `json:"waits,omitempty"`
}

// textOf returns an error in both languages, nil for none.
func textOf(err error) *i18n.Text {
	if err == nil {
		return nil
	}
	text := both(err)
	return &text
}

// errorOf returns the error that textOf has returned.
func errorOf(text *i18n.Text) error {
	if text == nil {
		return nil
	}
	return text.With()
}

// Trial returns what was sent.
func (t *Trial) Trial() api.ModelTrial {
	trial := t.ModelTrial
	trial.Err = errorOf(t.Err)
	return trial
}

// Saved returns what was sent.
func (s *Saved) Saved() api.ModelSaved {
	saved := s.ModelSaved
	saved.Unwritten, saved.KeyInFile, saved.KeyLeft = errorOf(s.Unwritten), errorOf(s.KeyInFile), errorOf(s.KeyLeft)
	return saved
}

// Disabled returns what was sent.
func (d *Disabled) Disabled() api.DisabledModel {
	return api.DisabledModel{Name: d.Name, Why: d.Why.With(), Waits: d.Waits}
}

// A mistake of the user is no failure of the program: it is not logged, because it may repeat
// what was entered.
type mistaken struct{ error }

// ofUser returns an error of a set-up as a mistake of the user if it explains one.
func ofUser(err error) error {
	if _, ok := errors.AsType[*i18n.Message](err); ok {
		return mistaken{err}
	}
	return err
}

// routeModels adds the routes by which models are set up. What a user enters comes over the
// socket only, and what a draft leads to, commands among it, is run for it only.
func (h *Handler) routeModels() {
	setUpRead(h, "providers", func(r *http.Request) any { return h.cfg.Models.Providers(r.Context()) })
	setUpRead(h, "keyring", func(r *http.Request) any { return NoKeyring{textOf(h.cfg.Models.NoKeyring(r.Context()))} })
	setUp(h, "list", func(r *http.Request, d api.ModelDraft) (any, error) { return h.cfg.Models.List(r.Context(), d) })
	setUp(h, "try", func(r *http.Request, d api.ModelDraft) (any, error) {
		t := h.cfg.Models.Try(r.Context(), d)
		wire := Trial{t, textOf(t.Err)}
		wire.ModelTrial.Err = nil
		return wire, nil
	})
	setUp(h, "save", func(r *http.Request, in Save) (any, error) {
		return h.saved(h.cfg.Models.Save(r.Context(), in.Draft, in.AsDefault))
	})
	setUp(h, "default", func(r *http.Request, in ModelName) (any, error) {
		return h.saved(h.cfg.Models.MakeDefault(r.Context(), in.Name))
	})
	setUp(h, "remove", func(r *http.Request, in ModelName) (any, error) {
		return h.saved(h.cfg.Models.Remove(r.Context(), in.Name))
	})
	setUp(h, "forget", func(r *http.Request, in ModelName) (any, error) {
		return h.saved(api.ModelSaved{}, h.cfg.Models.Forget(r.Context(), in.Name))
	})
}

// setUpRead adds a route of the set-up of models that takes nothing and changes nothing.
func setUpRead(h *Handler, path string, f func(r *http.Request) any) {
	h.route("GET", "models/"+path, func(r *http.Request) (any, error) {
		var in nothing
		if _, err := httpapi.Decode(r, &in); err != nil {
			return nil, err
		}
		if h.cfg.Models == nil {
			return nil, errors.ErrUnsupported
		}
		return f(r), nil
	})
}

// setUp adds a route of the set-up of models.
func setUp[In any](h *Handler, path string, f func(r *http.Request, in In) (any, error)) {
	h.route("POST", "models/"+path, func(r *http.Request) (any, error) {
		if _, err := h.deciding(r); err != nil {
			return nil, err
		}
		if h.cfg.Models == nil {
			return nil, errors.ErrUnsupported
		}
		var in In
		if _, err := httpapi.DecodeBody(r, &in); err != nil {
			return nil, err
		}
		out, err := f(r, in)
		return out, ofUser(err)
	})
}

// saved returns the outcome of a change with the models that there are now.
func (h *Handler) saved(s api.ModelSaved, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	wire := Saved{s, textOf(s.Unwritten), textOf(s.KeyInFile), textOf(s.KeyLeft), h.library()}
	wire.ModelSaved.Unwritten, wire.ModelSaved.KeyInFile, wire.ModelSaved.KeyLeft = nil, nil, nil
	return wire, nil
}

// library returns what roles can ask for now, and which models can be changed.
func (h *Handler) library() Library {
	l := Library{Models: h.cfg.Society.Models(), Graphs: h.cfg.Society.Graphs(), Missing: h.cfg.Society.MissingModels()}
	if h.cfg.Models == nil {
		return l
	}
	draft := func(name string) {
		if d, ok := h.cfg.Models.Draft(name); ok {
			l.Drafts = append(l.Drafts, d)
		}
	}
	for _, m := range l.Models {
		draft(m.Name)
	}
	for _, d := range h.cfg.Models.Disabled() {
		l.Disabled = append(l.Disabled, Disabled{d.Name, both(d.Why), d.Waits})
		if d.Waits {
			draft(d.Name)
		}
	}
	return l
}
