package plain

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/width"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// sayAsked tells that a call needs the user's yes, and how to answer.
func (f *frontend) sayAsked(w *api.Approval) {
	f.say(f.printer.T(textAsksTo, f.replica.Name(w.Agent), symbols.AsksTo(f.printer, replica.Wanted(w)), w.ID) + f.printer.T(textEnd))
}

// approvals lists the calls that wait, or shows the one of a number.
func (f *frontend) approvals(in command.Input) {
	if id, err := strconv.ParseUint(strings.Trim(in.Text, "# "), 10, 64); err == nil {
		f.showApproval(id)
		return
	}
	waiting := f.replica.Approvals()
	if len(waiting) == 0 {
		f.say(f.printer.T(textAsksNobody) + f.printer.T(textEnd))
	}
	for i := range waiting {
		f.sayAsked(&waiting[i])
	}
}

// showApproval prints a request with all of what it would do, and the rules that
// would answer it.
func (f *frontend) showApproval(id uint64) {
	f.work(func(ctx context.Context) func() {
		w, err := f.cfg.Society.Approval(ctx, id)
		return func() {
			known, waits := f.replica.Approval(id)
			switch {
			case !waits:
				f.say(f.printer.T(textAsksGone, id) + f.printer.T(textEnd))
				return
			case err != nil:
				f.notify(f.actions.NoticeFor(err))
				return
			}
			known.Preview = w.Preview
			for _, part := range f.actions.Asked(&known) {
				f.say(part[0] + f.printer.T(symbols.TextColon) + part[1])
			}
			f.say(sanitize.Visible(strings.TrimRight(known.Preview, "\n")))
			for _, o := range f.actions.RuleOffers([]api.Approval{known}) {
				word := "society"
				switch {
				case o.Rule.Agent != "":
					word = "agent"
				case o.Rule.Role != "":
					word = "role"
				case o.Rule.Under != "":
					word = "subtree"
				}
				if len(o.Rule.Words) > 0 && !o.Rule.Exact {
					word += " prefix"
				}
				f.say(f.printer.T(textRuleWord, word, id, f.actions.Describe(&o)))
			}
			f.sayAsked(&known)
		}
	})
}

// mode sets a mode, or tells those that are set.
func (f *frontend) mode(in command.Input) {
	if len(in.Words) > 0 || in.Text != "" {
		f.act(f.env().SetMode(in))
		return
	}
	f.work(func(ctx context.Context) func() {
		p, err := f.cfg.Society.Policy(ctx)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			said := f.printer.T(textModeNow, f.actions.ModeName(p.Mode), f.actions.ModeMeaning(p.Mode))
			if from := f.actions.ModeSource(p.From); from != "" {
				said += f.printer.T(symbols.TextAside, from)
			}
			f.say(said + f.printer.T(textEnd))
			for _, m := range p.Modes {
				if m.Of != (society.ModeScope{}) {
					f.say(f.printer.T(textModeOf, f.actions.ModeScope(m.Of), f.actions.ModeName(m.Mode)) + f.printer.T(textEnd))
				}
			}
		}
	})
}

// workspace tells where agents work on files.
func (f *frontend) workspace() {
	_, lines := f.actions.WorkspaceReport()
	for _, line := range lines {
		f.say(line)
	}
}

// askFolder asks what agents may do in a new folder. Until it is answered they ask before
// each change, and the next start asks again.
func (f *frontend) askFolder() {
	folder := f.cfg.NewFolder
	if folder.Dir == "" {
		return
	}
	title, body := f.actions.FolderQuestion(folder)
	f.say(title + " " + body)
	modes := action.FolderModes()
	for i, m := range modes {
		label, meaning := f.actions.FolderAnswer(m)
		f.say(f.printer.T(textFolderChoice, i+1, label, meaning))
	}
	f.say(f.printer.T(textFolderNumber, len(modes)))
	f.asks = &question{mayStay: true, answer: func(line string) {
		line = width.Fold.String(line)
		n, err := strconv.Atoi(line)
		if at := slices.Index(modes, approval.Mode(strings.ToLower(line))); at >= 0 {
			n, err = at+1, nil
		}
		switch {
		case err == nil && n >= 1 && n <= len(modes):
			o := f.actions.AllowInFolder(folder, modes[n-1])
			f.run(&o)
			return
		case err == nil, line == "":
			f.askFolder()
			return
		}
		f.say(f.printer.T(textFolderLater))
		if !f.registry.IsCommand(line) { // which is run
			f.written(line)
		}
	}}
}
