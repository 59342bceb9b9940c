package tui

import (
	"slices"
	"strings"

	"society-tui/tui/command"
	"society-tui/tui/feature/sessions"
	"society-tui/tui/page"
	"society-tui/tui/words"
)

// features are the parts of the screen that have state, pages and commands of their
// own. One more is a folder, a field here, and a line in each of the two functions.
type features struct {
	sessions *sessions.Feature
}

func newFeatures(d *page.Deps, cfg Config, rename *strings.Replacer) features {
	return features{
		sessions: sessions.New(d, sessions.Config{
			Store: cfg.Sessions, Current: cfg.Session, Enter: cfg.Enter, Texts: drawable(words.ForSessions(cfg.Lang), cfg.ASCII, rename),
		}),
	}
}

func (f *features) commands() []*command.Command {
	return slices.Concat(f.sessions.Commands())
}

// described is an app whose commands are only looked at.
func described() *app {
	return &app{features: newFeatures(&page.Deps{}, Config{}, strings.NewReplacer())}
}
