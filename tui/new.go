package tui

import (
	"context"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/action"
	"society-tui/tui/background"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/inspector"
	"society-tui/tui/layout"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/pump"
	"society-tui/tui/replica"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
	"society-tui/tui/terminal"
	"society-tui/tui/transcript"
	"society-tui/tui/tree"
	"society-tui/tui/words"
)

func newApp(ctx context.Context, cfg Config) *app {
	lang, ascii := cfg.Lang, cfg.ASCII
	traits := terminal.TraitsOf(environ(cfg))
	cfg.Plain = cfg.Plain || traits.NoColours
	described := described().commands()
	usual, bound := command.New(described, nil, sendsAll), command.New(described, cfg.Keys, sendsAll)
	rename := inSentences(usual, bound)
	a := &app{
		registry: bound, rename: rename,
		printer: i18n.Printer{Lang: lang, ASCII: ascii},
		cfg:     cfg, society: cfg.Society, replica: replica.New(tree.TextYou.In(lang)),
		background: background.New(ctx),
		pump:       pump.New(cfg.Watcher, cfg.Society),
		words:      newTexts(lang, ascii, rename),
		traits:     traits,
		set:        symbols.Set{ASCII: cfg.ASCII, Still: cfg.Still},
		nav:        navigation{open: society.Root},
		running:    running{verbs: make(map[order]bool), terminating: make(map[society.AgentID]bool)},
		view:       viewState{saved: make(map[string][]byte), drafts: make(map[society.AgentID]bool)},
	}
	if t, ok := cfg.Output.(*terminal.Terminal); ok {
		a.pacer.line = t.Line()
	}
	a.printer.Key = func(command string) string { return a.registry.KeyInText(command) }
	a.spell(usual)
	a.actions = &action.Builder{Client: cfg.Society, Society: a.replica, Printer: a.printer, Dot: a.dot()}
	a.list = list.New(themes.Theme{}, a.set)
	deps := a.deps()
	a.promptEditor = page.NewPromptEditor(deps, a.promptInput)
	a.features = a.newFeatures(deps)
	a.appearance.applied = a.wantedStyling()
	theme := a.themeFor(a.appearance.applied)
	a.tree = tree.New(a.replica, theme, a.printer, a.set)
	a.tree.Keys(bound.Key("tree.show"), bound.Key("tree.order"))
	a.transcript = transcript.New(theme, a.printer, a.set)
	a.transcript.Names(a.name)
	a.inspector = inspector.New(theme, a.printer, a.set)
	a.composer = composer.New(theme, a.printer, a.set)
	a.statusLine = statusline.New(theme, a.printer, a.set)
	a.statusLine.Rest(bound.Key("messages") + " " + a.words.keys.HintRest)
	a.dialogs = dialog.New(theme, a.printer, a.set)
	a.scopes = a.focusStack()
	a.bindKeys()
	a.setTheme(theme)
	a.prefs.Focus = layout.Composer
	a.arrange()
	return a
}

func newTexts(lang protocol.Lang, ascii bool, rename *strings.Replacer) texts {
	return texts{
		app:     drawable(words.ForApp(lang), ascii, rename),
		keys:    drawable(words.ForKeys(lang), ascii, rename),
		notices: drawable(words.ForNotices(lang), ascii, rename),
		palette: drawable(words.ForPalette(lang), ascii, rename),
		cmds:    drawable(words.ForCommands(lang), ascii, rename),
	}
}

// spell lets the sentences that name letters follow the bindings.
func (a *app) spell(usual *command.Registry) {
	n := &a.words.notices
	for _, s := range []struct {
		sentence *string
		names    []string
	}{
		{&n.Cycles, []string{"tree.show"}},
		{&n.AllPinsTaken, []string{"tree.pin"}},
		{&n.HintMarked, []string{"tree.interrupt", "tree.stop_or_resume", "tree.terminate"}},
		{&n.HintToWrite, []string{"help"}},
		{&n.HintCommands, []string{"next_pane"}},
		{&n.HintOlder, []string{"composer.newer"}},
	} {
		for _, name := range s.names {
			spell(s.sentence, usual.Key(name), a.registry.Key(name))
		}
	}
}

// drawable are words that the terminal can draw, with the keys that there are.
func drawable[W any](w W, ascii bool, rename *strings.Replacer) W {
	w = words.Each(w, rename.Replace)
	if ascii {
		return words.ASCII(w)
	}
	return w
}
