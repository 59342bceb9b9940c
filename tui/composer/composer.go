// Package composer is the box that the user writes in. Its border says who
// will get the text; each recipient has a draft of its own, and nothing that was
// written is lost.
package composer

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// Submitted is sent when the user sends the text. The draft is empty by then;
// Restore brings the text back if it is refused. To is never society.User: what
// the user writes to the inbox goes to root, for nobody else reads it.
type Submitted struct {
	To   society.AgentID
	Text string
}

// A Recipient is who gets the text, as the border shows it.
type Recipient struct {
	Agent   society.AgentID // society.User: the inbox, which means root
	Name    string          // clean, one line
	Asks    bool            // it has asked the user
	Stopped bool            // it takes no message until it is resumed
	Paused  bool            // what the user writes lets it go on
	Waiting int             // messages that it has not read
	Most    int             // bytes that a message to it may have; 0 is unknown
	Window  int             // tokens that its model has room for; 0 is unknown
	// Title stands in place of the recipient where the text is no message.
	Title string
	// Hint is what stands in the empty box then.
	Hint string
}

// A Model is the composer. It is used by one goroutine.
type Model struct {
	printer i18n.Printer
	set     symbols.Set
	pens    pens
	frame   cells.Framer
	dot     string // between two notes

	newline string // the key for one

	to      Recipient
	draft   *draft // of the recipient
	drafts  map[society.AgentID]*draft
	changed map[society.AgentID]bool // since Changed was asked last
	history history
	cleared string // what was cleared or cut last

	first bool // nothing was said yet
	focus bool
	open  bool
	width int // that the text was wrapped to last
	top   int // the first row of it that was drawn
}

// draft is the text to one recipient.
type draft struct {
	text    *text
	cells   cells.Measure
	blocks  map[rune]string // large pastes
	printer i18n.Printer

	entry  int           // of the history that is shown, or ownText
	aside  map[int]*text // texts that are not shown but not lost
	needle string        // what the history is searched for

	refused string // a command that stands here again and was not touched since
}

// New returns an empty composer to root.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *Model {
	r := &Model{
		printer: printer,
		drafts:  make(map[society.AgentID]*draft),
		changed: make(map[society.AgentID]bool),
		width:   76,
		newline: "ctrl+j", // which every terminal sends
	}
	r.SetTheme(theme, set)
	r.Show(Recipient{Agent: society.Root, Name: string(society.Root)})
	return r
}

func (r *Model) text(t i18n.Text, args ...any) string { return r.printer.T(t, args...) }

// SetTheme draws in another theme from now on.
func (r *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	r.set, r.pens = set, newPens(theme)
	r.frame = cells.NewFramer(theme, set.Measure, set.ASCII)
	r.dot = " · "
	if set.ASCII {
		r.dot = " - "
	}
	for _, d := range r.drafts {
		d.cells = set.Measure
	}
}

// Focus reports whether the composer has the keys.
func (r *Model) Focus(on bool) { r.focus = on }

// Open leaves the sides of the box away, for narrow terminals.
func (r *Model) Open(on bool) { r.open = on }

// NewlineKey sets the key that is named for a new line.
func (r *Model) NewlineKey(key string) { r.newline = key }

// FirstRun shows, in the empty box, what may be written for a beginning.
func (r *Model) FirstRun(on bool) { r.first = on }

// Show sets the recipient, and with it the draft that is shown.
func (r *Model) Show(to Recipient) {
	if to.Agent != r.to.Agent || r.draft == nil {
		r.draft = r.of(to.Agent)
		r.top = 0
	}
	r.to = to
}

// To returns the recipient that is shown.
func (r *Model) To() Recipient { return r.to }

// receiver is who gets what is written to an agent: root instead of the user.
func receiver(agent society.AgentID) society.AgentID {
	if agent == society.User {
		return society.Root
	}
	return agent
}

// of returns the draft to an agent. The inbox and root share one, for it goes to
// the same recipient.
func (r *Model) of(agent society.AgentID) *draft {
	agent = receiver(agent)
	d := r.drafts[agent]
	if d == nil {
		d = &draft{text: newText(""), cells: r.set.Measure, printer: r.printer, entry: ownText}
		r.drafts[agent] = d
	}
	return d
}

// touch notes that the shown draft is to be kept.
func (r *Model) touch() { r.changed[receiver(r.to.Agent)] = true }

// Text returns what is written, whole.
func (r *Model) Text() string { return r.draft.whole(r.draft.text.String()) }

// Line returns the text while it is one line without pasted blocks, else "": a command
// is, or a name. It may be asked in every frame; Text puts the blocks together.
func (r *Model) Line() string {
	if line := r.draft.text.String(); !strings.ContainsFunc(line, func(c rune) bool { return c == '\n' || isBlock(c) }) {
		return line
	}
	return ""
}

// Empty reports whether nothing is written.
func (r *Model) Empty() bool { return r.draft.text.empty() }

// SetText replaces what is written. What was there can be brought back.
func (r *Model) SetText(s string) {
	if !r.Empty() {
		r.cleared = r.Text()
	}
	r.draft.text = newText("")
	r.draft.insert(tidy(s))
	r.touch()
}

// Type writes s at the cursor: a key, or a paste. A large one is kept outside
// the text and shown as one block.
func (r *Model) Type(s string) {
	r.draft.insert(tidy(s))
	r.touch()
}

// Newline begins a new line at the cursor.
func (r *Model) Newline() {
	r.draft.refused = ""
	r.Type("\n")
}

// Enter sends the text: a Submitted follows. Behind a \ at the end it makes a
// new line instead, and blanks alone are not sent.
func (r *Model) Enter() tea.Cmd {
	t := r.draft.text
	if s := t.line().s; strings.HasSuffix(s, `\`) && t.row == len(t.lines)-1 && t.col == len(s) {
		t.backspace()
		r.Newline()
		return nil
	}
	s := r.Text()
	if strings.TrimSpace(s) == "" {
		return nil
	}
	r.remember(s)
	r.draft.finish()
	r.top = 0
	r.touch()
	sent := Submitted{To: receiver(r.to.Agent), Text: s}
	return func() tea.Msg { return sent }
}

// Restore brings back a text that was not accepted: before what has been written
// to the same recipient since.
func (r *Model) Restore(agent society.AgentID, s string) {
	d := r.of(agent)
	if d.entry != ownText {
		d.visit(&r.history, ownText)
	}
	since := d.text
	d.text = newText("")
	d.insert(tidy(s))
	if !since.empty() {
		d.text.insert("\n" + since.String())
	}
	r.changed[receiver(agent)] = true
}

// Refuse brings back a command that was not carried out, like Restore. Until it is
// touched it stands there marked: what is typed or pasted replaces it, for nobody
// means to write on behind it, and any other key mends it. Bring gives it back.
func (r *Model) Refuse(agent society.AgentID, s string) {
	r.Restore(agent, s)
	if d := r.of(agent); d.text.String() == s {
		d.refused = s
	}
}

// marked reports whether what is typed replaces the text.
func (d *draft) marked() bool { return d.refused != "" && d.text.String() == d.refused }

// instead takes away what is marked.
func (r *Model) instead() {
	if r.draft.marked() {
		r.cleared = r.Text()
		r.draft.text = newText("")
	}
	r.draft.refused = ""
}

// Clear takes the text away and reports whether there was any. Bring and the
// history give it back.
func (r *Model) Clear() bool {
	if r.Empty() {
		return false
	}
	r.cleared = r.Text()
	r.remember(r.cleared)
	r.draft.text = newText("")
	r.draft.finish()
	r.top = 0
	r.touch()
	return true
}

// Hold keeps a text that the user took back from elsewhere, for Bring and the
// history.
func (r *Model) Hold(s string) {
	if s != "" {
		r.cleared = s
		r.remember(s)
	}
}

// remember adds what was written to the recipient to the history.
func (r *Model) remember(s string) { r.history.add(written{s, receiver(r.to.Agent)}) }

// Bring writes what was cleared or cut last at the cursor.
func (r *Model) Bring() {
	if r.cleared != "" {
		again := r.cleared
		r.instead()
		r.Type(again)
	}
}

// Up moves the cursor up a row; on the first row it shows the older entry of the
// history.
func (r *Model) Up() {
	if r.draft.vertical(-1, r.width) {
		return
	}
	from := r.draft.entry
	if from == ownText {
		from = r.history.next()
	}
	if older, ok := r.history.older(from, ""); ok && r.draft.visit(&r.history, older) {
		r.touch()
	}
}

// Down moves the cursor down a row; on the last row it shows the newer entry of
// the history, and at last the text that was being written.
func (r *Model) Down() {
	if r.draft.vertical(1, r.width) || r.draft.entry == ownText {
		return
	}
	to, ok := r.history.newer(r.draft.entry)
	if !ok {
		to = ownText
	}
	if r.draft.visit(&r.history, to) {
		r.touch()
	}
}

// Search shows the newest entry of the history that holds what is written;
// called again the one before it. It reports whether there is one.
func (r *Model) Search() bool {
	d := r.draft
	from := d.entry
	if from == ownText {
		from = r.history.next()
		d.needle = d.text.String()
	}
	at, ok := r.history.older(from, d.needle)
	if !ok || !d.visit(&r.history, at) {
		return false
	}
	r.touch()
	return true
}
