package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/terminal"
)

// themeList is the kind of the list of themes.
const themeList = "themes"

// A dress is all that decides in what the screen is drawn.
type dress struct {
	name    string
	ground  terminal.Ground // of the terminal, where the theme is to suit it
	profile colorprofile.Profile
}

// askTerminal asks the terminal what it is like. Nothing waits for the answers.
func (a *app) askTerminal() tea.Cmd { return tea.Raw(terminal.Questions(!a.cfg.Plain)) }

// askGroundAgain asks after the ground may have changed.
func (a *app) askGroundAgain() tea.Cmd {
	if a.cfg.Plain || !a.traits.Ground.Known {
		return nil
	}
	return tea.RequestBackgroundColor
}

// wanted is what the screen is to be drawn in: the theme that is marked in their
// list, else the one that was chosen.
func (a *app) wanted() dress {
	name := a.chosen
	if item, ok := a.picks.Picked(); ok && a.listing(themeList) && !item.Bad {
		name = item.ID
	}
	if e := a.themeNamed(name); a.cfg.Plain || e != nil && e.Err == nil {
		return dress{name: name, profile: a.profile}
	}
	return dress{themes.AutoName, a.traits.Ground, a.profile}
}

// themeNamed is the theme of that name, nil for none.
func (a *app) themeNamed(name string) *themes.Entry {
	at := slices.IndexFunc(a.themes, func(e themes.Entry) bool { return e.Name == name })
	if at < 0 {
		return nil
	}
	return &a.themes[at]
}

// themeFor makes the theme of a dress, in as many colours as the terminal has.
func (a *app) themeFor(d dress) themes.Theme {
	t := a.fullTheme(d)
	switch d.profile {
	case colorprofile.ANSI256:
		t = t.Indexed()
	case colorprofile.ANSI:
		t = t.Basic()
	}
	t.Upright = a.traits.NoItalics
	return t
}

func (a *app) fullTheme(d dress) themes.Theme {
	switch e := a.themeNamed(d.name); {
	case a.cfg.Plain:
		return themes.Plain()
	case e != nil && e.Err == nil:
		return e.Theme
	case d.ground.Known:
		return themes.Auto(d.ground.Colour)
	case d.ground.Silent, d.profile == colorprofile.ANSI:
		// Of sixteen colours the ground is painted, and nobody has said yet which it is.
		return themes.Silent()
	}
	return themes.Auto(nil)
}

// suit draws everything as wanted, from the next frame on.
func (a *app) suit() {
	if d := a.wanted(); d != a.worn {
		a.worn = d
		a.wear(a.themeFor(d))
	}
}

// wear hands a theme to everything that draws.
func (a *app) wear(t themes.Theme) {
	a.paint(t)
	a.tree.SetTheme(t, a.set)
	a.chat.SetTheme(t, a.set)
	a.detail.SetTheme(t, a.set)
	a.pad.SetTheme(t, a.set)
	a.bar.SetTheme(t, a.set)
	a.dialogs.SetTheme(t, a.set)
	a.picks.SetTheme(t, a.set)
	if a.sheet != nil {
		a.sheet.pad.SetTheme(t, a.set)
	}
}

// paint takes a theme for what no room draws.
func (a *app) paint(t themes.Theme) {
	a.theme, a.floor = t, floor{ground: t.Ground(), written: a.traits.GNUScreen && !t.Plain}
	a.pens = pens{
		text:   t.Pen(t.Text, 0),
		muted:  t.Pen(t.Muted, 0),
		key:    t.Pen(t.Accent, 0),
		title:  t.Pen(t.Heading, themes.Bold),
		chosen: t.SelectionPen(),
	}
	a.frame = cells.NewFramer(t, a.set.Measure, a.set.ASCII)
}

// themesRead are the themes, read again; then says what they were read for.
type themesRead struct {
	themes []themes.Entry
	then   func() tea.Cmd
}

// readThemes reads the person's own themes as they are now.
func (a *app) readThemes(then func() tea.Cmd) tea.Cmd {
	shelf := a.cfg.Themes
	return later(a, func(context.Context) themesRead { return themesRead{shelf.List(), then} }, a.takeThemes)
}

func (a *app) takeThemes(m themesRead) tea.Cmd {
	a.themes = m.themes
	a.worn = a.wanted()
	if t := a.themeFor(a.worn); t != a.theme {
		a.wear(t) // its file is another now
	}
	return m.then()
}

// runTheme chooses a theme, or lists those there are.
func (a *app) runTheme(in command.Input) tea.Cmd {
	if in.Text == "" {
		return a.readThemes(a.openThemes)
	}
	return a.readThemes(func() tea.Cmd {
		cmd, ok := a.chooseTheme(in.Text)
		if !ok {
			in.Refuse()
		}
		return cmd
	})
}

// openThemes lists the themes. The one that is marked is drawn in at once, and
// leaving the list takes that back.
func (a *app) openThemes() tea.Cmd {
	w := a.words.themes
	items := []list.Item{{ID: themes.AutoName, Name: themes.AutoName, Note: w.Suits}}
	for i := range a.themes {
		items = append(items, a.themeItem(&a.themes[i]))
	}
	a.openList(page.List{Kind: themeList, Take: a.chooseMarked, Takes: a.words.keys.HintChoose, Cancels: true}, w.Title, "", items)
	a.picks.Slim()
	a.picks.Pick(cmp.Or(a.chosen, themes.AutoName))
	if a.cfg.Plain {
		return a.tell(w.NoColour, "")
	}
	return nil
}

func (a *app) themeItem(e *themes.Entry) list.Item {
	w := a.words.themes
	item := list.Item{ID: e.Name, Name: sanitize.Line(e.Name, nameCells), Note: w.Light}
	if e.Dark() {
		item.Note = w.Dark
	}
	if e.From != "" {
		item.Note = w.Own + a.dot() + item.Note
	}
	if e.Err != nil {
		item.Note, item.Text, item.Bad = w.Broken, a.themeMistakes(e)[0], true
		return item
	}
	if weak := e.Weak(); len(weak) > 0 {
		p := weak[0]
		item.Text = fmt.Sprintf(w.Weak, fmt.Sprintf("%s/%s %.1f:1", p.Writing, p.Ground, p.Contrast))
	}
	return item
}

// themeMistakes are what is wrong with the file of a theme, without its folder.
func (a *app) themeMistakes(e *themes.Entry) []string {
	folder := strings.TrimSuffix(e.From, filepath.Base(e.From))
	var said []string
	for _, err := range themes.Mistakes(e.Err) {
		text := err.Error()
		if m, ok := errors.AsType[*themes.Mistake](err); ok {
			text = a.themeMistake(m)
		}
		said = append(said, sanitize.Line(strings.ReplaceAll(text, folder, ""), 4*doingCells))
	}
	return said
}

// themeMistake is a mistake in the words of the screen.
func (a *app) themeMistake(m *themes.Mistake) string {
	w, said := a.words.themes, ""
	switch m.Fault {
	case themes.NotAuto:
		said = w.NotAuto
	case themes.NotAFile:
		said = w.NotAFile
	case themes.TooLarge:
		said = fmt.Sprintf(w.TooLarge, m.Most)
	case themes.NoRole:
		said = fmt.Sprintf(w.NoRole, m.Key, strings.Join(m.Known, ", "))
		if m.Meant != "" {
			said = fmt.Sprintf(w.NoRoleMeant, m.Key, m.Meant)
		}
	case themes.NoBase:
		said = fmt.Sprintf(w.NoBase, m.Value, strings.Join(m.Known, ", "))
	case themes.NoColour:
		said = fmt.Sprintf(w.NotAColour, m.Key, m.Value)
	case themes.NoTables:
		said = w.NoTables
	case themes.Twice:
		said = w.Twice
	default:
		said = w.NoTOML
	}
	if m.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", m.File, m.Line, said)
	}
	return m.File + ": " + said
}

// chooseTheme takes a theme by its name, and keeps that. It says why there is no
// such theme.
func (a *app) chooseTheme(name string) (cmd tea.Cmd, ok bool) {
	w := a.words.themes
	e := a.themeNamed(name)
	switch {
	case name == themes.AutoName:
	case e == nil:
		return a.warn(fmt.Sprintf(w.Unknown, sanitize.Line(name, nameCells)), w.HintList), false
	case e.Err != nil:
		a.showMistakes(themeKind, fmt.Sprintf(w.Refused, sanitize.Line(name, nameCells)), w.HintMend, a.themeMistakes(e))
		return nil, false
	}
	a.chosen, a.liked = name, name
	hint := ""
	switch {
	case a.cfg.Plain:
		hint = w.NoColour
	case a.cfg.Theme != "" && a.cfg.Theme != name:
		hint = fmt.Sprintf(w.OnlyNow, sanitize.Line(a.cfg.Theme, nameCells))
	}
	return tea.Batch(a.tell(fmt.Sprintf(w.Is, sanitize.Line(name, nameCells)), hint), a.saveSoon()), true
}

// chooseMarked takes the theme that is marked in the list.
func (a *app) chooseMarked() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok {
		return nil
	}
	cmd, ok := a.chooseTheme(item.ID)
	if ok {
		a.picks.Close()
	}
	return cmd
}

// recallTheme takes over what the person chose before, unless this start was told
// otherwise.
func (a *app) recallTheme(name string) tea.Cmd {
	a.liked = name
	if a.cfg.Theme != "" || name == "" {
		return nil
	}
	a.chosen = name
	return a.sayTheme()
}

// sayTheme says why the screen is not in the theme that was asked for.
func (a *app) sayTheme() tea.Cmd {
	w := a.words.themes
	name := sanitize.Line(a.chosen, nameCells)
	switch e := a.themeNamed(a.chosen); {
	case a.chosen == "", a.chosen == themes.AutoName, e != nil && e.Err == nil:
		return nil
	case e == nil:
		return a.warn(fmt.Sprintf(w.Unknown, name), w.HintList)
	default:
		return a.warn(fmt.Sprintf(w.Refused, name)+": "+a.themeMistakes(e)[0], w.HintList)
	}
}

// themeNames are the names that can follow /theme.
func (a *app) themeNames() []string {
	names := []string{themes.AutoName}
	for i := range a.themes {
		if e := &a.themes[i]; e.Err == nil && e.Name != themes.AutoName {
			names = append(names, e.Name)
		}
	}
	return names
}
