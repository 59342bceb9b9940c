package tui

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/composer"
	"society-tui/tui/orders"
	"society-tui/tui/words"
)

// A slash is a command that is written into the composer.
type slash struct {
	name string
	// takes says what may follow it: "" nothing, "agent", "text", "file", "export" what
	// that command takes, or the choices themselves, separated by |.
	takes string
	help  string
	// does carries it out; taken is false if it was refused at once.
	does func(a *app, w written) (cmd tea.Cmd, taken bool)
	// is the action that does the same without more words, nothing if there is
	// none. needs says that it is refused without them.
	is    action
	needs bool
}

// written is a command as it was written, and what follows its name.
type written struct {
	composer.Submitted
	rest string
}

// simply is a command that nothing can refuse, and that nothing may follow.
func simply(does func(a *app) tea.Cmd) func(*app, written) (tea.Cmd, bool) {
	return func(a *app, _ written) (tea.Cmd, bool) { return does(a), true }
}

// slashes are all commands that can be written. Their order is that of the list
// that completes them.
func slashes(w words.App) []slash {
	return []slash{
		{name: "/new", takes: "text", help: w.SlashNew, does: (*app).slashNew},
		{name: "/to", takes: "agent", help: w.SlashTo, does: (*app).slashTo, needs: true},
		{name: "/interrupt", takes: "text", help: w.SlashInterrupt, does: (*app).slashInterrupt, is: interrupt},
		{name: "/stop", takes: "agent", help: w.SlashStop, does: slashVerb(stop), is: stop},
		{name: "/pause", takes: "agent", help: w.SlashPause, does: slashVerb(pause), is: pause},
		{name: "/resume", takes: "agent", help: w.SlashResume, does: slashVerb(resume), is: resume},
		{name: "/retry", takes: "agent", help: w.SlashRetry, does: slashVerb(retry), is: retry},
		{name: "/spawn", takes: "role", help: w.SlashSpawn, does: (*app).slashSpawn, needs: true},
		{name: "/name", takes: "text", help: w.SlashName, does: (*app).slashName, needs: true},
		{name: "/terminate", takes: "agent", help: w.SlashTerminate, does: slashVerb(terminate), is: terminate},
		{name: "/next", help: w.SlashNext, does: simply(func(a *app) tea.Cmd { return a.toNeedy(true) }), is: nextAsks},
		{name: "/agents", help: w.SlashAgents, does: simply(func(a *app) tea.Cmd { return a.act(focusTree, "") }), is: focusTree},
		{name: "/messages", takes: "agent", help: w.SlashMessages, does: (*app).slashMessages, is: focusChat},
		{name: "/template", takes: "template", help: w.SlashTemplate, does: (*app).slashTemplate},
		{name: "/roles", help: w.SlashRoles, does: simply((*app).openRoles), is: openRoles},
		{name: "/sessions", help: w.SlashSessions, does: simply((*app).openSessions), is: openSessions},
		{name: "/graph", takes: "graph", help: w.SlashGraph, does: (*app).slashGraph, is: chooseGraph},
		{name: "/filter", takes: "text", help: w.SlashFilter, does: (*app).slashFilter},
		{name: "/search", takes: "text", help: w.SlashSearch, does: (*app).slashSearch, is: search},
		{name: "/find", takes: "text", help: w.SlashFind, does: (*app).slashFind},
		{name: "/stats", help: w.SlashStats, does: simply((*app).openStats)},
		{name: "/models", help: w.SlashModels, does: simply((*app).listModels)},
		{name: "/settings", help: w.SlashSettings, does: simply((*app).openSettings)},
		{name: "/log", takes: logOfAll, help: w.SlashLog, does: (*app).slashLog},
		{name: "/theme", takes: "theme", help: w.SlashTheme, does: (*app).slashTheme},
		{name: "/mouse", takes: "on|off", help: w.SlashMouse, does: (*app).slashMouse, is: releaseMouse},
		{name: "/copy", help: w.SlashCopy, does: simply(func(a *app) tea.Cmd { return a.copyAnswer(a.open) }), is: copyAnswer},
		{name: "/backup", takes: "file", help: w.SlashBackup, does: (*app).slashBackup, needs: true},
		{name: "/export", takes: "export", help: w.SlashExport, does: (*app).slashExport},
		{name: "/help", takes: "text", help: w.SlashHelp, does: (*app).slashHelp, is: showHelp},
		{name: "/keys", help: w.SlashKeys, does: simply((*app).openKeys)},
		{name: "/quit", help: w.SlashQuit, does: simply((*app).askQuit)},
	}
}

// slash carries out a command. One that cannot be carried out stays written.
func (a *app) slash(msg composer.Submitted) tea.Cmd {
	name, rest, _ := strings.Cut(strings.TrimSpace(msg.Text), " ")
	at := slices.IndexFunc(a.slashes, func(s slash) bool { return s.name == name })
	if at < 0 {
		a.refuse(msg)
		hint := a.words.notices.HintCommands
		if meant := a.commandsMeant(name); len(meant) > 0 {
			hint = fmt.Sprintf(a.words.notices.HintMeantCommand, strings.Join(meant, " "))
		}
		return a.warn(fmt.Sprintf(a.words.notices.UnknownCommand, name), hint)
	}
	cmd, taken := a.slashes[at].does(a, written{msg, strings.TrimSpace(rest)})
	if !taken {
		a.refuse(msg)
	}
	return cmd
}

// commandsMeant are the commands that do what people call by a name; without any, those
// that differ from it by a slip or two.
func (a *app) commandsMeant(name string) (meant []string) {
	called := strings.ToLower(strings.TrimPrefix(name, "/"))
	var slips []string
	for i := range a.slashes {
		s := &a.slashes[i]
		if slices.Contains(strings.Fields(a.alsoCalled(s.is, s)), called) {
			meant = append(meant, s.name)
		}
		if orders.Distance(s.name[1:], called) <= min(2, len(called)/2) {
			slips = append(slips, s.name)
		}
	}
	if len(meant) > 0 {
		return meant
	}
	return slips
}

// agentNamed finds an agent by its id or by what it is called; the empty name is
// the recipient.
func (a *app) agentNamed(name string) (society.AgentID, bool) {
	if name == "" {
		return a.open, true
	}
	return a.desk().Named(name)
}

func (a *app) slashNew(w written) (tea.Cmd, bool) {
	a.newTask = true
	if w.rest == "" {
		return a.tell(a.words.notices.NewTask, a.words.notices.HintTakeBack), true
	}
	return a.submit(composer.Submitted{To: a.receiver(), Text: w.rest}), true
}

func (a *app) slashTo(w written) (tea.Cmd, bool) {
	if w.rest == "" {
		return a.warn(fmt.Sprintf(a.words.notices.NeedsAgent, "/to"), ""), false
	}
	id, ok := a.agentNamed(w.rest)
	if !ok {
		return a.say(a.desk().Unknown(w.rest)), false
	}
	return a.talkTo(id), true
}

// slashMessages opens the conversation of an agent to be read. How many messages that
// is to begin with, which can be said where there is no screen, does not matter here.
func (a *app) slashMessages(w written) (tea.Cmd, bool) {
	name, _, _ := strings.Cut(w.rest, " ")
	if _, err := strconv.Atoi(name); err == nil {
		name = ""
	}
	id, ok := a.agentNamed(name)
	if !ok {
		return a.say(a.desk().Unknown(name)), false
	}
	return tea.Batch(a.talkTo(id), a.focus(chatPane)), true
}

func (a *app) slashHelp(w written) (tea.Cmd, bool) {
	a.openHelpAt(a.words.keys.Commands, w.rest)
	return nil, true
}

func (a *app) slashInterrupt(w written) (tea.Cmd, bool) {
	if w.rest == "" {
		return a.tryVerb(interrupt, []society.AgentID{a.open})
	}
	return a.interruptWith(a.receiver(), w.rest), true
}

func slashVerb(v action) func(*app, written) (tea.Cmd, bool) {
	return func(a *app, w written) (tea.Cmd, bool) {
		id, ok := a.agentNamed(w.rest)
		if !ok {
			return a.say(a.desk().Unknown(w.rest)), false
		}
		return a.tryVerb(v, []society.AgentID{id})
	}
}

func (a *app) slashFilter(w written) (tea.Cmd, bool) {
	n := a.words.notices
	if w.rest == "" {
		a.tree.ClearFilter()
		return a.tell(n.Unfiltered, ""), true
	}
	a.tree.Filter(w.rest)
	return a.tell(fmt.Sprintf(n.Filtered, w.rest), n.HintShowAll), true
}

func (a *app) slashMouse(w written) (tea.Cmd, bool) {
	switch w.rest {
	case "on":
		return a.setMouse(true), true
	case "off":
		return a.setMouse(false), true
	case "":
		return a.setMouse(!a.hasMouse()), true
	}
	return a.warn(fmt.Sprintf(a.words.notices.Takes, "/mouse", "on off"), ""), false
}
