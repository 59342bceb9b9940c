// Package discover asks an endpoint which models it has, and what it knows of them.
package discover

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
)

// Patience bounds how long all questions to an endpoint may take together.
const Patience = 5 * time.Second

// mostModels bounds the models of one endpoint.
const mostModels = 5000

// A Result is what an endpoint says of itself.
type Result struct {
	// Listed is set if the endpoint has a list of models. Without one, names are to be typed.
	Listed bool
	// Server is the kind of a server of one's own: "Ollama", "LM Studio", "llama.cpp",
	// "vLLM" or "LiteLLM"; "" for others.
	Server string
	Models []Model
}

// A Model is one that an endpoint has.
type Model struct {
	ID    string
	Name  string // for people; "" if it has no other
	Facts llm.Facts
}

// IDs returns the names of the models.
func (r Result) IDs() []string {
	ids := make([]string, len(r.Models))
	for i, m := range r.Models {
		ids[i] = m.ID
	}
	return ids
}

// Facts returns what is known of a model, by its exact name. A server of one model serves it
// under any name.
func (r Result) Facts(id string) llm.Facts {
	i := slices.IndexFunc(r.Models, func(m Model) bool { return m.ID == id || r.Server == ollama && m.ID == id+":latest" })
	if i < 0 && r.Server == llamaCPP && len(r.Models) == 1 {
		i = 0
	}
	if i < 0 {
		return llm.Facts{}
	}
	return r.Models[i].Facts
}

// Models asks the endpoint of config for its models, with its key and without following a
// redirect. config.Model may be empty. Where a server tells a model's properties for each model
// alone, that one is asked for first. An error is an *llm.Error or that of ctx; the words of an
// error about config are in its Text.
func Models(ctx context.Context, config chatapi.Config) (Result, error) {
	config.Model = cmp.Or(config.Model, "-") // which has to have one to be made
	model, err := chatapi.New(config)
	if err != nil {
		return Result{}, &llm.Error{Class: llm.Invalid, Text: err.Error(), Err: err}
	}
	defer model.Close()
	return Of(ctx, model, model.BaseURL())
}

// An Asker asks an endpoint with the key of a model, as chatapi.Model does.
type Asker interface {
	Name() string
	Lookup(ctx context.Context, path string, body []byte) ([]byte, error)
}

// Of is Models for a model that is there already, at the address of its endpoint.
func Of(ctx context.Context, model Asker, address string) (Result, error) {
	bounded, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	s := session{model: model, address: address, now: time.Now(), trained: map[string]llm.Fact[int]{}}
	err := s.list(bounded)
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		return Result{}, &llm.Error{Class: llm.Overload, Text: "the endpoint has not listed its models within " + Patience.String(), Err: bounded.Err()}
	}
	if err != nil {
		return Result{}, err
	}
	s.more(bounded) // what is known without it is enough
	return s.result, ctx.Err()
}

// A session is the questions to one endpoint.
type session struct {
	model   Asker
	address string
	now     time.Time
	result  Result
	// trained has the windows that models of llama.cpp could have.
	trained map[string]llm.Fact[int]
}

// list asks for the list that most endpoints have.
func (s *session) list(ctx context.Context) error {
	text, err := s.model.Lookup(ctx, "models", nil)
	if e, ok := errors.AsType[*llm.Error](err); ok && (e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed) {
		return nil
	}
	if err != nil {
		return err
	}
	var entries []entry
	if entries, err = parseList(text); err != nil {
		return &llm.Error{Class: llm.NotChat, Text: "the list of models cannot be read; the address may lead to a web page", Err: err}
	}
	s.result.Listed = true
	for _, e := range entries[:min(len(entries), mostModels)] {
		if id := string(e.ID); id != "" && !strings.Contains(string(e.Type), "embedding") {
			s.result.Models = append(s.result.Models, Model{ID: id, Name: e.name(), Facts: e.facts(s.now)})
			s.trained[id] = window(s.now, float64(e.Meta.value.Trained))
		}
	}
	s.result.Server = serverOf(entries)
	return nil
}

// parseList reads a list of models, which stands in data, or by itself.
func parseList(text []byte) ([]entry, error) {
	var whole struct {
		Data *[]entry `json:"data"`
	}
	var bare []entry
	if err := json.Unmarshal(text, &whole); err == nil && whole.Data != nil {
		return *whole.Data, nil
	}
	if err := json.Unmarshal(text, &bare); err != nil {
		return nil, err
	}
	return bare, nil
}

// An entry is a model in a list, with what endpoints add to the protocol's fields. All of it is
// foreign: a field of another type than usual is unknown.
type entry struct {
	ID      text   `json:"id"`
	Name    text   `json:"name"`
	Display text   `json:"display_name"`
	OwnedBy text   `json:"owned_by"`
	Type    text   `json:"type"`
	Created number `json:"created"`

	ContextLength    number `json:"context_length"`     // OpenRouter and many that follow it
	ContextWindow    number `json:"context_window"`     // Groq
	MaxContextLength number `json:"max_context_length"` // Mistral
	MaxModelLen      number `json:"max_model_len"`      // vLLM, SGLang
	Meta             loose[struct {
		Now     number `json:"n_ctx"`
		Trained number `json:"n_ctx_train"`
	}] `json:"meta"` // llama.cpp
	TopProvider loose[struct {
		ContextLength number `json:"context_length"`
	}] `json:"top_provider"`

	Pricing loose[struct {
		Prompt     number `json:"prompt"`
		Completion number `json:"completion"`
		Read       number `json:"input_cache_read"`
		Write      number `json:"input_cache_write"`
	}] `json:"pricing"`

	Architecture loose[struct {
		Input []text `json:"input_modalities"`
	}] `json:"architecture"`
	Parameters loose[[]text] `json:"supported_parameters"`
	Reasoning  loose[struct {
		Efforts []text `json:"supported_efforts"`
	}] `json:"reasoning"`
	Capabilities loose[struct {
		Vision  *bool `json:"vision"`
		Calling *bool `json:"function_calling"`
	}] `json:"capabilities"` // Mistral
}

func (e *entry) name() string {
	if name := cmp.Or(e.Name, e.Display); name != e.ID {
		return string(name)
	}
	return ""
}

func (e *entry) facts(now time.Time) llm.Facts {
	facts := llm.Facts{Window: window(now, e.window())}
	if p := e.Pricing.value; e.Pricing.there {
		facts.Price = price(now, p.Prompt, p.Completion, p.Read, p.Write)
	}
	if in := e.Architecture.value.Input; len(in) > 0 {
		facts.Images = fact(now, slices.Contains(in, "image"))
	}
	if all := e.Parameters.value; len(all) > 0 {
		facts.Tools = fact(now, slices.Contains(all, "tools"))
		facts.Reasoning = fact(now, slices.Contains(all, "reasoning"))
	}
	if c := e.Capabilities.value; c.Vision != nil {
		facts.Images = fact(now, *c.Vision)
	}
	if c := e.Capabilities.value; c.Calling != nil {
		facts.Tools = fact(now, *c.Calling)
	}
	if efforts := e.Reasoning.value.Efforts; len(efforts) > 0 {
		facts.Efforts = fact(now, words(efforts))
	}
	return facts
}

// window returns how many tokens fit. What runs now beats what would be possible, and of
// several providers behind one name the first to be asked may be a smaller one.
func (e *entry) window() float64 {
	all := cmp.Or(e.Meta.value.Now, e.MaxModelLen, e.ContextWindow, e.ContextLength, e.MaxContextLength)
	if top := e.TopProvider.value.ContextLength; top > 0 && (all == 0 || top < all) {
		return float64(top)
	}
	return float64(all)
}

func words(list []text) []string {
	all := make([]string, 0, len(list))
	for _, w := range list {
		if w != "" {
			all = append(all, string(w))
		}
	}
	return all
}
