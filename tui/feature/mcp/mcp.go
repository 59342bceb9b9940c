// Package mcp lists the MCP servers of the settings, shows how one is and what it offers, and
// starts, stops and restarts it.
package mcp

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
)

// A Feature is the list of servers and what it opens. It notifies the user when a server fails.
type Feature struct {
	*page.Deps
	list *page.List
	all  []api.Server // as last read
	news *action.ServerNews
	told action.Notice // the last news
	// stale is set while all is older than the society, renews while it is read because of
	// that.
	stale, renews bool
	shown         shown
}

// shown is the server that is shown in full.
type shown struct {
	name   string
	output string
	body   []dialog.Line // made when the server or the output has changed
}

// New returns the feature.
func New(deps *page.Deps) *Feature {
	f := &Feature{Deps: deps, news: action.NewServerNews()}
	f.list = deps.NewList(page.Choosing{
		Take: f.showMarked, Takes: page.TextOpenIt,
		Keys: map[string]func() tea.Cmd{startOrStop: f.startOrStopMarked, restart: f.restartMarked},
		More: f.hints,
	})
	return f
}

// hints are what the keys of the list do to the selected server.
func (f *Feature) hints() []statusline.Hint {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	does := hintStart
	if action.Switches(&s)[0] == api.StopServer {
		does = hintStop
	}
	return []statusline.Hint{f.Hint(startOrStop, does), f.Hint(restart, hintRestart)}
}

// The commands of the list.
const (
	startOrStop = "start_or_stop_server"
	restart     = "restart_server"
)

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	written := agentcommand.Env{Actions: f.Actions}.Servers()
	written.Run, written.Keys = f.run, command.Keys(command.Global, "alt+x")
	written.Args[0].Complete = f.complete
	written.Args[0].Load = func() tea.Cmd { return f.read(func() tea.Cmd { return nil }) }
	return append([]*command.Command{written}, command.Grouped(command.GroupAgents, []*command.Command{
		f.InList(startOrStop, titleStartOrStop, i18n.Text{EN: "enable disable run", ZH: "启用 停用 运行"}, "t"),
		f.InList(restart, titleRestart, i18n.Text{EN: "reload reconnect again", ZH: "重新启动 重连 重新加载"}, "R"),
	})...)
}

// complete completes the text of a written command with the names of servers, and what can
// be done to them.
func (f *Feature) complete(text string) (found []command.Candidate) {
	for i := range f.all {
		s := &f.all[i]
		if strings.HasPrefix(s.Name, text) {
			found = append(found, command.Candidate{Text: s.Name, Help: f.Actions.AboutServer(s)})
		}
		for _, to := range api.Switches() {
			if written := s.Name + " " + string(to); strings.HasPrefix(text, s.Name+" ") && strings.HasPrefix(written, text) {
				found = append(found, command.Candidate{Text: written})
			}
		}
	}
	return found
}

// Changed notes that a server has changed, which Next reads.
func (f *Feature) Changed(_ *api.Changes, did replica.Applied) { f.stale = f.stale || did.Servers }

// Next reads the servers when one has changed, renews what is shown of them, and tells of
// those that have failed. Of changes during that it reads the last alone: each call of a tool
// is one. What cannot be read is read with the next change.
func (f *Feature) Next() tea.Cmd {
	if !f.stale || f.renews {
		return nil
	}
	f.stale, f.renews = false, true
	return f.load(func(err error) tea.Cmd {
		if f.renews = false; err != nil {
			return nil
		}
		var cmds []tea.Cmd
		if said := f.news.Of(f.Actions, f.all); !said.Empty() { // an empty one ends what is in progress
			f.told = said
			cmds = append(cmds, f.Screen.Notify(said))
		}
		if f.list.IsOpen() {
			f.list.Renew(f.items())
		}
		if f.shown.name != "" {
			cmds = append(cmds, f.readOutput(f.shown.name, func() tea.Cmd {
				f.Screen.Renew()
				return nil
			}))
		}
		return tea.Batch(cmds...)
	})
}

// run lists the servers, shows the one that is named, or does to it what is written.
func (f *Feature) run(in command.Input) tea.Cmd {
	name, to, known := action.ServerOf(in.Text)
	if !known {
		in.Refuse()
		return f.Screen.Notify(f.Actions.WhichSwitch())
	}
	return f.read(func() tea.Cmd {
		if name == "" {
			f.list.Show(f.Text(textTitle), f.Text(textNone), f.items())
			return nil
		}
		s, ok := f.Actions.ServerNamed(f.all, name)
		switch {
		case !ok:
			in.Refuse()
			return f.Screen.Notify(f.Actions.UnknownServer(name))
		case to != "":
			return f.switchServer(&s, to)
		}
		return f.show(name)
	})
}

// read reads the servers, or explains why it cannot.
func (f *Feature) read(then func() tea.Cmd) tea.Cmd {
	return f.load(func(err error) tea.Cmd {
		if err != nil {
			return f.Explain(err)
		}
		return then()
	})
}

func (f *Feature) load(then func(error) tea.Cmd) tea.Cmd {
	type found struct {
		all []api.Server
		err error
	}
	return page.Later(f.Screen, func(ctx context.Context) found {
		all, err := f.Society.Servers(ctx)
		return found{all, err}
	}, func(m found) tea.Cmd {
		if m.err == nil {
			f.all, f.shown.body = m.all, nil
		}
		return then(m.err)
	})
}

func (f *Feature) items() []list.Item {
	items := make([]list.Item, len(f.all))
	for i := range f.all {
		items[i] = f.item(&f.all[i])
	}
	return items
}

// item shows how a server is, and why it is not ready or else how it is started.
func (f *Feature) item(s *api.Server) list.Item {
	item := list.Item{ID: s.Name, Name: sanitize.Line(s.Name, page.NameCells), Note: f.Actions.AboutServer(s), Text: f.Actions.ServerProblem(s)}
	item.Bad = s.State == api.ServerFailed || s.State == api.ServerWaiting
	if item.Text == "" {
		item.Text = sanitize.Line(f.Actions.ServerCommand(s), page.TextCells)
	}
	return item
}

// Items reads the servers for a list of another feature.
func (f *Feature) Items(ctx context.Context) ([]list.Item, error) {
	all, err := f.Society.Servers(ctx)
	items := make([]list.Item, len(all))
	for i := range all {
		items[i] = f.item(&all[i])
	}
	return items, err
}

// marked returns the selected server.
func (f *Feature) marked() (s api.Server, ok bool) {
	item, ok := f.list.Picked()
	if !ok {
		return s, false
	}
	return f.Actions.ServerNamed(f.all, item.ID)
}

func (f *Feature) showMarked() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	return f.show(s.Name)
}

func (f *Feature) startOrStopMarked() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	return f.switchServer(&s, action.Switches(&s)[0])
}

func (f *Feature) restartMarked() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	return f.switchServer(&s, api.RestartServer)
}

// switchServer starts, stops or restarts a server, after a question while calls of its tools
// are running.
func (f *Feature) switchServer(s *api.Server, to api.ServerSwitch) tea.Cmd {
	act := func() tea.Cmd {
		o := f.Actions.SwitchServer(s, to)
		if o.Refused.Empty() {
			f.news.Await(s.Name)
			begun := o.Summarize
			o.Summarize = func(well []action.Outcome) action.Notice {
				if !f.news.Awaits(s.Name) {
					return f.told // how it ended came before the reply
				}
				return begun(well)
			}
		}
		return f.Screen.Act(o)
	}
	title, body, yes, asks := f.Actions.SwitchQuestion(s, to)
	if !asks || !f.Actions.LookOnly().Empty() {
		return act()
	}
	return f.Screen.Ask(page.Question{
		Kind: "switch", Title: title, Body: dialog.Text(body),
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: yes, Keys: []string{"y"}, Grave: true, Run: act}},
	})
}

// Open reads the servers, and shows one in full.
func (f *Feature) Open(name string) tea.Cmd {
	return f.read(func() tea.Cmd { return f.show(name) })
}

// show shows a server in full. What is shown changes as the server does.
func (f *Feature) show(name string) tea.Cmd {
	return f.readOutput(name, func() tea.Cmd {
		f.shown.name = name
		q, ok := f.report()
		if !ok {
			return nil
		}
		q.Again = f.report
		return f.Screen.Ask(q)
	})
}

// readOutput reads what a server has written to its standard error.
func (f *Feature) readOutput(name string, then func() tea.Cmd) tea.Cmd {
	type found struct {
		output string
		err    error
	}
	return page.Later(f.Screen, func(ctx context.Context) found {
		output, err := f.Society.ServerOutput(ctx, name)
		return found{output, err}
	}, func(m found) tea.Cmd {
		if m.err != nil {
			return f.Explain(m.err)
		}
		f.shown.output, f.shown.body = m.output, nil
		return then()
	})
}

// report returns the dialog about the server that is shown.
func (f *Feature) report() (page.Question, bool) {
	s, ok := f.Actions.ServerNamed(f.all, f.shown.name)
	if !ok {
		f.shown = shown{}
		return page.Question{}, false
	}
	if f.shown.body == nil {
		f.shown.body = f.body(&s)
	}
	hide := func() tea.Cmd {
		f.shown = shown{}
		return nil
	}
	q := page.Question{
		Kind: "server", Title: f.Text(textOne, sanitize.Line(s.Name, page.NameCells)), Body: f.shown.body, Wide: true, Report: true,
		Choices: []page.Choice{{Label: f.Text(page.TextClose), Keys: []string{"q"}, Run: hide}},
	}
	if !f.Actions.LookOnly().Empty() {
		return q, true
	}
	for _, to := range action.Switches(&s) {
		key := "t"
		if to == api.RestartServer {
			key = "R"
		}
		q.Choices = append(q.Choices, page.Choice{Label: f.Text(action.SwitchTexts[to]), Keys: []string{key}, Run: func() tea.Cmd {
			hide()
			return f.switchServer(&s, to)
		}})
	}
	return q, true
}

// body describes a server: how it is, how it is started, what it offers, and what it wrote
// to its standard error.
func (f *Feature) body(s *api.Server) []dialog.Line {
	about := f.Actions.AboutServer(s)
	if !s.Since.IsZero() {
		about += f.Dot + f.Text(textSince, page.Moment(f.Now(), s.Since))
	}
	lines := []dialog.Line{{Tone: dialog.Strong, Text: about}}
	if why := f.Actions.ServerProblem(s); why != "" {
		lines = append(lines, dialog.Line{Tone: dialog.Danger, Text: f.Text(textProblem, why)})
	}
	lines = append(lines, dialog.Line{})
	how := textCommand
	if len(s.Command) == 0 {
		how = textAddress
	}
	lines = append(lines, dialog.Line{Text: f.Text(how, f.Actions.ServerCommand(s)), Exact: true})
	if len(s.Env) > 0 {
		lines = append(lines, dialog.Line{Text: f.Text(textEnv, sanitize.Line(f.Printer.List(s.Env), page.TextCells))})
	}
	if itself := strings.TrimSpace(s.Title + " " + s.Version); itself != "" {
		lines = append(lines, dialog.Line{Text: f.Text(textCalled, sanitize.Line(itself, page.TextCells))})
	}
	if s.Protocol != "" {
		lines = append(lines, dialog.Line{Text: f.Text(textProtocol, sanitize.Line(s.Protocol, page.NameCells))})
	}
	if s.Trusted {
		lines = append(lines, dialog.Line{Text: f.Text(textTrusted)})
	}
	who := f.Text(textForNobody, sanitize.Line(s.Group, page.NameCells))
	if len(s.Roles) > 0 {
		who = f.Text(textForRoles, sanitize.Line(f.Printer.List(s.Roles), page.TextCells))
	}
	lines = append(lines, dialog.Line{Text: who})
	return append(append(lines, f.toolLines(s)...), f.outputLines()...)
}

// toolLines lists the tools that agents are offered, and the others with the reason.
func (f *Feature) toolLines(s *api.Server) (lines []dialog.Line) {
	offered, left := action.ServerTools(s)
	if len(offered) > 0 {
		lines = append(lines, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: f.Text(textOffered, sanitize.Line(s.Group, page.NameCells))})
	}
	for _, t := range offered {
		purpose, _, _ := strings.Cut(strings.TrimSpace(t.Purpose), "\n")
		purpose = sanitize.Line(purpose, page.TextCells)
		if t.ReadOnly {
			purpose = f.Text(textReadOnly) + f.Dot + purpose
		}
		lines = append(lines, dialog.Line{Key: sanitize.Line(t.Name, page.NameCells), Text: purpose})
	}
	if len(left) > 0 {
		lines = append(lines, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: f.Text(textLeft)})
	}
	for i := range left {
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Key: sanitize.Line(left[i].Tool, page.NameCells), Text: f.Actions.ToolLeft(&left[i])})
	}
	return lines
}

// mostOutput is how many lines of a server's standard error are shown.
const mostOutput = 200

func (f *Feature) outputLines() (lines []dialog.Line) {
	text := strings.TrimRight(sanitize.Visible(strings.ToValidUTF8(f.shown.output, "?")), "\n")
	if text == "" {
		return nil
	}
	lines = []dialog.Line{{}, {Tone: dialog.Strong, Text: f.Text(textOutput)}}
	written := strings.Split(text, "\n")
	if len(written) > mostOutput {
		written = slices.Clone(written[len(written)-mostOutput:])
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Text: f.Text(textCut, mostOutput)})
	}
	for _, line := range written {
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Text: line, Exact: true})
	}
	return lines
}

var (
	_ page.Watcher = (*Feature)(nil)
	_ page.Worker  = (*Feature)(nil)
)
