// Package export writes conversations or a backup to files.
package export

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
)

// A Feature exports agents and makes backups while the society runs.
type Feature struct {
	*page.Deps
	write  func(ctx context.Context, what action.Export) (action.Exported, error)
	backup func(ctx context.Context, file string) (string, error)
}

// New returns the feature. Write and backup write a new file; an error that
// wraps fs.ErrExist means that the file exists. Either may be nil if it is not
// possible.
func New(deps *page.Deps, write func(ctx context.Context, what action.Export) (action.Exported, error), backup func(ctx context.Context, file string) (string, error)) *Feature {
	return &Feature{Deps: deps, write: write, backup: backup}
}

func (f *Feature) Commands() []*command.Command {
	exports, backs := command.Base("/export"), command.Base("/backup")
	exports.Blocked, exports.Run, exports.Args.Complete = f.noExport, f.runExport, f.complete
	backs.Blocked, backs.Run = func(int) string { return f.unless(f.backup != nil) }, f.runBackup
	choose := &command.Command{
		ID: "export", Group: exports.Group, Title: i18n.Text{EN: "Export…", ZH: "导出…"}, Also: exports.Also,
		Keys:    append(command.Keys(command.Tree, "e"), command.Keys(command.Conversation, "e")...),
		AnyPane: true, Blocked: f.noExport, Run: command.Run(func() tea.Cmd { return f.choose(f.Screen.AtHand()) }),
	}
	return []*command.Command{choose, exports, backs}
}

func (f *Feature) noExport(int) string { return f.unless(f.write != nil) }

func (f *Feature) unless(possible bool) string {
	if possible {
		return ""
	}
	return f.Text(page.TextNotHere)
}

// exported is the result of an export.
type exported struct {
	in    command.Input
	asked action.Export
	got   action.Exported
	err   error
}

// complete completes the last argument.
func (f *Feature) complete(text string) []command.Candidate {
	at := strings.LastIndex(text, " ") + 1
	means := map[string]string{action.ExportBelow: f.Text(textExportBelow), action.ExportMarkdown: f.Text(textExportMarkdown), action.ExportJSON: f.Text(textExportJSON)}
	found := command.Candidates(text[at:], nextWords(text[:at]), func(word string) string { return means[word] })
	for i := range found {
		found[i].Text = text[:at] + found[i].Text
	}
	return found
}

// nextWords returns the words that may follow the written ones, all of which
// end with a space.
func nextWords(written string) []string {
	switch strings.Join(strings.Fields(written), " ") {
	case "":
		return []string{action.ExportBelow, action.ExportMarkdown, action.ExportJSON}
	case action.ExportBelow:
		return []string{action.ExportMarkdown, action.ExportJSON}
	}
	return nil
}

const kind = "export"

// choose lists the ways to export an agent; the user's line is the whole
// society.
func (f *Feature) choose(id society.AgentID) tea.Cmd {
	if f.write == nil {
		return f.Warn(f.Text(page.TextNotHere), "")
	}
	if id == society.User {
		id = society.Root
	}
	type as struct{ word, name, says string }
	items := make([]list.Item, 0, 4)
	for _, below := range []bool{false, true} {
		for _, as := range []as{{action.ExportMarkdown, f.Text(textMarkdown), f.Text(textMarkdownIs)}, {action.ExportJSON, f.Text(textJSON), f.Text(textJSONIs)}} {
			item := list.Item{ID: as.word, Name: as.name, Text: as.says, Tag: string(id)}
			if below {
				item.ID, item.Name = action.ExportBelow+" "+as.word, f.Text(textWithSubtree, as.name)
			}
			items = append(items, item)
		}
	}
	if kids, _ := f.Replica.Below(id); kids == 0 {
		items = items[:2]
	}
	last := &items[len(items)-1]
	last.Text += f.Dot + f.Text(textExportFile)
	f.Screen.OpenList(page.List{Kind: kind, Take: f.exportMarked, Takes: f.Text(hintExport), Cancels: true}, f.Text(textExport, f.Replica.Name(id)), "", items)
	return nil
}

// exportMarked runs the selected export.
func (f *Feature) exportMarked() tea.Cmd {
	item, ok := f.Screen.List().Picked()
	if !ok {
		return nil
	}
	f.Screen.List().Close()
	return f.export(action.ExportOf(society.AgentID(item.Tag), item.ID), command.Input{})
}

// runExport exports the agent in focus.
func (f *Feature) runExport(in command.Input) tea.Cmd {
	if f.write == nil {
		in.Refuse()
		return f.Warn(f.Text(page.TextUnknownCommand, "/export"), f.Text(page.TextHintCommands))
	}
	return f.export(action.ExportOf(f.Screen.Recipient(), in.Text), in)
}

// export writes a file while the society runs. A failed command returns to the
// composer.
func (f *Feature) export(asked action.Export, in command.Input) tea.Cmd {
	if _, present := f.Replica.Row(asked.Agent); !present && asked.Agent != "" {
		in.Refuse()
		return f.Warn(f.Text(page.TextGone, f.Replica.Name(asked.Agent)), "")
	}
	writing := page.Later(f.Screen, func(ctx context.Context) exported {
		got, err := f.write(ctx, asked)
		return exported{in, asked, got, err}
	}, f.onExported)
	return tea.Batch(f.Screen.NotifyGoing(f.Text(textExporting, f.Actions.ExportName(asked))), writing)
}

// onExported reports the result. A failed command returns to the composer.
func (f *Feature) onExported(m exported) tea.Cmd {
	said, well := f.Actions.Exported(m.asked, m.got, m.err)
	if !well && !said.Empty() {
		m.in.Refuse()
	}
	return f.Screen.Notify(said)
}
