package inspector

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool/todo"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/graphview"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// profile is the agent's profile, cleaned on arrival.
type profile struct {
	fresh    bool
	called   bool // its calls are here
	blocks   []block
	contacts []block
	tools    []block
	calls    []block
	prompt   string
	graph    *graph.Graph // cleaned when drawn
	run      *graph.Run
	failed   string // why reading failed
	laid     laid
}

// A block is a heading with text below it.
type block struct {
	title string
	sign  string       // before the title
	role  symbols.Role // role of the sign
	text  string
	quiet string // muted text below
}

// laid is the last layout of a tab.
type laid struct {
	tab   Tab
	width int
	rows  []string
}

// Profile sets the profile of an agent and, unless nil, its calls. It ignores
// an agent that is no longer shown. Foreign text enters the screen here, so it
// is cleaned here.
func (r *Model) Profile(p api.Profile, calls *Calls) {
	if p.Agent != r.subject.Row.ID {
		return
	}
	was := r.profile
	r.profile = profile{
		fresh: !r.before(&p), prompt: sanitize.Text(p.System), blocks: r.blocks(&p), contacts: r.contacts(p.Contacts), tools: r.tools(p.Tools),
		graph: was.graph, run: was.run, called: calls != nil, calls: was.calls, // kept until replaced
	}
	// A profile with another graph is newer than the row: both are read again after
	// the row with that graph.
	if p.Graph == r.subject.Row.Walk.Graph {
		r.profile.graph, r.profile.run = r.subject.Graph, p.Run
		if g := r.subject.Graph; g != nil && p.Run != nil && p.Run.Attach(g) != nil {
			r.profile.run = nil
		}
	}
	if calls != nil {
		r.profile.calls = slices.Concat(r.kept(calls), r.called(calls))
	}
}

// Fail reports why a profile or calls could not be read. The old ones stay.
// Wants asks again when they may have changed or another tab is shown.
func (r *Model) Fail(agent society.AgentID, reason string) {
	if agent == r.subject.Row.ID {
		p := &r.profile
		p.fresh, p.called, p.failed, p.laid = true, true, reason, laid{}
	}
}

// before reports whether a profile is older than the current row.
func (r *Model) before(p *api.Profile) bool {
	w := &r.subject.Row.Walk
	switch {
	case p.Graph != w.Graph || p.Run == nil:
		return false
	case w.Doing == 0:
		return !p.Run.Status.Over()
	}
	return !p.Run.Status.Over() && len(p.Run.Path) < w.Ended
}

// Outdated notes that the profile may have changed, so that Wants asks again.
// The old one stays visible until then.
func (r *Model) Outdated() { r.profile.fresh, r.profile.called = false, false }

func (r *Model) blocks(p *api.Profile) []block {
	var blocks []block
	add := func(title, text string) {
		if text != "" {
			blocks = append(blocks, block{title: title, text: sanitize.Text(text)})
		}
	}
	if len(p.Todo) > 0 {
		blocks = append(blocks, r.todo(p.Todo))
	}
	if b := p.Brief; b != nil {
		add(r.text(textObjective), b.Objective)
		add(r.text(textConstraints), list(b.Constraints))
		add(r.text(textInputs), b.Inputs)
		add(r.text(textOutputs), b.Outputs)
		add(r.text(textCriteria), b.CompletionCriteria)
		var with []string
		for _, c := range b.Collaborators {
			with = append(with, strings.TrimSpace(c.AgentID+" "+c.Role+"  "+c.Description))
		}
		add(r.text(textCollaborators), list(with))
		add(r.text(textReferences), list(b.References))
		add(r.text(textPriority), b.Priority)
	} else {
		add("", r.text(textNoBrief))
	}
	return blocks
}

// todo lists what the agent has to do by its own account.
func (r *Model) todo(items []todo.Item) block {
	done, all := todo.Count(items)
	lines := make([]string, len(items))
	for i, item := range items {
		mark := r.sign("○", "o")
		switch item.Status {
		case todo.Done:
			mark = r.sign("✓", "+")
		case todo.InProgress:
			mark = r.sign("▸", ">")
		case todo.Pending:
		}
		lines[i] = mark + " " + sanitize.Line(item.Text, todoCells)
	}
	return block{title: r.text(textTodo, done, all), text: strings.Join(lines, "\n")}
}

// todoCells is the longest item that is shown.
const todoCells = 400

// contacts lists the agent's contacts: how it came to know each, through whom,
// since when and what for.
func (r *Model) contacts(known []protocol.Contact) []block {
	if len(known) == 0 {
		return []block{{text: r.text(textNoContacts)}}
	}
	blocks := make([]block, len(known))
	for i, c := range known {
		b := &blocks[i]
		b.title = r.subject.names(society.AgentID(c.ID))
		isUser := c.ID == string(society.User)
		if !isUser && !strings.Contains(b.title, c.ID) { // models address it by id
			b.title += " " + c.ID
		}
		if !isUser && c.Role != "" && c.Role != b.title {
			b.title += r.text(symbols.TextAside, c.Role)
		}
		b.title = sanitize.Line(b.title, questionCells)
		b.text = r.source(&c)
		if !c.AddedAt.IsZero() {
			b.text += r.text(symbols.TextComma) + r.when(c.AddedAt)
		}
		b.text = sanitize.Text(b.text)
		b.quiet = sanitize.Text(r.about(&c))
	}
	return blocks
}

// about returns what a contact is for and how to work with it, and below that
// the introducer's text.
func (r *Model) about(c *protocol.Contact) string {
	var lines []string
	if c.Description != "" {
		lines = append(lines, c.Description)
	}
	outline := func(name string, v any) {
		if raw, err := json.Marshal(v); err == nil && string(raw) != "null" {
			lines = append(lines, conversation.Member{Name: name, Value: raw}.Outline())
		}
	}
	outline(r.text(textInterface), c.InterfaceSpec)
	outline(r.text(textIntroducerSays), c.Said)
	return strings.Join(lines, "\n")
}

// tools lists what each tool does, and whether it changes something.
func (r *Model) tools(given []api.Tool) []block {
	if len(given) == 0 {
		return []block{{title: r.text(textMayUse, 0), text: r.text(textNoTools)}}
	}
	blocks := []block{{title: r.text(textMayUse, len(given))}}
	for _, t := range given {
		b := block{title: sanitize.Line(t.Name, questionCells), sign: r.sign("○", "-"), role: symbols.RoleSubtle, text: r.text(textOnlyReads), quiet: sanitize.Text(t.Purpose)}
		switch {
		case t.Final:
			b.sign, b.role, b.text = r.sign("◆", "!"), symbols.RoleDanger, r.text(textCommits)
		case t.Writes:
			b.sign, b.role, b.text = r.sign("●", "w"), symbols.RoleWarning, r.text(textWrites)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func (r *Model) sign(sign, letter string) string {
	if r.set.ASCII {
		return letter
	}
	return sign
}

// source returns how a contact became known.
func (r *Model) source(c *protocol.Contact) string {
	switch c.Source {
	case protocol.Parent:
		return r.text(textAbove)
	case protocol.Child:
		return r.text(textBelow)
	case protocol.Preset:
		return r.text(textInBrief)
	case protocol.Introduction:
		return r.text(textIntroduced, r.subject.names(society.AgentID(c.IntroducedBy)))
	case protocol.FirstMessage:
		return r.text(textWroteFirst)
	case protocol.System:
		return r.text(textFromBeginning)
	}
	return string(c.Source) // a store of a newer version
}

// when formats a time, with the date if it is not today.
func (r *Model) when(at time.Time) string {
	at = at.In(r.now.Location())
	if at.Format(time.DateOnly) == r.now.Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}

// itemOf splits the sign off a line of a list or of a result.
func itemOf(line string) (sign, rest string) {
	for _, sign := range []string{"- ", "→ ", "-> "} {
		if rest, ok := strings.CutPrefix(line, sign); ok {
			return sign, rest
		}
	}
	return "", line
}

// blocksOf returns the blocks of a tab that has some.
func (r *Model) blocksOf(tab Tab) []block {
	p := &r.profile
	switch tab {
	case Contacts:
		return p.contacts
	case Tools:
		return slices.Concat(r.processes(), p.calls, p.tools)
	}
	return p.blocks
}

// processes lists the background processes.
func (r *Model) processes() []block {
	all := r.subject.Row.Processes
	if len(all) == 0 {
		return nil
	}
	blocks := []block{{title: r.text(textProcesses, len(all)), quiet: r.text(textProcessesHint)}}
	for _, p := range all {
		b := block{title: p.ID, text: p.Command, quiet: r.text(textProcessSince, r.clock(p.Since))}
		b.sign, b.role = r.sign("◇", "t"), symbols.RoleInfo
		if p.Outside {
			b.role, b.quiet = symbols.RoleWarning, b.quiet+"  "+r.text(textProcessOutside)
		}
		blocks = append(blocks, b)
	}
	return blocks
}

func list(items []string) string {
	if len(items) == 0 {
		return ""
	}
	return "- " + strings.Join(items, "\n- ")
}

// lay wraps the current tab to width, once.
func (p *profile) lay(r *Model, width int) []string {
	if p.laid.rows != nil && p.laid.tab == r.tab && p.laid.width == width {
		return p.laid.rows
	}
	var rows []string
	put := func(style themes.Pen, text string, left int) {
		for said := range strings.SplitSeq(text, "\n") {
			sign, inside := itemOf(said)
			hang := r.set.Width(sign)
			room := max(width-left-hang-1, 1)
			for i, line := range r.set.Wrap(inside, room) {
				if i > 0 {
					sign = cells.Blank(hang) // below the text of its item
				}
				rows = append(rows, r.set.Fit(cells.Blank(left)+style.Draw(sign+r.set.Fit(line, room, r.set.Tail())), width, ""))
			}
		}
	}
	if id := r.subject.Row.ID; id != "" { // the agent's name, as on the first tab
		rows = append(rows, r.row(width).upto(indent).add(r.styles.strong, r.subject.names(id), 0).String(), cells.Blank(width))
	}
	if p.failed != "" {
		put(r.styles.kinds[symbols.RoleDanger], r.text(textFailed)+p.failed, indent)
		rows = append(rows, cells.Blank(width))
	}
	switch {
	case p.failed != "" && (p.blocks == nil || r.tab == Tools && p.calls == nil):
	case p.blocks == nil, r.tab == Tools && p.calls == nil:
		put(r.styles.subtle, r.text(textLoading), indent)
		return rows // not cached: the profile is about to arrive
	case r.tab == Graph:
		a := &r.subject.Row
		rows = append(rows, r.graph.Rows(graphview.Subject{
			Graph: p.graph, Run: p.run, Held: !a.State.Active(), Zone: r.now.Location(),
		}, width)...)
	case r.tab == Prompt:
		put(r.styles.text, p.prompt, indent)
	default:
		for i, b := range r.blocksOf(r.tab) {
			if i > 0 {
				rows = append(rows, cells.Blank(width))
			}
			switch {
			case b.sign != "":
				rows = append(rows, r.row(width).upto(indent).add(r.styles.kinds[b.role], b.sign, 0).add(r.styles.strong, " "+b.title, 0).String())
			case b.title != "":
				put(r.styles.heading, b.title, indent)
			}
			left := 2 * indent
			if b.sign != "" {
				left++
			}
			if b.text != "" {
				put(r.styles.text, b.text, left)
			}
			if b.quiet != "" {
				put(r.styles.muted, b.quiet, left)
			}
		}
	}
	p.laid = laid{r.tab, width, rows}
	return rows
}
