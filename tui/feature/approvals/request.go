package approvals

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// kind is that of all dialogs of requests.
const kind = "approval"

// taskKey allows the same calls again in their tasks.
const taskKey = "t"

// mostWhole is of how many requests a dialog shows what each would do.
const mostWhole = 20

// An opening is who lets the dialog of requests open. One that opens by itself takes no answer
// at first: the key may have been meant for what was there before.
type opening bool

const (
	byUser   opening = false
	byItself opening = true
)

// ask opens the dialog of requests of one tool. Their previews are read first
// where only the beginning is known; what opens after that counts as opened by itself.
func (f *Feature) ask(requests []api.Approval, by opening) tea.Cmd {
	switch {
	case len(requests) == 0:
		return f.Inform(f.Actions.NothingAsked(), "")
	case len(requests) > mostWhole:
		return f.openRequests(requests, f.rows(requests), by)
	}
	if !slices.ContainsFunc(requests, func(w api.Approval) bool { return w.Cut }) {
		return f.openRequests(requests, f.bodyOf(requests), by)
	}
	if f.reading {
		return f.Inform(f.Text(textReading), "")
	}
	f.reading = true
	return page.Later(f.Screen, func(ctx context.Context) []api.Approval {
		all := slices.Clone(requests)
		for i := range all {
			if all[i].Cut {
				if read, err := f.Society.Approval(ctx, all[i].ID); err == nil {
					all[i].Preview, all[i].Cut = read.Preview, read.Cut
				}
			}
		}
		return all
	}, func(all []api.Approval) tea.Cmd {
		f.reading = false
		if all = f.still(all); len(all) == 0 {
			return f.Screen.Notify(f.Actions.ApprovalEnded(&requests[0]))
		}
		return f.openRequests(all, f.bodyOf(all), byItself)
	})
}

// bodyOf describes requests, one below the other.
func (f *Feature) bodyOf(requests []api.Approval) (body []dialog.Line) {
	for i := range requests {
		if i > 0 {
			body = append(body, dialog.Line{})
		}
		body = append(body, f.about(&requests[i], len(requests) == 1)...)
	}
	if label, why := f.Actions.WhyNoRule(requests); why != "" {
		body = append(body, dialog.Line{}, dialog.Line{Key: label, Text: why})
	}
	return append(body, dialog.Line{}, dialog.Line{Key: taskKey, Tone: dialog.Quiet, Text: f.Text(textTask)})
}

// rows are requests in a row each.
func (f *Feature) rows(requests []api.Approval) (body []dialog.Line) {
	for i := range requests {
		body = append(body, f.heading(&requests[i]))
	}
	return body
}

func (f *Feature) heading(w *api.Approval) dialog.Line {
	return dialog.Line{Tone: dialog.Strong, Text: f.Replica.Name(w.Agent) + f.Text(symbols.TextColon) + replica.Wanted(w)}
}

// about describes a request: what it would do, and who asks for it and why. A command comes
// first, because a key allows it also where not all rows fit.
func (f *Feature) about(w *api.Approval, alone bool) (body []dialog.Line) {
	var parts []dialog.Line
	if alone {
		for _, part := range f.Actions.Asked(w) {
			parts = append(parts, dialog.Line{Key: part[0], Text: part[1]})
		}
		if w.Request.Target.Command != nil && w.Preview != "" {
			above := 0
			if f.Actions.LongCommand(w) != "" { // the first part, for its end is not in view
				above = 1
			}
			return slices.Concat(parts[:above], f.preview(w), []dialog.Line{{}}, parts[above:])
		}
		body = parts
	} else {
		body = append(body, f.heading(w))
		for _, p := range w.Request.Paths {
			body = append(body, dialog.Line{Tone: dialog.Quiet, Text: oneLine(p.Name)})
		}
	}
	if alone && w.Preview != "" {
		body = append(body, dialog.Line{})
	}
	return append(body, f.preview(w)...)
}

// preview shows what a request would do.
func (f *Feature) preview(w *api.Approval) (body []dialog.Line) {
	switch preview := sanitize.Visible(w.Preview); {
	case w.Request.Target.Command != nil: // exact, also where it looks like a diff
		for row := range strings.SplitSeq(preview, "\n") {
			body = append(body, dialog.Line{Text: row, Exact: true})
		}
	case strings.TrimSuffix(preview, "\n") != "":
		body = append(body, dialog.Diff(strings.TrimSuffix(preview, "\n"))...)
	}
	if w.Cut {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: f.Text(textCut)})
	}
	return body
}

// oneLine makes a path safe to draw in one line, with all that is in it.
func oneLine(path string) string {
	return strings.ReplaceAll(sanitize.Visible(path), "\n", `\n`)
}

// openRequests opens the dialog. It answers the requests that it shows, and
// closes when none of them waits any more.
func (f *Feature) openRequests(requests []api.Approval, body []dialog.Line, by opening) tea.Cmd {
	return f.Screen.Ask(f.question(requests, body, by))
}

func (f *Feature) question(requests []api.Approval, body []dialog.Line, by opening) page.Question {
	allow := func(how society.ApprovalAnswer) func() tea.Cmd {
		return func() tea.Cmd { return f.answer(requests, society.AnswerApproval{Answer: how}) }
	}
	again := func() tea.Cmd { return f.ask(f.still(requests), byUser) }
	q := page.Question{
		Kind: kind, Title: f.title(requests), Body: body, Wide: true, Unasked: bool(by), Report: true, Moves: true,
		Choices: []page.Choice{
			{Label: f.Text(textLater), Run: func() tea.Cmd { return f.Inform(f.Text(textStillWaits), f.Text(textHintShows)) }},
			{Label: f.Text(textOnce), Keys: []string{"o"}, Run: allow(society.AllowOnce)},
			{Label: f.Text(textInTask), Keys: []string{taskKey}, Run: allow(society.AllowInTask)},
			{Label: f.Text(textDeny), Keys: []string{"d"}, Grave: true, Run: func() tea.Cmd { return f.askReason(requests, again) }},
		},
	}
	if len(f.Actions.RuleOffers(requests)) > 0 {
		q.Choices = append(q.Choices, page.Choice{Label: f.Text(textRule), Keys: []string{"r"}, Run: func() tea.Cmd { return f.askRule(requests, again) }})
	}
	if groups := f.Actions.RequestGroups(); len(groups) > 1 || len(groups) == 1 && len(groups[0]) > 1 {
		q.Choices = append(q.Choices, page.Choice{Label: f.Text(textAll), Keys: []string{"l"}, Run: func() tea.Cmd { return f.show(by) }})
	}
	q.Again = func() (page.Question, bool) {
		now := f.still(requests)
		if len(now) == 0 {
			f.Screen.Notify(f.Actions.ApprovalEnded(&requests[0]))
			return page.Question{}, false
		}
		return f.question(now, body, by), true
	}
	return q
}

// title names what is asked.
func (f *Feature) title(requests []api.Approval) string {
	if len(requests) == 1 {
		w, title := &requests[0], textTitleOne
		switch w.Request.Class {
		case tool.ClassRun:
			return f.Text(textTitleRun, f.Replica.Name(w.Agent), w.ID)
		case tool.ClassMCP:
			title = textTitleUse
		}
		return f.Text(title, f.Replica.Name(w.Agent), w.Request.Tool, w.ID)
	}
	return f.Actions.Title(requests)
}

// closing closes a question about requests when none of them waits.
func (f *Feature) closing(requests []api.Approval, q page.Question) page.Question {
	q.Again = func() (page.Question, bool) {
		if len(f.still(requests)) == 0 {
			f.Screen.Notify(f.Actions.ApprovalEnded(&requests[0]))
			return page.Question{}, false
		}
		return q, true
	}
	return q
}

// askReason asks why calls are denied, for the model.
func (f *Feature) askReason(requests []api.Approval, back func() tea.Cmd) tea.Cmd {
	const longest = 500
	return f.Screen.Ask(f.closing(requests, page.Question{
		Kind: kind, Title: f.Printer.N(textDenyTitle, len(requests)), Body: dialog.Text(f.Text(textDenyBody)),
		Line: &dialog.Field{Label: f.Text(textReason), Most: longest},
		Choices: []page.Choice{
			{Label: f.Text(textBack), Run: back},
			{Label: f.Text(textDenyNow), Grave: true, Write: func(reason string) tea.Cmd {
				return f.answer(requests, society.AnswerApproval{Answer: society.DenyCall, Reason: reason})
			}},
		},
	}))
}
