package modelsetup

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"society-tui/llm"
	"society-tui/llm/catalog"
	"society-tui/llm/chatapi"
	"society-tui/llm/discover"
	"society-tui/llm/limits"
	"society-tui/runtime/api"
	"society-tui/runtime/apikey"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/modeladdress"
	"society-tui/runtime/modelerror"
	"society-tui/runtime/society"
)

// tryTime is how long a model may take to answer.
const tryTime = 30 * time.Second

// tryTokens are how long the answer may be: first, and if nothing but thoughts fit into that.
var tryTokens = []int{64, 2048}

// endpoint returns the endpoint of a draft that is not kept, with its key.
func (u *Setup) endpoint(ctx context.Context, d api.ModelDraft) (config.Endpoint, error) {
	seen := u.seen.Load()
	e := seen.drafted(d)
	e.Model = cmp.Or(d.Model, "none")
	e.Key, e.KeyEnv, e.Source, e.KeyFrom = config.Secret{}, "", apikey.Source{}, nil
	key := ""
	var err error
	switch d.Key {
	case api.KeyInKeyring, api.KeyInFile:
		key, err = apikey.Clean(string(d.Entered))
	case api.KeyInEnv:
		if key = u.Sources.Getenv(string(d.Entered)); key == "" {
			err = textNoVariable.With(string(d.Entered))
		}
	case api.KeyByCommand:
		var source apikey.Source
		if source, err = apikey.Parse(commandOf(string(d.Entered)), seen.dir()); err == nil {
			key, err = source.Find(ctx, u.Keys)
		}
	case api.KeyStays, api.KeyOfOther:
		key, err = u.keyThatStays(ctx, d)
	}
	if err == nil {
		err = e.Key.UnmarshalText([]byte(key))
	}
	if key != "" {
		u.Hide(e.Key.Reveal())
	}
	if err == nil {
		var values []string
		if values, err = e.Seek(ctx, u.Keys); err == nil {
			e.Asking = e.With(values)
		}
		for _, value := range values {
			u.Hide(value)
		}
	}
	return e, err
}

// keyThatStays returns the key that a draft has or takes of a model.
func (u *Setup) keyThatStays(ctx context.Context, d api.ModelDraft) (string, error) {
	before, err := u.seen.Load().keeper(d)
	if err != nil || before.Source.IsZero() {
		return before.Key.Reveal(), err
	}
	return before.Source.Find(ctx, u.Keys)
}

// List asks the endpoint of a draft for its models, and adds what the catalogue knows of them.
// Without a list it returns those of the catalogue, also with an error.
func (u *Setup) List(ctx context.Context, d api.ModelDraft) (api.ModelList, error) {
	e, err := u.endpoint(ctx, d)
	if err != nil {
		return api.ModelList{Class: string(llm.Auth), Models: u.known(d.URL)}, err
	}
	found, err := discover.Models(ctx, chatConfig(e))
	if err != nil {
		return api.ModelList{Class: string(llm.AsError(err).Class), Models: u.known(d.URL)}, failure(err)
	}
	list := api.ModelList{Listed: found.Listed, Server: found.Server}
	for _, m := range found.Models {
		facts := m.Facts
		if u.Catalog != nil {
			facts = facts.Or(u.Catalog.Facts(d.URL, m.ID))
		}
		list.Models = append(list.Models, listed(m.ID, facts))
	}
	if !list.Listed {
		list.Models = append(list.Models, u.known(d.URL)...)
	}
	return list, nil
}

// known returns the models that the catalogue has of the service with an address, to choose from.
func (u *Setup) known(address string) (all []api.ListedModel) {
	if u.Catalog == nil {
		return nil
	}
	for _, id := range u.Catalog.IDs(address) {
		all = append(all, listed(id, u.Catalog.Facts(address, id)))
	}
	return all
}

// listed returns what is known of a model of an endpoint.
func listed(id string, facts llm.Facts) api.ListedModel {
	m := api.ListedModel{
		ID: id, Window: facts.Window.Value, Old: facts.Price.IsOld(time.Now()),
		NoTools: facts.Tools.IsKnown() && !facts.Tools.Value, Thinks: facts.Reasoning.Value,
	}
	if facts.Price.IsKnown() {
		m.Input, m.Output = &facts.Price.Value.Input, &facts.Price.Value.Output
	}
	return m
}

// chatConfig returns the configuration with which an endpoint is asked.
func chatConfig(e config.Endpoint) chatapi.Config {
	return chatapi.Config{BaseURL: e.BaseURL, Key: chatapi.Key(e.Key.Reveal()), Model: e.Model, Options: OptionsOf(e)}
}

// failure returns an error with its text alone, which holds no key.
func failure(err error) error {
	if _, ok := errors.AsType[*i18n.Message](err); ok {
		return err
	}
	e := llm.AsError(err)
	if (e.Class == llm.Quota || e.Class == llm.Rate) && e.RetryAfter > 0 {
		return textUntil.With(modelerror.Text(e), clock(time.Now().Add(e.RetryAfter)))
	}
	return textRefused.With(modelerror.Text(e))
}

// tool is the one that a model is asked to call.
var tool = llm.ToolSpec{
	Name: "report", Description: "Reports a word.",
	Parameters: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string","description":"The word."}},"required":["word"]}`),
}

// Try has the model of a draft answer, and call a tool: a list of models is shown without a
// key, too.
func (u *Setup) Try(ctx context.Context, d api.ModelDraft) api.ModelTrial {
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	begun := time.Now()
	var t api.ModelTrial
	e, err := u.endpoint(ctx, d)
	if err != nil {
		t.Key, t.Err, t.Class = api.Fails, err, string(llm.Auth)
		return t
	}
	t.Window = d.Window
	entry, err := u.Open(e)
	if err != nil {
		t.Err, t.Class = modeladdress.TextNoAddress.With(err), string(llm.Invalid)
		return t
	}
	if c, ok := entry.Model.(io.Closer); ok {
		defer func() { _ = c.Close() }()
	}
	entry.Name = cmp.Or(entry.Name, d.Model)
	if u.Catalog != nil {
		entry.Facts = entry.Facts.Or(u.Catalog.Facts(d.URL, d.Model))
	}
	entry = u.society.Load().Trial(entry)
	if known := entry.Facts.Window; t.Window == 0 && known.Source != llm.FromSetting { // else it was one before
		t.Window = known.Value
	}
	for _, tokens := range tryTokens {
		var short bool
		if short, err = answer(ctx, entry.Model, tokens, &t); !short {
			break
		}
	}
	t.Milliseconds = time.Since(begun).Milliseconds()
	if err == nil {
		return t
	}
	if t.Class, t.Err = unasked(err); t.Err != nil {
		return t
	}
	if ctx.Err() != nil {
		err = &llm.Error{Class: llm.Network, Code: llm.CodeSilent, Text: "no answer within " + tryTime.String()}
	}
	failed := llm.AsError(err)
	t.Class, t.Err = string(failed.Class), failure(err)
	switch failed.Class {
	case llm.Network:
		t.Reached = api.Fails
		return t
	case llm.Auth:
		t.Key = api.Fails
	case llm.NoModel:
		u.near(ctx, d, &t)
	case llm.Protocol:
		t.Tools = api.Fails
	case llm.Quota, llm.Rate, llm.Empty:
		t.Reached, t.Key = api.Works, api.Works
	}
	if failed.Status != 0 {
		t.Reached = api.Works
	}
	return t
}

// clock formats a time, with its date if that is not today's.
func clock(at time.Time) string {
	if society.DayOf(at) == society.DayOf(time.Now()) {
		return at.Local().Format(time.TimeOnly)
	}
	return at.Local().Format(time.DateTime)
}

// unasked returns why a model was not asked, and the class of that; nil if it was.
func unasked(err error) (class string, why error) {
	if held, ok := errors.AsType[*limits.Held](err); ok {
		return string(llm.Rate), textHeld.With(clock(held.Until))
	}
	if errors.Is(err, limits.ErrNoTurn) {
		return string(llm.Rate), textNoTurn.With(tryTime)
	}
	if spent, ok := errors.AsType[*society.Refusal](err); ok {
		return string(society.OverBudget), textRefused.With(spent.Why)
	}
	return "", nil
}

// answer reads the answer of a model and notes what came. It is too short for a call if thoughts
// have used it up.
func answer(ctx context.Context, m llm.Model, tokens int, t *api.ModelTrial) (short bool, err error) {
	request := llm.Request{
		System:    "This is a test of the connection.",
		Messages:  []llm.Message{{Role: llm.User, Text: `Call the tool "report" with the word "ok", and write nothing else.`}},
		Tools:     []llm.ToolSpec{tool},
		MaxTokens: tokens,
	}
	for chunk, err := range m.Generate(ctx, request) {
		if err != nil {
			e, ok := errors.AsType[*llm.Error](err)
			return ok && e.Class == llm.Empty, err
		}
		t.Reached, t.Key = api.Works, api.Works
		if !chunk.Done {
			continue
		}
		t.Stream = api.Works
		if len(chunk.Calls) > 0 {
			t.Tools = api.Works
		}
		if chunk.Usage.InputTokens > 0 || chunk.Usage.OutputTokens > 0 {
			t.Usage = api.Works
		}
		return chunk.Finish == llm.FinishLength && len(chunk.Calls) == 0, nil
	}
	return false, &llm.Error{Class: llm.Overload, Text: "the answer ended early", Truncated: true}
}

// near finds the models with names like that of one that the endpoint does not have.
func (u *Setup) near(ctx context.Context, d api.ModelDraft, t *api.ModelTrial) {
	list, err := u.List(ctx, d)
	if err != nil {
		return
	}
	var ids []string
	for _, m := range list.Models {
		ids = append(ids, m.ID)
	}
	t.Near = catalog.Near(d.Model, ids)
}
