package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/composer"
	"society-tui/tui/words"
)

// A slash is a command that is written into the composer.
type slash struct {
	name string
	// takes says what may follow it: "" nothing, "agent", "text", or the choices
	// themselves, separated by |.
	takes string
	help  string
	does  func(a *app, rest string) tea.Cmd
}

// slashes are all commands that can be written. Their order is that of the list
// that completes them.
func slashes(w words.App) []slash {
	return []slash{
		{"/new", "text", w.SlashNew, (*app).slashNew},
		{"/to", "agent", w.SlashTo, (*app).slashTo},
		{"/interrupt", "text", w.SlashInterrupt, (*app).slashInterrupt},
		{"/stop", "agent", w.SlashStop, slashVerb(stop)},
		{"/resume", "agent", w.SlashResume, slashVerb(resume)},
		{"/retry", "agent", w.SlashRetry, slashVerb(retry)},
		{"/terminate", "agent", w.SlashTerminate, slashVerb(terminate)},
		{"/template", "template", w.SlashTemplate, (*app).slashTemplate},
		{"/roles", "", w.SlashRoles, func(a *app, _ string) tea.Cmd { return a.openRoles() }},
		{"/filter", "text", w.SlashFilter, (*app).slashFilter},
		{"/theme", strings.Join(append([]string{"auto"}, themes.Names()...), "|"), w.SlashTheme, (*app).slashTheme},
		{"/mouse", "on|off", w.SlashMouse, (*app).slashMouse},
		{"/copy", "", w.SlashCopy, func(a *app, _ string) tea.Cmd { return a.copyAnswer(a.open) }},
		{"/keys", "", w.SlashKeys, func(a *app, _ string) tea.Cmd { a.openHelp(); return nil }},
		{"/quit", "", w.SlashQuit, func(a *app, _ string) tea.Cmd { return a.askQuit() }},
	}
}

// isSlash says whether a text is meant as a command: a name follows the slash at
// once, or nothing at all. A path is none.
func isSlash(text string) bool {
	name, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	letters := strings.TrimPrefix(name, "/")
	if strings.TrimSpace(text) == "/" {
		return true
	}
	return name != letters && letters != "" && !strings.ContainsFunc(letters, func(r rune) bool { return r < 'a' || r > 'z' })
}

// slash carries out a command. One that cannot be carried out stays written.
func (a *app) slash(msg composer.Submitted) tea.Cmd {
	name, rest, _ := strings.Cut(strings.TrimSpace(msg.Text), " ")
	at := slices.IndexFunc(a.slashes, func(s slash) bool { return s.name == name })
	if at < 0 {
		a.pad.Restore(msg.To, msg.Text)
		var names []string
		for _, s := range a.slashes {
			names = append(names, s.name)
		}
		return a.warn(fmt.Sprintf(a.words.notices.UnknownCommand, name, strings.Join(names, " ")), a.words.notices.HintCommands)
	}
	return a.slashes[at].does(a, strings.TrimSpace(rest))
}

// agentNamed finds an agent by its id or by what it is called; the empty name is
// the recipient.
func (a *app) agentNamed(name string) (society.AgentID, bool) {
	if name == "" {
		return a.open, true
	}
	name = strings.TrimPrefix(name, "@")
	id := society.AgentID(name)
	if _, here := a.tree.Row(id); here || id == society.User || name == a.words.app.You {
		if name == a.words.app.You {
			id = society.User
		}
		return id, true
	}
	for _, id := range a.tree.Subtree(society.Root) {
		if strings.EqualFold(a.name(id), name) {
			return id, true
		}
	}
	return "", false
}

func (a *app) slashNew(text string) tea.Cmd {
	a.newTask = true
	if text == "" {
		return a.tell(a.words.notices.NewTask, a.words.notices.HintTakeBack)
	}
	return a.submit(composer.Submitted{To: a.receiver(), Text: text})
}

func (a *app) slashTo(name string) tea.Cmd {
	if name == "" {
		return a.warn(fmt.Sprintf(a.words.notices.NeedsAgent, "/to"), "")
	}
	id, ok := a.agentNamed(name)
	if !ok {
		return a.warn(fmt.Sprintf(a.words.notices.UnknownAgent, name), "")
	}
	return a.talkTo(id)
}

func (a *app) slashInterrupt(text string) tea.Cmd {
	if text == "" {
		return a.verb(interrupt, []society.AgentID{a.open})
	}
	return a.interruptWith(a.receiver(), text)
}

func slashVerb(v action) func(*app, string) tea.Cmd {
	return func(a *app, name string) tea.Cmd {
		id, ok := a.agentNamed(name)
		if !ok {
			return a.warn(fmt.Sprintf(a.words.notices.UnknownAgent, name), "")
		}
		return a.verb(v, []society.AgentID{id})
	}
}

func (a *app) slashFilter(text string) tea.Cmd {
	n := a.words.notices
	if text == "" {
		a.tree.ClearFilter()
		return a.tell(n.Unfiltered, "")
	}
	a.tree.Filter(text)
	return a.tell(fmt.Sprintf(n.Filtered, text), n.HintShowAll)
}

func (a *app) slashTheme(name string) tea.Cmd {
	known := append([]string{"auto"}, themes.Names()...)
	if !slices.Contains(known, name) {
		return a.warn(fmt.Sprintf(a.words.notices.ThemesAre, strings.Join(known, " ")), "")
	}
	a.themeName = name
	a.dress()
	return a.tell(fmt.Sprintf(a.words.notices.ThemeIs, name), "")
}

func (a *app) slashMouse(how string) tea.Cmd {
	switch how {
	case "on":
		a.mouseOff = false
	case "off":
		a.mouseOff = true
	case "":
		a.mouseOff = !a.mouseOff
	default:
		return a.warn(fmt.Sprintf(a.words.notices.Takes, "/mouse", "on off"), "")
	}
	return a.mouseChanged()
}
