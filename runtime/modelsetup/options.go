package modelsetup

import (
	"society-tui/llm/chatapi"
	"society-tui/runtime/config"
)

// OptionsOf returns how a model is asked.
func OptionsOf(e config.Endpoint) chatapi.Options {
	cache := chatapi.CacheMarks(e.Cache)
	if e.Cache == "auto" {
		cache = chatapi.CacheAuto
	}
	var secrets []chatapi.Key
	for _, text := range e.Secrets() {
		secrets = append(secrets, chatapi.Key(text))
	}
	return chatapi.Options{
		Secrets:   secrets,
		KeyHeader: e.KeyHeader, Headers: keysOf(e.Headers), Query: keysOf(e.Query), ExtraBody: e.ExtraBody,
		Effort: e.Reasoning, Form: chatapi.EffortForm(e.ReasoningForm),
		Temperature: e.Temperature, TopP: e.TopP, Cache: cache, PlainHTTP: e.PlainHTTP,
	}
}

// keysOf returns values so that they are not printed there either.
func keysOf(values map[string]config.Private) map[string]chatapi.Key {
	keys := make(map[string]chatapi.Key, len(values))
	for name, value := range values {
		keys[name] = chatapi.Key(value)
	}
	return keys
}
