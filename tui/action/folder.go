package action

import (
	"context"

	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// A NewFolder is the workspace if the user has not yet said what agents may do there.
type NewFolder struct {
	Dir string // "" if there is nothing to ask
	// Allow applies an answer and remembers it for the folder.
	Allow func(ctx context.Context, m approval.Mode) error
}

// A Workspace is where agents of a session work on files.
type Workspace struct {
	Dir string // "" if that is not known here
	// Own is set if Dir belongs to the session, with an empty folder for each task, and is none
	// of the user's.
	Own bool
}

// WorkspaceReport tells where agents work on files, and how that is changed. Both texts are
// clean.
func (b *Builder) WorkspaceReport() (title string, lines []string) {
	dir, where := sanitize.Line(sanitize.Visible(b.Workspace.Dir), pathCells), textWorkIn
	if b.Workspace.Own {
		where = textWorkInOwn
	}
	return b.text(textWorkspace), []string{b.text(where, dir), b.text(textWorkElsewhere)}
}

// FolderModes are the answers for a new folder, the one that holds without an answer first.
func FolderModes() []approval.Mode {
	return []approval.Mode{approval.AskFirst, approval.ReadOnly, approval.Edits}
}

// pathCells is where a path is cut.
const pathCells = 200

// FolderQuestion asks what agents may do in a new folder. Both texts are clean.
func (b *Builder) FolderQuestion(f NewFolder) (title, body string) {
	return b.text(textFolderTitle), b.text(textFolderBody, sanitize.Line(f.Dir, pathCells))
}

// FolderAnswer explains one of the FolderModes: a label for it, and its meaning.
func (b *Builder) FolderAnswer(m approval.Mode) (label, meaning string) {
	t := folderAnswers[m]
	return b.text(t.label), b.text(t.meaning)
}

// AllowInFolder makes the action that answers for a new folder.
func (b *Builder) AllowInFolder(f NewFolder, m approval.Mode) Action {
	return Action{
		Agents: []society.AgentID{society.Root},
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			err := f.Allow(ctx, m)
			return func() Outcome { return Outcome{id, err} }
		},
		Summarize: func([]Outcome) Notice {
			return Notice{Text: b.text(textFolderSet, sanitize.Line(f.Dir, pathCells), b.ModeMeaning(m)), Hint: b.text(textHintFolder)}
		},
		Explain: func(o Outcome) Notice {
			why := b.NoticeFor(o.Err)
			return Notice{Warned, b.text(textFolderFailed, why.Text), b.text(textHintFolder)}
		},
	}
}
