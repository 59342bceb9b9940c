package inspector

import (
	"strings"
	"time"

	"society-tui/runtime"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/graphview"
	"society-tui/tui/sanitize"
)

// profile is what the agent was given, cleaned when it came.
type profile struct {
	here   bool
	blocks []block // the second tab
	prompt string
	graph  *graph.Graph // cleaned where it is drawn
	run    *graph.Run
	laid   laid
}

// A block is a heading with what stands under it.
type block struct{ title, text string }

// laid is a tab as it was wrapped last.
type laid struct {
	tab   Tab
	width int
	rows  []string
}

// Profile brings what an agent was given. One that is not shown any more is
// ignored. This is where the texts in it enter the screen: they are cleaned here.
func (r *Room) Profile(p runtime.Profile) {
	if p.Agent != r.subject.Row.ID {
		return
	}
	r.profile = profile{here: !r.before(&p), prompt: sanitize.Text(p.System), blocks: r.blocks(&p), graph: p.Graph, run: p.Run}
}

// before says whether a profile is of before the row that is shown.
func (r *Room) before(p *runtime.Profile) bool {
	w := &r.subject.Row.Walk
	switch {
	case p.Graph != w.Graph || p.Run == nil:
		return false
	case w.Doing == 0:
		return !p.Run.Status.Over()
	}
	return !p.Run.Status.Over() && len(p.Run.Path) < w.Ended
}

// Outdated says that the profile may have changed: Wants asks for it again. What
// is there stays on the screen until then.
func (r *Room) Outdated() { r.profile.here = false }

func (r *Room) blocks(p *runtime.Profile) []block {
	w := &r.words
	var blocks []block
	add := func(title, text string) {
		if text != "" {
			blocks = append(blocks, block{title, sanitize.Text(text)})
		}
	}
	if b := p.Brief; b != nil {
		add(w.Objective, b.Objective)
		add(w.Constraints, list(b.Constraints))
		add(w.Inputs, b.Inputs)
		add(w.Outputs, b.Outputs)
		add(w.Criteria, b.CompletionCriteria)
		var with []string
		for _, c := range b.Collaborators {
			with = append(with, strings.TrimSpace(c.AgentID+" "+c.Role+"  "+c.Description))
		}
		add(w.Collaborators, list(with))
		add(w.References, list(b.References))
		add(w.Priority, b.Priority)
	} else {
		add("", w.NoBrief)
	}
	add(w.Contacts, list(r.contacts(p.Contacts)))
	add(w.Tools, strings.Join(p.Tools, ", "))
	return blocks
}

// contacts says of each whom the agent knows how it came to know it, through whom,
// since when and what for.
func (r *Room) contacts(known []protocol.Contact) []string {
	said := make([]string, len(known))
	for i, c := range known {
		said[i] = r.subject.names(society.AgentID(c.ID))
		if c.Role != "" && c.Role != c.ID {
			said[i] += " (" + c.Role + ")"
		}
		said[i] += ", " + r.source(c.Source)
		if c.IntroducedBy != "" {
			said[i] += " " + r.subject.names(society.AgentID(c.IntroducedBy))
		}
		if !c.AddedAt.IsZero() {
			said[i] += ", " + r.when(c.AddedAt)
		}
		if c.Description != "" {
			said[i] += "  " + c.Description
		}
	}
	return said
}

// source says how somebody came to be known.
func (r *Room) source(s protocol.Source) string {
	w := &r.words
	switch s {
	case protocol.Parent:
		return w.Above
	case protocol.Child:
		return w.Below
	case protocol.Preset:
		return w.InBrief
	case protocol.Introduction:
		return w.Introduced
	case protocol.FirstMessage:
		return w.WroteFirst
	case protocol.System:
		return w.FromBeginning
	}
	return string(s) // of a store that a newer program has written
}

// when writes a time of today as the time of day, any other with its date.
func (r *Room) when(at time.Time) string {
	at = at.In(r.now.Location())
	if at.Format(time.DateOnly) == r.now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

func list(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return "- " + strings.Join(items, "\n- ")
}

// lay wraps the tab on show to width, once.
func (p *profile) lay(r *Room, width int) []string {
	if p.laid.rows != nil && p.laid.tab == r.tab && p.laid.width == width {
		return p.laid.rows
	}
	var rows []string
	put := func(pen themes.Pen, text string, left int) {
		for said := range strings.SplitSeq(text, "\n") {
			inside := strings.TrimPrefix(said, "- ")
			hang := len(said) - len(inside)
			room := max(width-left-hang-1, 1)
			for i, line := range cells.Wrap(inside, room) {
				sign := said[:hang]
				if i > 0 {
					sign = cells.Blank(hang) // beneath the text of its item
				}
				rows = append(rows, cells.Fit(cells.Blank(left)+pen.Draw(sign+cells.Fit(line, room, r.set.Tail())), width, ""))
			}
		}
	}
	if id := r.subject.Row.ID; id != "" { // whose it is, as on the first tab
		rows = append(rows, r.row(width).upto(indent).add(r.pens.strong, r.subject.names(id), 0).String(), cells.Blank(width))
	}
	switch {
	case !p.here && p.blocks == nil:
		put(r.pens.subtle, r.words.Loading, indent)
		return rows // not remembered: it is about to come
	case r.tab == Graph:
		a := &r.subject.Row
		rows = append(rows, r.graph.Rows(graphview.Subject{
			Graph: p.graph, Run: p.run, Held: !a.State.Active(), Zone: r.now.Location(),
		}, width)...)
	case r.tab == Prompt:
		put(r.pens.text, p.prompt, indent)
	default:
		for i, b := range p.blocks {
			if i > 0 {
				rows = append(rows, cells.Blank(width))
			}
			if b.title != "" {
				put(r.pens.heading, b.title, indent)
			}
			put(r.pens.text, b.text, 2*indent)
		}
	}
	p.laid = laid{r.tab, width, rows}
	return rows
}
