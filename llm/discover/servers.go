package discover

import (
	"context"
	"encoding/json"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"society-tui/llm"
)

// The servers that have an interface of their own beside the protocol's, which says more.
const (
	ollama   = "Ollama"
	lmStudio = "LM Studio"
	llamaCPP = "llama.cpp"
	liteLLM  = "LiteLLM"
	vLLM     = "vLLM"
)

// liteLLMCreated is when each model of LiteLLM was created, as it says.
const liteLLMCreated = 1677610602

// serverOf returns which server made a list, as far as its entries tell it.
func serverOf(entries []entry) string {
	by := map[text]string{"vllm": vLLM, "llamacpp": llamaCPP, "library": ollama, "organization_owner": lmStudio}
	for i := range entries {
		if server := by[entries[i].OwnedBy]; server != "" {
			return server
		}
	}
	if len(entries) > 0 && !slices.ContainsFunc(entries, func(e entry) bool { return e.Created != liteLLMCreated }) {
		return liteLLM
	}
	return ""
}

// more asks a server for what its list does not say. One that the list does not give away is
// tried on networks of the user's own; services of the public have nothing more to say.
func (s *session) more(ctx context.Context) {
	asks := map[string]func(context.Context) bool{
		llamaCPP: s.askLlamaCPP, lmStudio: s.askLMStudio, ollama: s.askOllama, liteLLM: s.askLiteLLM,
	}
	if known := asks[s.result.Server]; known != nil {
		known(ctx)
		return
	}
	told := slices.ContainsFunc(s.result.Models, func(m Model) bool { return m.Facts.Window.IsKnown() })
	if told || len(s.result.Models) == 0 || !isPrivate(s.address) {
		return
	}
	for _, server := range []string{ollama, lmStudio, llamaCPP, liteLLM} {
		if ctx.Err() == nil && asks[server](ctx) {
			s.result.Server = server
			return
		}
	}
}

// isPrivate reports whether an address is on a network of the user's own, by its looks.
func isPrivate(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().IsLoopback() || ip.Unmap().IsPrivate()
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last == host || slices.Contains([]string{"localhost", "local", "lan", "internal"}, last)
}

// get asks for a path beside the protocol's and reports whether the answer could be read.
func (s *session) get(ctx context.Context, path string, body []byte, to any) bool {
	answer, err := s.model.Lookup(ctx, path, body)
	return err == nil && json.Unmarshal(answer, to) == nil
}

// learn adds to what the list says of a model.
func (s *session) learn(id text, facts llm.Facts) {
	for i := range s.result.Models {
		if m := &s.result.Models[i]; m.ID == string(id) {
			m.Facts = facts.Or(m.Facts)
		}
	}
}

func (s *session) askLlamaCPP(ctx context.Context) bool {
	var props struct {
		Settings loose[struct {
			Window number `json:"n_ctx"`
		}] `json:"default_generation_settings"`
		Modalities loose[struct {
			Vision *bool `json:"vision"`
		}] `json:"modalities"`
	}
	answered := len(s.result.Models) == 1 && s.get(ctx, "/props", nil, &props) && props.Settings.there
	for i := range s.result.Models {
		facts := &s.result.Models[i].Facts
		if answered {
			facts.Window = facts.Window.Or(window(s.now, float64(props.Settings.value.Window)))
			if v := props.Modalities.value.Vision; v != nil {
				facts.Images = fact(s.now, *v)
			}
		}
		facts.Window = facts.Window.Or(s.trained[s.result.Models[i].ID])
	}
	return answered
}

func (s *session) askLMStudio(ctx context.Context) bool {
	var now struct {
		Models []struct {
			Key    text   `json:"key"`
			Max    number `json:"max_context_length"`
			Loaded []struct {
				ID     text `json:"id"`
				Config loose[struct {
					Window number `json:"context_length"`
				}] `json:"config"`
			} `json:"loaded_instances"`
			Capabilities loose[struct {
				Vision *bool `json:"vision"`
				Tools  *bool `json:"trained_for_tool_use"`
			}] `json:"capabilities"`
		} `json:"models"`
	}
	if !s.get(ctx, "/api/v1/models", nil, &now) || len(now.Models) == 0 {
		return s.askOldLMStudio(ctx)
	}
	for _, m := range now.Models {
		var facts llm.Facts
		if v := m.Capabilities.value.Vision; v != nil {
			facts.Images = fact(s.now, *v)
		}
		if v := m.Capabilities.value.Tools; v != nil {
			facts.Tools = fact(s.now, *v)
		}
		least := llm.Fact[int]{}
		for _, loaded := range m.Loaded {
			facts.Window = window(s.now, float64(loaded.Config.value.Window))
			s.learn(loaded.ID, facts)
			if w := facts.Window; w.IsKnown() && (!least.IsKnown() || w.Value < least.Value) {
				least = w
			}
		}
		facts.Window = least.Or(window(s.now, float64(m.Max)))
		s.learn(m.Key, facts)
	}
	return true
}

func (s *session) askOldLMStudio(ctx context.Context) bool {
	var old struct {
		Data []struct {
			ID     text   `json:"id"`
			Type   text   `json:"type"`
			Loaded number `json:"loaded_context_length"`
			Max    number `json:"max_context_length"`
		} `json:"data"`
	}
	if !s.get(ctx, "/api/v0/models", nil, &old) || len(old.Data) == 0 {
		return false
	}
	for _, m := range old.Data {
		facts := llm.Facts{Window: window(s.now, float64(m.Loaded)).Or(window(s.now, float64(m.Max)))}
		if m.Type != "" {
			facts.Images = fact(s.now, m.Type == "vlm")
		}
		s.learn(m.ID, facts)
	}
	return true
}

const (
	mostShown = 40 // models of Ollama that are asked for one by one
	atOnce    = 4
)

func (s *session) askOllama(ctx context.Context) bool {
	var running struct {
		Models *[]struct {
			Name   text   `json:"name"`
			Window number `json:"context_length"`
		} `json:"models"`
	}
	if !s.get(ctx, "/api/ps", nil, &running) || running.Models == nil {
		return false
	}
	// The one that is wanted is asked for alone: time may not do for all.
	ids := s.result.IDs()
	if i := slices.IndexFunc(ids, func(id string) bool { return id == s.model.Name() || id == s.model.Name()+":latest" }); i >= 0 {
		s.learn(text(ids[i]), s.show(ctx, ids[i]))
		ids = slices.Delete(ids, i, i+1)
	}
	s.showAll(ctx, ids[:min(len(ids), mostShown)])
	for _, m := range *running.Models {
		s.learn(m.Name, llm.Facts{Window: window(s.now, float64(m.Window))})
	}
	return true
}

// showAll asks for models a few at a time.
func (s *session) showAll(ctx context.Context, ids []string) {
	shown := make([]llm.Facts, len(ids))
	var asked sync.WaitGroup
	slots := make(chan struct{}, atOnce)
	for i, id := range ids {
		slots <- struct{}{}
		asked.Go(func() {
			defer func() { <-slots }()
			shown[i] = s.show(ctx, id)
		})
	}
	asked.Wait()
	for i, id := range ids {
		s.learn(text(id), shown[i])
	}
}

// show returns what Ollama says of a model: the size that it was told to use, else the largest.
func (s *session) show(ctx context.Context, id string) llm.Facts {
	body, err := json.Marshal(map[string]string{"model": id})
	var said struct {
		Parameters   string            `json:"parameters"`
		Info         map[string]number `json:"model_info"`
		Capabilities []text            `json:"capabilities"`
	}
	if err != nil || !s.get(ctx, "/api/show", body, &said) {
		return llm.Facts{}
	}
	facts := llm.Facts{Window: window(s.now, parameter(said.Parameters, "num_ctx"))}
	for key, value := range said.Info {
		if strings.HasSuffix(key, ".context_length") {
			facts.Window = facts.Window.Or(window(s.now, float64(value)))
		}
	}
	if len(said.Capabilities) > 0 {
		facts.Images = fact(s.now, slices.Contains(said.Capabilities, "vision"))
		facts.Tools = fact(s.now, slices.Contains(said.Capabilities, "tools"))
		facts.Reasoning = fact(s.now, slices.Contains(said.Capabilities, "thinking"))
	}
	return facts
}

// parameter returns a number of a model file's parameters, which have a line each.
func parameter(lines, name string) float64 {
	for line := range strings.Lines(lines) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == name {
			if n, err := strconv.ParseFloat(words[1], 64); err == nil {
				return n
			}
		}
	}
	return 0
}

func (s *session) askLiteLLM(ctx context.Context) bool {
	var all struct {
		Data []struct {
			Name text `json:"model_name"`
			Info loose[struct {
				Window    number  `json:"max_input_tokens"`
				Input     *number `json:"input_cost_per_token"`
				Output    *number `json:"output_cost_per_token"`
				Read      number  `json:"cache_read_input_token_cost"`
				Write     number  `json:"cache_creation_input_token_cost"`
				Vision    *bool   `json:"supports_vision"`
				Tools     *bool   `json:"supports_function_calling"`
				Reasoning *bool   `json:"supports_reasoning"`
			}] `json:"model_info"`
		} `json:"data"`
	}
	if !s.get(ctx, "/model/info", nil, &all) || len(all.Data) == 0 {
		return false
	}
	seen := map[text]llm.Facts{}
	for _, m := range all.Data {
		info := m.Info.value
		facts := llm.Facts{Window: window(s.now, float64(info.Window))}
		if info.Input != nil && info.Output != nil && *info.Input+*info.Output > 0 { // it says 0 of what it does not know
			facts.Price = price(s.now, *info.Input, *info.Output, info.Read, info.Write)
		}
		for _, of := range []struct {
			from *bool
			to   *llm.Fact[bool]
		}{{info.Vision, &facts.Images}, {info.Tools, &facts.Tools}, {info.Reasoning, &facts.Reasoning}} {
			if of.from != nil {
				*of.to = fact(s.now, *of.from)
			}
		}
		// Several deployments may share a name, and any of them may be asked.
		least := facts.Window
		facts = seen[m.Name].Or(facts)
		if least.IsKnown() && least.Value < facts.Window.Value {
			facts.Window = least
		}
		seen[m.Name] = facts
		s.learn(m.Name, facts)
	}
	return true
}
