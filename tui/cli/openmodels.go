package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/catalog"
	"society-tui/llm/chatapi"
	"society-tui/llm/demo"
	"society-tui/llm/registry"
	"society-tui/runtime/apikey"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/modelsetup"
)

// openModels makes the models of the settings, the default first and the
// built-in one last, or only that one if it was asked for, see modelsOf. The warnings are
// those of the settings, which addresses were corrected, and what is wrong with the user's own
// catalogue. An error is a usageError.
func (c *console) openModels(s config.Settings, offline bool) (models *registry.Registry, warnings []string, err error) {
	models, notes, err := c.modelsOf(s, offline)
	if err != nil {
		return nil, nil, c.wrongSettings(err)
	}
	if m, wrong := errors.AsType[*catalog.Mistake](catalogOf(s).Err()); wrong && m.Line > 0 {
		notes = append(notes, textOwnListAt.With(m.File, m.Line, m.Why))
	} else if wrong {
		notes = append(notes, textOwnList.With(m.File, m.Why))
	}
	for _, warning := range append(s.Warnings, notes...) {
		warnings = append(warnings, c.inWords(warning))
	}
	return models, warnings, nil
}

// builtIn is the endpoint of the offline model.
const builtIn = "built in"

// modelsOf makes the models of the settings. With offline the built-in one takes the place of a
// default that is only half set.
func (c *console) modelsOf(s config.Settings, offline bool) (models *registry.Registry, notes []*i18n.Message, err error) {
	list, err := s.Endpoints()
	without := s.WithoutModel()
	if err != nil && (without == nil || !offline) {
		return nil, nil, err
	}
	models, notes, err = c.registryOf(s, list)
	if without != nil {
		notes = append(notes, textUntilSetup.With(cmp.Or(without.From.Variable, without.Key)))
	}
	return models, notes, err
}

// registryOf makes the models of a list, the default first, and the built-in one; that alone
// if the settings ask for it or the list is empty.
func (c *console) registryOf(s config.Settings, list []config.Endpoint) (models *registry.Registry, notes []*i18n.Message, err error) {
	offline := registry.Entry{Name: demo.Name, Endpoint: builtIn, Images: registry.TakesNoImages, Unoffered: len(list) > 0}
	offline.Facts.Price = llm.Fact[llm.Price]{Value: llm.Price{Included: true}, Source: llm.FromEndpoint}
	pace := demo.Config{Pace: s.Model.OfflinePace.Duration}
	if len(list) == 0 {
		pace.Window, offline.Window = s.Model.ContextWindow, s.Model.ContextWindow
	}
	if offline.Model, err = demo.New(pace); err != nil {
		return nil, nil, err
	}
	if len(list) == 0 && s.Model.Offline {
		models, err = registry.Only(offline)
		return models, nil, err
	}
	var entries []registry.Entry
	for _, e := range list {
		entry, note, err := c.openModel(s, e)
		if err != nil && slices.ContainsFunc(s.Models, func(m config.Endpoint) bool { return m.Name == e.Name }) {
			notes = append(notes, textNotUsed.With(e.Name, err)) // the others work
			continue
		}
		if err != nil {
			return nil, nil, textOfModel.With(e.Name, err)
		}
		if note != nil {
			notes = append(notes, note)
		}
		entries = append(entries, entry)
	}
	offline.Unoffered = len(entries) > 0
	models, err = registry.New(append(entries, offline)...)
	return models, notes, err
}

// openModel makes one model. The note tells what was corrected in its address.
func (c *console) openModel(s config.Settings, e config.Endpoint) (entry registry.Entry, note *i18n.Message, err error) {
	given := strings.TrimRight(strings.TrimSpace(cmp.Or(e.BaseURL, config.OpenAI)), "/")
	address, err := chatapi.FixBaseURL(given)
	if err != nil {
		return entry, nil, fmt.Errorf("base_url: %w", err)
	}
	if !strings.EqualFold(address, given) {
		note = textNowURL.With(e.Name, address)
	}
	idle := s.Model.IdleTimeout.Duration
	if idle == 0 {
		idle = -1 // no limit, in terms of chatapi
	}
	with := func(key string, values []string) (llm.Model, error) {
		now := e
		now.Asking = e.With(values)
		return chatapi.New(chatapi.Config{
			BaseURL: address, Key: chatapi.Key(key), Model: e.Model,
			IdleTimeout: idle, MaxTokens: e.MaxTokens, Memory: c.adapted, Options: modelsetup.OptionsOf(now),
		})
	}
	model, err := with(e.Key.Reveal(), make([]string, len(e.Sought)))
	if err == nil && (!e.Source.IsZero() || len(e.Sought) > 0) {
		keyless, _ := model.(llm.Adapter) // has read what an earlier run learnt
		sought := apikey.NewModel(e.Model, func(ctx context.Context) (apikey.Found, error) {
			return c.seek(ctx, e)
		}, func(found apikey.Found) (llm.Model, error) {
			return with(found.Key, found.Values)
		})
		sought.RemembersLike(keyless)
		model = sought
	}
	return registry.Entry{
		Name: e.Name, Model: model, Endpoint: address, Account: accountOf(e), Window: e.ContextWindow,
		Calls: e.Calls, RPM: e.RPM, TPM: e.TPM, Fallback: e.Fallback, Capabilities: e.Capabilities, Images: e.Images,
		Effort: e.Reasoning, MaxTokens: e.MaxTokens, Facts: llm.Facts{Price: e.Cost},
	}, note, err
}

// seek finds the key of a model, and what else is sought when it is asked. From then on the log
// and the screen do not show it.
func (c *console) seek(ctx context.Context, e config.Endpoint) (apikey.Found, error) {
	key := e.Key.Reveal()
	values, err := e.Seek(ctx, apikey.SystemKeyring())
	if err == nil && !e.Source.IsZero() {
		key, err = e.Source.Find(ctx, apikey.SystemKeyring())
	}
	if err != nil {
		return apikey.Found{}, err
	}
	c.redactor.Add(append([]string{key}, values...)...)
	return apikey.Found{Key: key, Values: values}, nil
}

// accountOf identifies the key of a model among those of one endpoint; before the key is looked
// for, where it is.
func accountOf(e config.Endpoint) string {
	if e.Source.IsZero() {
		return apikey.Account(e.Key.Reveal())
	}
	return apikey.Account(" " + e.Source.String()) // like no key; an argument of a command may be one
}
