package plain

import (
	"context"
	"strings"
	"unicode/utf8"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// artifacts lists what agents have made, prints one of it, or exports it.
func (f *frontend) artifacts(in command.Input) {
	text, version, file := agentcommand.ArtifactOf(in.Text)
	f.work(func(ctx context.Context) func() {
		all, err := f.cfg.Society.Artifacts(ctx, "")
		return func() {
			a, ok := action.ArtifactNamed(all, text)
			switch {
			case err != nil:
				f.notify(f.actions.NoticeFor(err))
			case text == "" && file == "":
				f.listArtifacts(all)
			case !ok:
				f.notify(f.actions.UnknownArtifact(text))
			case file != "":
				f.act(f.actions.SaveArtifact(action.Save{Artifact: a.ID, Version: version, File: file}))
			default:
				f.printArtifact(a.ID, version)
			}
		}
	})
}

func (f *frontend) listArtifacts(all []society.Artifact) {
	if len(all) == 0 {
		f.say(f.printer.T(textNoArtifacts))
	}
	for i := range all {
		a := &all[i]
		f.say(sanitize.Line(a.Name, nameCells) + f.printer.T(symbols.TextColon) + f.actions.AboutArtifact(a) + f.printer.T(symbols.TextComma) + f.replica.Name(a.By) + f.printer.T(textEnd))
	}
}

// printArtifact prints a version of an artifact if it is text.
func (f *frontend) printArtifact(id society.ArtifactID, version int) {
	f.work(func(ctx context.Context) func() {
		content, err := f.cfg.Society.ArtifactContent(ctx, id, version)
		return func() {
			switch {
			case err != nil:
				f.notify(f.actions.NoticeFor(err))
			case !utf8.Valid(content):
				f.say(f.printer.T(textNoText, id))
			default:
				f.say(sanitize.Text(strings.TrimRight(string(content), "\n")))
			}
		}
	})
}
