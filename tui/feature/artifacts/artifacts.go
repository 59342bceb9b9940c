// Package artifacts lists what agents have made and kept, shows it, and takes it out of
// the session.
package artifacts

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A Feature is the list of artifacts and what it opens.
type Feature struct {
	*page.Deps
	list *page.List
	all  []society.Artifact // as last read, the newest first
	// stale is set when the open list is to be read again.
	stale bool
}

// New returns the feature.
func New(deps *page.Deps) *Feature {
	f := &Feature{Deps: deps}
	f.list = deps.NewList(page.Choosing{
		Take: f.showMarked, Takes: page.TextOpenIt,
		Keys: map[string]func() tea.Cmd{"open_outside": f.openMarked, "export_artifact": f.exportMarked},
		More: func() []statusline.Hint {
			return []statusline.Hint{f.Hint("open_outside", hintOutside), f.Hint("export_artifact", hintExport)}
		},
	})
	return f
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	written := agentcommand.Env{Actions: f.Actions}.Artifacts()
	written.Run, written.Keys = f.run, command.Keys(command.Global, "alt+e")
	return append([]*command.Command{written}, command.Grouped(command.GroupTasks, []*command.Command{
		f.InList("open_outside", i18n.Text{EN: "Open an artifact in your pager or editor, or a request", ZH: "在分页器或编辑器中打开产出，或打开请求"}, i18n.Text{EN: "view less external", ZH: "查看 外部 阅读"}, "o"),
		f.InList("export_artifact", i18n.Text{EN: "Export artifact…", ZH: "导出产出…"}, i18n.Text{EN: "save download file", ZH: "保存 下载 文件"}, "x"),
	})...)
}

// Changed notes that an agent has kept something while the list is open.
func (f *Feature) Changed(c *api.Changes, _ replica.Applied) {
	if c.All || slices.ContainsFunc(c.Log, func(e api.TimelineEvent) bool { return e.Kind == "artifact" }) {
		f.stale = f.list.IsOpen()
	}
}

// Next renews the open list.
func (f *Feature) Next() tea.Cmd {
	if !f.stale {
		return nil
	}
	f.stale = false
	return f.read(func() tea.Cmd {
		if f.list.IsOpen() {
			f.list.Renew(f.items())
		}
		return nil
	})
}

// read reads the artifacts of all tasks.
func (f *Feature) read(then func() tea.Cmd) tea.Cmd {
	type found struct {
		all []society.Artifact
		err error
	}
	return page.Later(f.Screen, func(ctx context.Context) found {
		all, err := f.Society.Artifacts(ctx, "")
		return found{all, err}
	}, func(m found) tea.Cmd {
		if m.err != nil {
			return f.Explain(m.err)
		}
		slices.SortStableFunc(m.all, func(a, b society.Artifact) int { return b.At.Compare(a.At) })
		f.all = m.all
		return then()
	})
}

// run lists the artifacts, opens the one that is named, or exports it.
func (f *Feature) run(in command.Input) tea.Cmd {
	text, version, file := agentcommand.ArtifactOf(in.Text)
	return f.read(func() tea.Cmd {
		if text == "" && file == "" {
			f.list.Show(f.Text(textTitle), f.Text(textNone), f.items())
			return nil
		}
		a, ok := action.ArtifactNamed(f.all, text)
		switch {
		case !ok:
			in.Refuse()
			return f.Screen.Notify(f.Actions.UnknownArtifact(text))
		case file != "":
			return f.Screen.Act(f.Actions.SaveArtifact(action.Save{Artifact: a.ID, Version: version, File: file}))
		}
		return f.show(a.ID, version)
	})
}

func (f *Feature) items() []list.Item {
	items := make([]list.Item, len(f.all))
	for i := range f.all {
		a := &f.all[i]
		items[i] = list.Item{
			ID: string(a.ID), Name: sanitize.Line(a.Name, page.NameCells), Note: f.Actions.AboutArtifact(a),
			Text: f.Replica.Name(a.By) + f.Dot + page.Moment(f.Now(), a.At),
		}
	}
	return items
}

// marked returns the artifact under the cursor.
func (f *Feature) marked() (id society.ArtifactID, ok bool) {
	item, ok := f.list.Picked()
	return society.ArtifactID(item.ID), ok
}

func (f *Feature) showMarked() tea.Cmd {
	id, ok := f.marked()
	if !ok {
		return nil
	}
	return f.show(id, 0)
}

func (f *Feature) openMarked() tea.Cmd {
	id, ok := f.marked()
	if !ok {
		return nil
	}
	return f.content(id, 0, f.openOutside)
}

func (f *Feature) exportMarked() tea.Cmd {
	id, ok := f.marked()
	i := slices.IndexFunc(f.all, func(a society.Artifact) bool { return a.ID == id })
	if !ok || i < 0 {
		return nil
	}
	return f.askFile(&f.all[i], 0)
}

// opened is a version of an artifact with its content.
type opened struct {
	api.Artifact
	version int // 0 if the newest was asked for
	content []byte
}

// at returns the version that was read.
func (o *opened) at() api.Version {
	n := cmp.Or(o.version, len(o.Versions))
	if n < 1 || n > len(o.Versions) {
		return api.Version{N: n, Type: o.Type, Size: o.Size, By: o.By, At: o.Artifact.At}
	}
	return o.Versions[n-1]
}

// content reads a version of an artifact.
func (f *Feature) content(id society.ArtifactID, version int, then func(opened) tea.Cmd) tea.Cmd {
	type read struct {
		opened
		err error
	}
	return page.Later(f.Screen, func(ctx context.Context) read {
		r := read{opened: opened{version: version}}
		if r.Artifact, r.err = f.Society.Artifact(ctx, id); r.err == nil {
			r.opened.content, r.err = f.Society.ArtifactContent(ctx, id, version)
		}
		return r
	}, func(r read) tea.Cmd {
		if r.err != nil {
			return f.Explain(r.err)
		}
		return then(r.opened)
	})
}

// show opens a version of an artifact to read.
func (f *Feature) show(id society.ArtifactID, version int) tea.Cmd {
	return f.content(id, version, func(o opened) tea.Cmd { return f.Screen.Ask(f.question(o)) })
}

// question shows an artifact. Its versions are a key apart.
func (f *Feature) question(o opened) page.Question {
	at := o.at()
	choices := []page.Choice{
		{Label: f.Text(page.TextClose), Keys: []string{"q"}},
		{Label: f.Text(textOutside), Keys: []string{"o"}, Run: func() tea.Cmd { return f.openOutside(o) }},
		{Label: f.Text(textExport), Keys: []string{"x"}, Run: func() tea.Cmd { return f.askFile(&o.Artifact.Artifact, at.N) }},
	}
	if at.N > 1 {
		choices = append(choices, page.Choice{Label: f.Text(textEarlier), Keys: []string{"p"}, Run: func() tea.Cmd { return f.show(o.ID, at.N-1) }})
	}
	if at.N < len(o.Versions) {
		choices = append(choices, page.Choice{Label: f.Text(textLater), Keys: []string{"n"}, Run: func() tea.Cmd { return f.show(o.ID, at.N+1) }})
	}
	return page.Question{
		Kind: "artifact", Title: f.Text(textOne, sanitize.Line(o.Name, page.NameCells), at.N), Body: f.body(&o, at),
		Wide: true, Report: true, Choices: choices,
	}
}

// shownBytes is how much of an artifact is shown here.
const shownBytes = 256 << 10

// body describes a version and shows its text.
func (f *Feature) body(o *opened, at api.Version) []dialog.Line {
	about := strings.Join([]string{f.Replica.Name(at.By), page.Moment(f.Now(), at.At), symbols.Bytes(at.Size), action.TypeName(at.Type), "artifact:" + string(o.ID)}, f.Dot)
	body := []dialog.Line{{Tone: dialog.Quiet, Text: about}, {}}
	text := string(o.content)
	switch {
	case len(text) == 0:
		return append(body, dialog.Line{Text: f.Text(textEmpty)})
	case !utf8.ValidString(text), strings.IndexByte(text, 0) >= 0:
		return append(body, dialog.Line{Text: f.Text(textNotText)})
	case len(text) > shownBytes:
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: f.Text(textCut, symbols.Bytes(shownBytes), symbols.Bytes(len(text)))})
		text = strings.ToValidUTF8(text[:shownBytes], "")
	}
	return append(body, dialog.Diff(strings.TrimRight(sanitize.Text(text), "\n"))...)
}

// openOutside opens a version in a program of the user's.
func (f *Feature) openOutside(o opened) tea.Cmd {
	cmd, found := f.Screen.View(action.FileName(&o.Artifact.Artifact), o.content)
	if !found {
		return f.Warn(f.Text(textNoPager), "")
	}
	return cmd
}

// askFile exports a version, 0 for the newest.
func (f *Feature) askFile(a *society.Artifact, version int) tea.Cmd {
	id := a.ID
	return f.AskFile(page.Export{
		Title: f.Text(textExportTitle, sanitize.Line(a.Name, page.NameCells)), Body: f.Text(textExportBody), Name: action.FileName(a),
		Write: func(ctx context.Context, file string, replace bool) (string, error) {
			return f.Actions.WriteArtifact(ctx, action.Save{Artifact: id, Version: version, File: file, Replace: replace})
		},
	})
}

var (
	_ page.Watcher = (*Feature)(nil)
	_ page.Worker  = (*Feature)(nil)
)
