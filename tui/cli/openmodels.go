package cli

import (
	"cmp"
	"fmt"
	"strings"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/demo"
	"society-tui/llm/registry"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
)

// openModels makes the models of the settings, the default first and the
// built-in one last, or only that one if it was asked for. The warnings are
// those of the settings, and which addresses were corrected. An error is a
// usageError.
func (c *console) openModels(s config.Settings) (models *registry.Registry, warnings []string, err error) {
	models, notes, err := modelsOf(s)
	if err != nil {
		return nil, nil, usageError{err, c.text(textSeeSettings)}
	}
	for _, warning := range append(s.Warnings, notes...) {
		warnings = append(warnings, c.inWords(warning))
	}
	return models, warnings, nil
}

// builtIn is the endpoint of the offline model.
const builtIn = "built in"

func modelsOf(s config.Settings) (models *registry.Registry, notes []*i18n.Message, err error) {
	list, err := s.Endpoints()
	if err != nil {
		return nil, nil, err
	}
	offline := registry.Entry{Name: demo.Name, Endpoint: builtIn, Images: registry.TakesNoImages, Unoffered: len(list) > 0}
	offline.Price = llm.Fact[llm.Price]{Value: llm.Price{Included: true}, Source: llm.FromEndpoint}
	pace := demo.Config{Pace: s.Model.OfflinePace.Duration}
	if len(list) == 0 {
		pace.Window, offline.Window = s.Model.ContextWindow, s.Model.ContextWindow
	}
	if offline.Model, err = demo.New(pace); err != nil {
		return nil, nil, err
	}
	if s.Model.Offline {
		models, err = registry.Only(offline)
		return models, nil, err
	}
	var entries []registry.Entry
	for _, e := range list {
		entry, note, err := openModel(s, e)
		if err != nil {
			return nil, nil, textOfModel.With(e.Name, err)
		}
		if note != nil {
			notes = append(notes, note)
		}
		entries = append(entries, entry)
	}
	models, err = registry.New(append(entries, offline)...)
	return models, notes, err
}

// openModel makes one model. The note tells what was corrected in its address.
func openModel(s config.Settings, e config.Endpoint) (entry registry.Entry, note *i18n.Message, err error) {
	given := strings.TrimRight(strings.TrimSpace(cmp.Or(e.BaseURL, "https://api.openai.com/v1")), "/")
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
	model, err := chatapi.New(chatapi.Config{
		BaseURL: address, Key: chatapi.Key(e.Key.Reveal()), Model: e.Model,
		IdleTimeout: idle, MaxTokens: e.MaxTokens,
	})
	return registry.Entry{
		Name: e.Name, Model: model, Endpoint: address, Window: e.ContextWindow,
		Calls: e.Calls, Capabilities: e.Capabilities, Images: e.Images, Price: e.Cost,
	}, note, err
}
