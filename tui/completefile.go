package tui

import (
	"context"
	"slices"
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/attachment"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// foundFiles are the files that the recipient's workspace was last asked for.
type foundFiles struct {
	in      society.AgentID
	like    string
	found   []api.File
	known   bool // found is the answer for like
	reading bool
	told    bool // the user was told that there are no files in it
}

// namesFile reports whether an @ at the cursor names a file: anywhere but at the start of the
// draft, where it names a recipient if one is called so, and in a command.
func (a *app) namesFile() bool {
	mention := a.composer.Mention()
	switch line := a.line(); {
	case mention == "":
		return false
	case line == mention:
		return len(a.recipients(strings.TrimPrefix(line, "@"))) == 0
	default:
		return !action.IsCommand(line) || len(a.slashCandidates(line)) == 0
	}
}

// mayNameFile reports whether files complete the draft, alone or after recipients.
func (a *app) mayNameFile() bool {
	mention := a.composer.Mention()
	return mention != "" && mention == a.composer.Line() || a.namesFile()
}

// wantedFiles returns a part of the path of the file that is being named.
func wantedFiles(mention string) string {
	return strings.TrimPrefix(strings.TrimPrefix(mention, "@"), `"`)
}

// findFiles asks for the files that complete the name at the cursor, one request at a time.
func (a *app) findFiles() tea.Cmd {
	f, to := &a.composing.files, a.recipient()
	if a.composing.completion.shut || !a.mayNameFile() {
		f.known = false // so that new files are found the next time
		return nil
	}
	like := wantedFiles(a.completed())
	if a.composing.completion.stem != "" {
		like = wantedFiles(a.composing.completion.stem)
	}
	if f.reading || f.known && f.like == like && f.in == to {
		return nil
	}
	if f.in != to {
		f.found = nil
	}
	f.reading = true
	type files struct {
		found []api.File
		none  bool // there is no other file either
	}
	told := f.told && f.in == to
	return page.Later(a.deps.Screen, func(ctx context.Context) files {
		found, err := a.society.FindFiles(ctx, to, like)
		if err != nil || len(found) > 0 || told {
			return files{found: found} // after an error the next key asks again
		}
		all, err := a.society.FindFiles(ctx, to, "")
		return files{none: err == nil && len(all) == 0}
	}, func(got files) tea.Cmd {
		*f = foundFiles{in: to, like: like, found: got.found, known: true, told: told || got.none}
		if !got.none {
			return nil
		}
		return a.mention(action.Notice{Text: a.text(attachment.TextNoFolder), Hint: a.text(attachment.HintShare)})
	})
}

// fileCandidates returns the files that complete a name, as far as they are known.
func (a *app) fileCandidates(mention string) (list []candidate) {
	like := strings.ToLower(wantedFiles(mention))
	for _, f := range a.composing.files.found {
		if strings.Contains(strings.ToLower(f.Path), like) && canBeNamed(f.Path) {
			list = append(list, candidate{text: mentionOf(f.Path), help: symbols.Bytes(int(f.Size)), then: " "})
		}
	}
	return list
}

// canBeNamed reports whether a path can be written into a text, and read by its user.
func canBeNamed(path string) bool {
	return !strings.Contains(path, `"`) && sanitize.Line(path, 4096) == path
}

// mentionOf names a file in a text.
func mentionOf(path string) string {
	if strings.ContainsFunc(path, unicode.IsSpace) {
		return `@"` + path + `"`
	}
	return "@" + path
}

// slashCandidates are the completions of a written command.
func (a *app) slashCandidates(line string) []candidate {
	name, rest, _ := strings.Cut(line, " ")
	c := a.registry.Slash(name)
	if c == nil {
		return nil
	}
	var list []candidate
	for _, f := range c.Complete(rest) {
		list = append(list, candidate{text: f.Text})
	}
	return slices.Clip(list)
}
