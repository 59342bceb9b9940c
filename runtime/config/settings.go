// Package config holds the settings of the program: where they come from, what they may be,
// and their defaults.
//
// A setting comes from the first of these that names it: a flag, the environment, the
// settings file, the default. [Load] reads them once, at the start, and reports every
// mistake with its place; they do not change afterwards.
//
// To add a setting, add a field with its tags to [Settings] and a default to [Defaults]:
// the file of "config init", the table of "config" and the checks are made from the tags.
package config

import (
	"strings"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/session"
)

// Settings are all settings of one run, read and checked by Load.
//
// The tags are the whole description of a setting: toml names it in the file,
// about is its comment there, min and max bound it (numbers, and durations as
// text), oneof lists what it may be, or what may be in it.
type Settings struct {
	Session       string `toml:"session" about:"The session to open. Each is a society of its own, in its own file. Environment: SOCIETY_SESSION."`
	Lang          string `toml:"lang" about:"Language of the screen and the agents. auto follows the locale." oneof:"auto en zh-CN"`
	Theme         string `toml:"theme" about:"Colours at every start. auto fits the terminal. If not set: the theme you chose last."`
	ASCII         bool   `toml:"ascii" about:"Draw with ASCII characters only."`
	Plain         bool   `toml:"plain" about:"Plain lines instead of a screen, for screen readers and simple terminals."`
	ReducedMotion bool   `toml:"reduced_motion" about:"Turn off animations."`
	Notify        string `toml:"notify" about:"When the terminal notifies you that agents need you, have failed or are all idle. away: only while its window is not focused." oneof:"away always off"`
	NotifyBy      string `toml:"notify_by" about:"How the terminal notifies you. auto: the best way it supports, or else the bell." oneof:"auto bell osc9 osc777 osc99"`
	LogLevel      string `toml:"log_level" about:"Log level. wire adds to debug the request and response of each failed model call. Only wire logs parts of conversations." oneof:"debug info warn error wire"`

	Prompts Prompts `toml:"prompts" about:"Instructions for all agents."`
	Model   Model   `toml:"model" about:"The model that agents use."`
	Limits  Limits  `toml:"limits" about:"Limits that stop runaway work."`
	// Models are further models that roles can name, as the file has them, with their
	// keys; Endpoints puts them in order.
	Models []Endpoint `toml:"models"`
	// Keymap are the keys that the user changed, as the file has them; ChangedKeys
	// are those that can be used.
	Keymap map[string]any `toml:"keys"`
	// Graphs are the graphs that roles can name, besides the built-in ones.
	Graphs []graph.Definition `toml:"graphs"`

	// Data is the folder of the store, Templates and Themes those of the user's own
	// templates and themes, File the settings file that was asked
	// for (it may not exist), Logs the folder of the log. All are absolute.
	Data string `toml:"-"`
	File string `toml:"-"`
	Logs string `toml:"-"`

	Templates string `toml:"-"`
	Themes    string `toml:"-"`
	// Warnings are mistakes that do not prevent the start, a sentence each.
	Warnings []string `toml:"-"`

	locale  string // the language that auto stands for
	rebound map[string][]string
	unread  []string          // what of the file could not be read, by its path
	origin  map[string]string // where a setting came from, by its key; none: the default
}

// Prompts are added to the system prompt of all agents.
type Prompts struct {
	Addition string `toml:"addition" about:"Your rules, added to the system prompt of every agent from its next request on. Put several lines in three quotes." lines:"true"`
}

// Model is the endpoint that answers. See Settings.Offline for missing parts.
type Model struct {
	Name          string   `toml:"name" about:"Name of the model at its endpoint, or of one of the [[models]]. Environment: SOCIETY_MODEL."`
	BaseURL       string   `toml:"base_url" about:"Address of any OpenAI-compatible API, for example http://127.0.0.1:11434/v1. Empty: OpenAI's own. Environment: OPENAI_BASE_URL."`
	KeyEnv        string   `toml:"key_env" about:"Environment variable that contains the key."`
	Key           Secret   `toml:"key" about:"The key itself. Prefer an environment variable; if you write the key here, run chmod 600 on this file."`
	IdleTimeout   Duration `toml:"idle_timeout" about:"Time without new output after which an answer of any model counts as stalled. 0s: wait forever." min:"0s" max:"24h"`
	MaxTokens     int      `toml:"max_tokens" about:"Maximum tokens of one answer. 0: the endpoint decides." min:"0" max:"10000000"`
	ContextWindow int      `toml:"context_window" about:"Tokens that fit into the model's context. 0: unknown; only max_context_messages applies. The offline model refuses larger requests." min:"0" max:"100000000"`
	Offline       bool     `toml:"offline" about:"Use the built-in offline model, whatever else is set."`
	OfflinePace   Duration `toml:"offline_pace" about:"Time the offline model takes for a word. 0s: no delay." min:"0s" max:"2s"`
}

// Limits are the caps of the society. Each one is shown when it is reached.
type Limits struct {
	Agents             int      `toml:"agents" about:"Maximum live agents." min:"1" max:"10000"`
	Depth              int      `toml:"depth" about:"Maximum levels below root." min:"1" max:"50"`
	Children           int      `toml:"children" about:"Maximum children of one agent." min:"1" max:"1000"`
	SpawnsPerMinute    int      `toml:"spawns_per_minute" about:"Maximum new agents per minute." min:"1" max:"10000"`
	ToolRounds         int      `toml:"tool_rounds" about:"Maximum answers with tool calls in one turn." min:"1" max:"1000"`
	RepeatsWarned      int      `toml:"repeats_warned" about:"Warn an agent that makes this many identical calls in one turn." min:"2" max:"100"`
	RepeatsEnded       int      `toml:"repeats_ended" about:"End a turn with this many identical calls." min:"2" max:"100"`
	TaskMessages       int      `toml:"task_messages" about:"Maximum messages between agents in one task without a message from you." min:"1" max:"100000"`
	ModelCalls         int      `toml:"model_calls" about:"Maximum model calls at the same time, for each endpoint." min:"1" max:"1000"`
	Queue              int      `toml:"queue" about:"Maximum unread messages of one agent." min:"1" max:"100000"`
	MaxContextMessages int      `toml:"max_context_messages" about:"Tell an agent to compress its context when it has more entries than this." min:"2" max:"10000"`
	KeepRecent         int      `toml:"keep_recent" about:"Newest entries that a compression keeps." min:"0" max:"9999"`
	DrainTime          Duration `toml:"drain_time" about:"Time for an agent that its parent terminates to finish its unread messages." min:"1s" max:"10m"`
	DrainMessages      int      `toml:"drain_messages" about:"Maximum messages that it finishes then." min:"0" max:"10000"`
	IdleWarning        Duration `toml:"idle_warning" about:"Log a warning when an agent is idle for this long. 0s: never." min:"0s" max:"720h"`
}

// openAIKey is the environment variable in which most programs look for a key.
const openAIKey = "OPENAI_API_KEY"

// Defaults returns the settings when nothing is set. The places are empty: they depend on
// the machine.
func Defaults() Settings {
	return Settings{
		Session: session.Default, Lang: "auto", Theme: "auto", Notify: "away", NotifyBy: "auto", LogLevel: "info",
		Model: Model{
			KeyEnv:      openAIKey,
			IdleTimeout: Duration{5 * time.Minute},
			OfflinePace: Duration{33 * time.Millisecond},
		},
		Limits: Limits{
			Agents: 200, Depth: 6, Children: 20, SpawnsPerMinute: 30,
			ToolRounds: 30, RepeatsWarned: 3, RepeatsEnded: 5,
			TaskMessages: 200, ModelCalls: 8, Queue: 1000,
			MaxContextMessages: 50, KeepRecent: 10,
			DrainTime: Duration{30 * time.Second}, DrainMessages: 100,
			IdleWarning: Duration{5 * time.Minute},
		},
	}
}

// Language returns Lang with auto resolved: "en" or "zh-CN".
func (s *Settings) Language() string {
	if s.Lang == "auto" {
		return s.locale
	}
	return s.Lang
}

// ChosenTheme returns the theme that was asked for; empty if none was, so that the screen
// takes the one it had last.
func (s *Settings) ChosenTheme() string {
	if s.origin["theme"] == "" {
		return ""
	}
	return s.Theme
}

// Offline reports whether the built-in model answers: because it was asked for, or because
// nothing of another model is set. A key or an address without the name of a model, and a
// name without either, are errors that tell what to set; if there are [[models]], one of
// them is meant.
func (s *Settings) Offline() (bool, error) {
	m := &s.Model
	_, named := s.entry(m.Name)
	switch {
	case m.Offline, len(s.Models) == 0 && m.Name == "" && m.BaseURL == "" && m.Key.Reveal() == "":
		return true, nil
	case named, m.Name == "" && len(s.Models) > 0:
		return false, nil
	case m.Name == "":
		given := "model.base_url"
		if m.BaseURL == "" {
			given = "model.key"
		}
		return false, &Problem{
			From: s.from(given), Key: given,
			Text: "is set, but no model is chosen: set SOCIETY_MODEL or use --model NAME (or --demo for the offline model)",
		}
	case m.BaseURL == "" && m.Key.Reveal() == "":
		return false, &Problem{
			From: s.from("model.name"), Key: "model.name",
			Text: "is set, but without a key or an address: set " + m.KeyEnv +
				", or OPENAI_BASE_URL for an endpoint without a key (or --demo for the offline model)" + s.otherNames(),
		}
	}
	return false, nil
}

// otherNames returns the [[models]], for an error about a name that is none of them.
func (s *Settings) otherNames() string {
	if len(s.Models) == 0 {
		return ""
	}
	names := make([]string, len(s.Models))
	for i, m := range s.Models {
		names[i] = m.Name
	}
	return "; [[models]] has " + strings.Join(names, ", ")
}
