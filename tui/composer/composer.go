// Package composer is the box the user writes in. Its border names the
// recipient; each recipient has its own draft, and no written text is lost.
package composer

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// Submitted is sent when the user sends the text. The draft is empty by then;
// Restore brings the text back if it is refused. To is never society.User: a
// message to the inbox goes to root.
type Submitted struct {
	To   society.AgentID
	Text string
}

// A Recipient is the recipient as the border shows it.
type Recipient struct {
	Agent   society.AgentID // society.User: the inbox, which means root
	Name    string          // clean, one line
	Asks    bool            // it has asked the user
	Stopped bool            // takes no messages until it is resumed
	Paused  bool            // a message resumes it
	HeldBy  string          // the spent budget that lets a message wait, as /budget names it
	Waiting int             // unread messages
	Most    int             // bytes a message may have; 0 if unknown
	Window  int             // context window of its model, in tokens; 0 if unknown
	// Title replaces the recipient if the text is not a message.
	Title string
	// Hint is the placeholder then.
	Hint  string
	Looks bool // nothing can be sent: the screen only looks
	// Attached names the files that go with the text; "" without any.
	Attached string
	// Other tells that another screen has a different text to the recipient; "" if not.
	Other string
}

// A Model is the composer. It is used by one goroutine.
type Model struct {
	printer i18n.Printer
	set     symbols.Set
	styles  styles
	frame   cells.Framer
	dot     string // separates notes

	newline string // key for a new line
	older   string // key for an older text of a search

	to      Recipient
	draft   *draft // draft to the current recipient
	drafts  map[society.AgentID]*draft
	changed map[society.AgentID]bool // since the last call of Changed
	history history
	cleared string // the text cleared or cut last
	pasted  pastes
	// The last text that was sent with pastes, as it was sent and as it was written.
	lastSaid, lastWritten string

	version uint64
	first   bool // no message was sent yet
	focus   bool
	width   int // width of the last wrapping
	top     int // the first visible row
}

// draft is the text to one recipient.
type draft struct {
	text    *text
	cells   cells.Measure
	blocks  map[rune]string // large pastes
	pasted  *pastes         // of all drafts
	printer i18n.Printer

	entry   int           // index in the history, or ownText
	aside   map[int]*text // hidden texts while the history is visited
	needle  string        // text to search the history for
	narrows bool          // while typing adds to the needle
	beside  int           // index in the history of what StoreBeside stored, or nothingBeside

	refused string // a refused command, untouched since
	put     string // what PutAside wrote
}

// New returns an empty composer addressed to root.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *Model {
	r := &Model{
		printer: printer,
		drafts:  make(map[society.AgentID]*draft),
		changed: make(map[society.AgentID]bool),
		width:   76,
		newline: "ctrl+j", // every terminal sends it
		older:   "ctrl+r",
	}
	r.SetTheme(theme, set)
	r.Show(Recipient{Agent: society.Root, Name: string(society.Root)})
	return r
}

func (r *Model) text(t i18n.Text, args ...any) string { return r.printer.T(t, args...) }

// SetTheme changes the theme.
func (r *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	r.set, r.styles = set, newStyles(theme)
	r.frame = cells.NewFramer(theme, set.Measure, set.ASCII)
	r.dot = " · "
	if set.ASCII {
		r.dot = " - "
	}
	for _, d := range r.drafts {
		d.cells = set.Measure
	}
}

// Focus sets whether the composer has the keys.
func (r *Model) Focus(on bool) { r.focus = on }

// NewlineKey sets the key that the hint names for a new line.
func (r *Model) NewlineKey(key string) { r.newline = key }

// SearchKey sets the key that the hint names for an older text of a search.
func (r *Model) SearchKey(key string) { r.older = key }

// FirstRun sets whether the placeholder suggests a first message.
func (r *Model) FirstRun(on bool) { r.first = on }

// Show sets the recipient and shows its draft.
func (r *Model) Show(to Recipient) {
	if to.Agent != r.to.Agent || r.draft == nil {
		r.draft = r.of(to.Agent)
		r.top = 0
		r.version++
	}
	r.to = to
}

// receiver returns the agent that gets the text: root for the user.
func receiver(agent society.AgentID) society.AgentID {
	if agent == society.User {
		return society.Root
	}
	return agent
}

// of returns the draft to an agent. The inbox and root share one, because both
// go to root.
func (r *Model) of(agent society.AgentID) *draft {
	agent = receiver(agent)
	d := r.drafts[agent]
	if d == nil {
		d = &draft{text: newText(""), cells: r.set.Measure, printer: r.printer, pasted: &r.pasted, entry: ownText, beside: nothingBeside}
		r.drafts[agent] = d
	}
	return d
}

// touch marks the current draft as changed.
func (r *Model) touch() {
	r.changed[receiver(r.to.Agent)] = true
	r.version++
}

// Version changes whenever the visible text does.
func (r *Model) Version() uint64 { return r.version }

// Written returns the text without its blocks.
func (r *Model) Written() string { return r.draft.text.String() }

// Text returns the text with its blocks.
func (r *Model) Text() string { return r.draft.whole(r.draft.text.String()) }

// Line returns the text if it is a single line without blocks, else "". Unlike
// Text it is cheap enough for every frame.
func (r *Model) Line() string {
	if line := r.draft.text.String(); !strings.ContainsFunc(line, func(c rune) bool { return c == '\n' || isBlock(c) }) {
		return line
	}
	return ""
}

// Empty reports whether there is no text.
func (r *Model) Empty() bool { return r.draft.text.empty() }

// SetText replaces the text. Bring restores the old one.
func (r *Model) SetText(s string) {
	if !r.Empty() {
		r.cleared = r.Text()
	}
	r.draft.text = newText("")
	r.draft.insert(tidy(s))
	r.touch()
}

// Type writes s at the cursor: a key, or a paste. A large paste is stored as
// one block.
func (r *Model) Type(s string) {
	r.draft.insert(tidy(s))
	r.touch()
}

// Newline breaks the line at the cursor.
func (r *Model) Newline() {
	r.draft.refused = ""
	r.Type("\n")
}

// Enter sends the text as a Submitted. After a trailing \ it breaks the line
// instead; blank text is not sent.
func (r *Model) Enter() tea.Cmd {
	t := r.draft.text
	if s := t.line().s; strings.HasSuffix(s, `\`) && t.row == len(t.lines)-1 && t.col == len(s) {
		t.backspace()
		r.Newline()
		return nil
	}
	if strings.TrimSpace(r.Text()) == "" {
		return nil
	}
	s := r.Take()
	sent := Submitted{To: receiver(r.to.Agent), Text: s}
	return func() tea.Msg { return sent }
}

// Take removes the text, which is sent, and returns it. If it is one of the history, the
// draft's own text follows.
func (r *Model) Take() string {
	s := r.Text()
	r.dropBeside(r.draft)
	r.remember(s)
	r.draft.finish()
	r.top = 0
	r.touch()
	return s
}

// Restore brings back a text that was not accepted, before any text written to
// that recipient since.
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
	r.version++
}

// Refuse brings back a command that was not run, as Restore does. Until it is
// edited it is marked.
func (r *Model) Refuse(agent society.AgentID, s string) {
	r.Restore(agent, s)
	if d := r.of(agent); d.text.String() == s {
		d.refused = s
	}
}

// marked reports whether the text is a command that was not run.
func (d *draft) marked() bool { return d.refused != "" && d.text.String() == d.refused }

// goOn prepares for text after a command that was not run. Another command takes its place;
// words stand apart from it, and so go to no agent by surprise.
func (r *Model) goOn(s string) {
	if r.draft.marked() {
		switch {
		case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "／"):
			r.cleared = r.Text()
			r.draft.text = newText("")
		case !strings.HasPrefix(s, " ") && !strings.HasSuffix(r.Text(), " "):
			r.draft.insert(" ")
		}
	}
	r.draft.refused = ""
}

// Clear deletes the text, with the draft's own text if it is one of the history, and reports
// whether there was any. Bring restores the own one, the history both.
func (r *Model) Clear() bool {
	if r.Empty() {
		return false
	}
	d := r.draft
	shown, own := r.Text(), d.whole(d.own().String())
	r.dropBeside(d)
	if entry, _ := r.history.entry(d.entry); entry != shown {
		r.remember(shown)
	}
	if own != "" {
		r.remember(own)
	}
	r.cleared = cmp.Or(own, shown)
	d.text, d.entry = newText(""), ownText
	d.finish()
	r.top = 0
	r.touch()
	return true
}

// endEmptied ends the looking back if nothing is left of a text of the history, so that what is
// typed next is a new text. The draft's own one is the newest of the history then.
func (r *Model) endEmptied() {
	d := r.draft
	if d.entry == ownText || !d.text.empty() {
		return
	}
	own := d.whole(d.own().String())
	r.dropBeside(d)
	if own != "" {
		r.remember(own)
	}
	d.text, d.entry = newText(""), ownText
	d.finish()
	r.touch()
}

// Hold stores a withdrawn text for Bring and the history.
func (r *Model) Hold(s string) {
	if s != "" {
		r.cleared = s
		r.remember(s)
	}
}

// remember adds a text to the history.
func (r *Model) remember(s string) { r.history.add(written{s, receiver(r.to.Agent)}) }

// Bring writes the text cleared or cut last at the cursor, and reports whether there is one.
func (r *Model) Bring() bool {
	if r.cleared == "" {
		return false
	}
	r.Type(r.cleared)
	return true
}

// Up moves the cursor up a row; on the first row it shows the previous entry of
// the history.
func (r *Model) Up() {
	r.EndSearch()
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

// Down moves the cursor down a row; on the last row it shows the next entry of
// the history, and at the end the draft.
func (r *Model) Down() {
	r.EndSearch()
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

// Search shows the newest entry of the history that contains the text; each
// further call an older one. It reports whether there is one. What is typed next
// adds to the text that is searched for.
func (r *Model) Search() bool {
	d := r.draft
	from := d.entry
	if from == ownText {
		from = r.history.next()
		d.needle = d.text.String()
	}
	at, ok := r.history.older(from, d.needle)
	begins := d.entry == ownText
	if !ok || !d.visit(&r.history, at) {
		return false
	}
	d.narrows = d.narrows || begins
	r.touch()
	return true
}

// Searching reports whether the draft shows a text of the history.
func (r *Model) Searching() bool { return r.draft.entry != ownText }

// Needle returns the text that the history is searched for.
func (r *Model) Needle() string { return r.draft.needle }

// EndSearch ends the search of the history and reports whether there was one: what it found is
// the text now, to be edited.
func (r *Model) EndSearch() bool {
	was := r.seeking() != ""
	r.draft.needle, r.draft.narrows = "", false
	return was
}

// narrow adds a key to the text that is searched for, or takes its last character away, and
// reports whether it was for the search.
func (r *Model) narrow(key tea.KeyPressMsg) bool {
	d := r.draft
	needle := []rune(d.needle)
	switch {
	case !d.narrows || d.entry == ownText:
		return false
	case key.Text != "":
		needle = append(needle, []rune(tidy(key.Text))...)
	case key.String() == "backspace" && len(needle) > 0:
		needle = needle[:len(needle)-1]
	default:
		return false
	}
	d.needle = string(needle)
	at, ok := r.history.older(d.entry+1, d.needle)
	if !ok {
		at, ok = r.history.older(r.history.next(), d.needle)
	}
	switch {
	case !ok: // a text that is new
		own := d.needle
		d.visit(&r.history, ownText)
		d.narrows, d.text = false, newText("")
		d.insert(own)
	case at != d.entry:
		d.visit(&r.history, at)
	}
	r.touch()
	return true
}
