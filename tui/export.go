package tui

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// What may stand before the file of an export.
const (
	exportBelow    = "subtree"
	exportMarkdown = "md"
	exportJSON     = "json"
)

// exported is what came of an export; text is how it was asked for.
type exported struct {
	written written
	asked   Export
	got     Exported
	err     error
}

// exportWords are those that can follow the ones that are written, all of which end
// with a space.
func exportWords(written string) []string {
	switch strings.Join(strings.Fields(written), " ") {
	case "":
		return []string{exportBelow, exportMarkdown, exportJSON}
	case exportBelow:
		return []string{exportMarkdown, exportJSON}
	}
	return nil
}

// exportOf is what a person asks for, of an agent. Root and all below it is the whole
// society. A file says by its name what it is to hold where no word does.
func exportOf(agent society.AgentID, rest string) Export {
	e := Export{Agent: agent}
	below, file := cutWord(rest, exportBelow)
	as, file := cutWord(file, exportMarkdown, exportJSON)
	e.File, e.Below = file, below != ""
	e.JSON = as == exportJSON || as == "" && strings.EqualFold(filepath.Ext(file), ".json")
	if agent == society.Root && e.Below {
		e.Agent = ""
	}
	return e
}

// cutWord takes the first word off a text if it is one of these.
func cutWord(text string, of ...string) (word, rest string) {
	word, rest, _ = strings.Cut(text, " ")
	if !slices.Contains(of, word) {
		return "", text
	}
	return word, strings.TrimSpace(rest)
}

// slashExport writes what the agent at hand has said and was told to a new file, while
// the society goes on.
func (a *app) slashExport(w written) (tea.Cmd, bool) {
	n := a.words.notices
	if a.cfg.Export == nil {
		return a.warn(fmt.Sprintf(n.UnknownCommand, "/export"), n.HintCommands), false
	}
	asked := exportOf(a.receiver(), w.rest)
	if _, here := a.tree.Row(asked.Agent); !here && asked.Agent != "" {
		return a.warn(fmt.Sprintf(n.AlreadyGone, a.name(asked.Agent)), ""), false
	}
	writing := a.command(func(ctx context.Context) tea.Msg {
		got, err := a.cfg.Export(ctx, asked)
		return exported{w, asked, got, err}
	})
	return tea.Batch(a.tell(fmt.Sprintf(n.Exporting, a.exportName(asked)), ""), writing), true
}

// exportName is what is exported, in words.
func (a *app) exportName(e Export) string {
	switch {
	case e.Agent == "":
		return a.words.notices.TheSociety
	case e.Below:
		return fmt.Sprintf(a.words.notices.AndBelow, a.name(e.Agent))
	}
	return a.name(e.Agent)
}

// takeExport says what came of it. A command that failed is written again.
func (a *app) takeExport(m exported) tea.Cmd {
	n, file := a.words.notices, m.asked.File
	failed := func(why, what string, cells int) tea.Cmd {
		a.refuse(m.written.Submitted)
		return a.warn(fmt.Sprintf(why, sanitize.Line(what, cells)), "")
	}
	switch {
	case errors.Is(m.err, context.Canceled):
		return nil
	case errors.Is(m.err, fs.ErrExist):
		return failed(n.FileThere, file, nameCells)
	case errors.Is(m.err, fs.ErrNotExist):
		return failed(n.ExportNoFolder, filepath.Dir(file), nameCells)
	case m.err != nil:
		return failed(n.ExportFailed, reason(m.err), 300)
	}
	said := fmt.Sprintf(n.Exported, a.exportName(m.asked), m.got.Messages, sanitize.Line(m.got.File, 200))
	if a.unsaved != "" {
		return a.warn(said, n.HintFileOld)
	}
	return a.tell(said, "")
}
