package action

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// RequestGroups returns all calls that wait, those of one tool together that are about the
// same: commands of the same first words, one host, one server, files of one folder. The first
// asked is the first.
func (b *Builder) RequestGroups() (groups [][]api.Approval) {
	at := make(map[[2]string]int)
	for _, w := range b.Society.Approvals() {
		key := [2]string{w.Request.Tool, aboutOf(&w)}
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], w)
	}
	return groups
}

// aboutOf returns what a call is about, as calls are grouped by it.
func aboutOf(w *api.Approval) string {
	switch target := &w.Request.Target; {
	case target.Command != nil:
		return fmt.Sprintf("%t %q", target.Outside, firstWords(w))
	case target.Host != "":
		return target.Host
	case target.Server != "":
		return target.Server
	}
	return folderOf(*w)
}

// firstWords returns the first two words of a command, fewer if it has not as many or could
// not be read.
func firstWords(w *api.Approval) []string {
	c := w.Request.Target.Command
	if c == nil || len(c.Calls) == 0 {
		return nil
	}
	return c.Calls[0][:min(2, len(c.Calls[0]))]
}

// folderOf returns the folder of all paths of requests, "./" for that of the
// workspace, "" without paths.
func folderOf(requests ...api.Approval) string {
	folder, found := "", false
	for i := range requests {
		for _, p := range requests[i].Request.Paths {
			dir := path.Dir(p.Name)
			if !found {
				folder, found = dir, true
			}
			for folder != "." && dir != folder && !strings.HasPrefix(dir, folder+"/") {
				folder = path.Dir(folder)
			}
		}
	}
	if !found {
		return ""
	}
	return folder + "/"
}

// Title describes requests of one group in one line: "9 agents: edit src/", "9 agents: go test".
func (b *Builder) Title(requests []api.Approval) string {
	asked, first := requests[0].Request.Tool, &requests[0]
	if words := firstWords(first); len(words) > 0 {
		asked = oneLine(strings.Join(words, " "))
	} else if host := first.Request.Target.Host; host != "" {
		asked += " " + oneLine(host)
	} else if folder := folderOf(requests...); folder != "" {
		asked += " " + sanitize.Line(sanitize.Visible(folder), nameCells)
	}
	if who := askers(requests); len(who) > 1 {
		return b.Printer.N(textAgentsWant, len(who), asked)
	}
	return b.text(textAgentWants, b.Society.Name(requests[0].Agent), asked)
}

// oneLine makes a foreign text safe to draw in one line, with all that is in it that fits.
func oneLine(text string) string {
	return sanitize.Line(strings.ReplaceAll(sanitize.Visible(text), "\n", `\n`), targetCells)
}

// targetCells bounds what a line shows of the words of a command, and of the name of a host.
const targetCells = 200

// askers returns the agents of requests, each once.
func askers(requests []api.Approval) (ids []society.AgentID) {
	for i := range requests {
		if id := requests[i].Agent; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// WhyAsked explains why a call needs the user's yes.
func (b *Builder) WhyAsked(w *api.Approval) string {
	switch {
	case w.Protected:
		return b.text(textAsksProtected)
	case w.Rule != "":
		return b.text(textAsksByRule, w.Rule)
	case w.Request.Unread():
		return b.text(textAsksUnread)
	}
	meaning := b.ModeMeaning(w.Mode)
	switch w.Request.Class {
	case tool.ClassRun:
		meaning = b.text(textAsksRun)
	case tool.ClassNet:
		meaning = b.text(textAsksNet)
	case tool.ClassMCP:
		meaning = b.text(textAsksMCP)
	}
	name, _ := b.FolderAnswer(w.Mode) // as the user has chosen it
	return b.text(textAsksByMode, name, w.Mode, meaning)
}

// ModeName names a mode as the question about a folder does, with the id to write.
func (b *Builder) ModeName(m approval.Mode) string {
	name, _ := b.FolderAnswer(m)
	if m == approval.All {
		name = b.text(textAllLabel)
	}
	if name == "" {
		return string(m)
	}
	return name + b.text(symbols.TextAside, m)
}

// ModeMeaning says in one line what agents may do in a mode.
func (b *Builder) ModeMeaning(m approval.Mode) string { return b.text(modeMeanings[m]) }

// ModeSource returns the source of the mode of the society in words, or "" if it is unknown.
func (b *Builder) ModeSource(from approval.Source) string {
	if t, known := modeSources[from]; known {
		return b.text(t)
	}
	return ""
}

// Answer makes the action that answers requests.
func (b *Builder) Answer(answer society.AnswerApproval) Action {
	return newAction(b, Other, []society.AgentID{society.Root},
		func(society.AgentID) society.AnswerApproval { return answer },
		func(well []answered[society.ApprovalsAnswered]) Notice {
			return b.answered(&well[0].reply)
		})
}

// answered returns the notice about the answer to requests.
func (b *Builder) answered(reply *society.ApprovalsAnswered) Notice {
	var said []string
	for _, part := range []struct {
		text i18n.Plural
		n    int
	}{{textCallsAllowed, len(reply.Allowed)}, {textCallsDenied, len(reply.Denied)}, {textCallsGone, len(reply.Gone)}} {
		if part.n > 0 {
			said = append(said, b.Printer.N(part.text, part.n))
		}
	}
	if reply.Rule != 0 {
		form := textRuleMade
		if len(said) > 0 {
			form = textAlsoRuleMade
		}
		said = append(said, b.text(form, reply.Rule))
	}
	return Notice{Text: strings.Join(said, b.Dot)}
}

// SetMode makes the action that sets a mode; "" takes it away.
func (b *Builder) SetMode(of society.ModeScope, mode approval.Mode) Action {
	return newAction(b, Other, []society.AgentID{society.Root},
		func(society.AgentID) society.SetMode { return society.SetMode{Of: of, Mode: mode} },
		func(well []answered[society.ApprovalsAnswered]) Notice {
			said := Notice{Text: b.text(textModeSet, b.ModeScope(of), b.ModeName(mode), b.ModeMeaning(mode))}
			if mode == "" {
				said.Text = b.text(textModeUnset, b.ModeScope(of))
			}
			return said.And(b.answered(&well[0].reply), b.Dot)
		})
}

// ModeScope names what a mode is set for.
func (b *Builder) ModeScope(of society.ModeScope) string {
	switch {
	case of.Role != "":
		return b.text(textForRole, b.roleName(of.Role))
	case of.Agent != "":
		return b.text(textForSubtree, b.Society.Name(of.Agent))
	}
	return b.text(textForSociety)
}

// roleName returns the name of a role by an agent of it, or its id.
func (b *Builder) roleName(id society.RoleID) string {
	for _, agent := range b.Society.Subtree(society.Root) {
		if row, _ := b.Society.Row(agent); row.RoleID == id {
			return row.Role
		}
	}
	return sanitize.Line(string(id), nameCells)
}

// RoleNamed finds a role by its id or its name; some agent must have it.
func (b *Builder) RoleNamed(name string) (id society.RoleID, ok bool) {
	for _, agent := range b.Society.Subtree(society.Root) {
		if row, _ := b.Society.Row(agent); row.RoleID != "" && (string(row.RoleID) == name || strings.EqualFold(row.Role, name)) {
			return row.RoleID, true
		}
	}
	return "", false
}

// ApprovalEnded reports that a request was answered from elsewhere, or is not
// made any more.
func (b *Builder) ApprovalEnded(w *api.Approval) Notice {
	wanted := b.text(textAgentWants, b.Society.Name(w.Agent), replica.Wanted(w))
	end, known := b.Society.ApprovalEnd(w.ID)
	switch {
	case known && end.Outcome == society.Withdrawn:
		return Notice{Text: b.text(textEndedWithdrawn, wanted)}
	case known && end.Outcome == society.Denied:
		return Notice{Text: b.text(textEndedDenied, wanted)}
	}
	return Notice{Text: b.text(textEndedElsewhere, wanted)}
}

// shortCommand is how many lines of a command need no scrolling.
const shortCommand = 12

// Asked describes a request: labels and values, in the order of their weight.
// Values are clean.
func (b *Builder) Asked(w *api.Approval) (parts [][2]string) {
	add := func(label i18n.Text, value string) {
		if value != "" {
			parts = append(parts, [2]string{b.text(label), value})
		}
	}
	row, _ := b.Society.Row(w.Agent)
	who := b.Society.Name(w.Agent)
	if who == row.Role {
		who += b.text(symbols.TextAside, string(w.Agent))
	} else if row.Role != "" && (row.Name == "" || !strings.Contains(who, row.Role)) { // behind a given name it may stand
		who += b.text(symbols.TextAside, row.Role)
	}
	add(labelSize, b.LongCommand(w))
	add(labelWho, who)
	add(labelTask, row.Doing)
	if w.Request.Target.Command == nil { // which the preview shows whole
		add(labelWants, replica.Wanted(w))
	}
	for _, p := range w.Request.Paths {
		name := strings.ReplaceAll(sanitize.Visible(p.Name), "\n", `\n`)
		if p.Protected {
			name += " " + b.text(textProtectedPath)
		}
		add(labelPath, name)
	}
	target := &w.Request.Target
	if w.Request.Class == tool.ClassRun && (target.Outside || !strings.HasPrefix(w.Preview, "# ")) { // which says it
		add(labelRuns, b.text(map[bool]i18n.Text{true: textOutside, false: textInSandbox}[target.Outside]))
	}
	add(labelHost, oneLine(target.Host))
	add(labelServer, oneLine(target.Server))
	if w.Why != "" {
		add(labelSays, b.text(textAgentSays, strings.ReplaceAll(sanitize.Visible(w.Why), "\n", `\n`)))
	}
	add(labelWhy, b.WhyAsked(w))
	add(labelRule, b.whyNoRule(w))
	return parts
}

// LongCommand warns of a command that needs scrolling, or returns "".
func (b *Builder) LongCommand(w *api.Approval) string {
	lines := strings.Count(w.Preview, "\n") + 1
	if w.Request.Target.Command == nil || lines <= shortCommand {
		return ""
	}
	return b.Printer.N(textLines, lines)
}

// NothingAsked explains that no call waits, or returns "".
func (b *Builder) NothingAsked() string {
	if len(b.Society.Approvals()) > 0 {
		return ""
	}
	return b.text(textNothingAsked)
}

// AnswerNamed answers the requests of these numbers. Without numbers it is the
// only one of an agent, or the only one.
func (b *Builder) AnswerNamed(ids []uint64, open society.AgentID, answer func(ids []uint64) Action) Action {
	if why := b.NothingAsked(); why != "" {
		return Action{Refused: Notice{Warned, why, ""}}
	}
	if len(ids) == 0 {
		waiting := b.Society.Approvals()
		if own := b.Society.AskedBy(open); len(own) == 1 {
			waiting = own
		}
		if len(waiting) != 1 {
			return Action{Refused: Notice{Warned, b.text(textWhichRequest), b.text(textHintRequests)}}
		}
		ids = []uint64{waiting[0].ID}
	}
	return answer(ids)
}

// AnswerByRule answers requests by the first rule that fits: an exact one comes before one of
// the first words.
func (b *Builder) AnswerByRule(ids []uint64, fits func(*approval.Rule) bool) Action {
	var requests []api.Approval
	for _, id := range ids {
		if w, waits := b.Society.Approval(id); waits {
			requests = append(requests, w)
		}
	}
	for _, o := range b.RuleOffers(requests) {
		if fits(&o.Rule) {
			return b.Answer(society.AnswerApproval{IDs: ids, Answer: society.AnswerByRule, Rule: &o.Rule})
		}
	}
	return Action{Refused: Notice{Warned, b.text(textNoRuleAnswers), ""}}
}

// UnknownMode reports that a text is no mode.
func (b *Builder) UnknownMode(text string) Notice {
	return Notice{Warned, b.text(textNoMode, sanitize.Line(text, nameCells)), b.text(textHintModes)}
}

// UnknownRole reports that no agent has a role of that name.
func (b *Builder) UnknownRole(name string) Notice {
	if name == "" {
		return Notice{Warned, b.text(textWhichRole), b.text(textHintRoles)}
	}
	return Notice{Warned, b.text(textNoRole, sanitize.Line(name, nameCells)), ""}
}

// AllUnsure asks to write the mode all with a yes.
func (b *Builder) AllUnsure() Notice {
	return Notice{Warned, b.text(textAllSure), b.text(textHintAllSure)}
}
