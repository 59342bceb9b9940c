package action

import (
	"context"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// The longest command line and reason of an MCP server, in cells.
const (
	commandCells = 4000
	problemCells = 300
)

// ServerOf reads the text of a written command: a server, and what to do to it, "" to show
// it. ok is false if that is not known.
func ServerOf(text string) (server string, to api.ServerSwitch, ok bool) {
	server, rest, _ := strings.Cut(text, " ")
	to = api.ServerSwitch(strings.TrimSpace(rest))
	return server, to, to == "" || slices.Contains(api.Switches(), to)
}

// ServerNamed finds an MCP server by its name.
func (b *Builder) ServerNamed(list []api.Server, name string) (found api.Server, ok bool) {
	i := slices.IndexFunc(list, func(s api.Server) bool { return s.Name == name })
	if i < 0 {
		return found, false
	}
	return list[i], true
}

// UnknownServer reports that no MCP server has that name.
func (b *Builder) UnknownServer(name string) Notice {
	return Notice{Warned, b.text(textNoServer, serverName(name)), b.text(textHintServers)}
}

// WhichSwitch asks for what is to be done to an MCP server.
func (b *Builder) WhichSwitch() Notice {
	return Notice{Warned, b.text(textWhichSwitch), b.text(textHintSwitch)}
}

func serverName(name string) string { return sanitize.Line(name, nameCells) }

// AboutServer says in one line how an MCP server is, and what it offers.
func (b *Builder) AboutServer(s *api.Server) string {
	parts := []string{b.text(serverStates[s.State])}
	if s.State == api.ServerWaiting && !s.RetryAt.IsZero() {
		parts[0] = b.text(textServerAgainAt, s.RetryAt.Local().Format("15:04:05"))
	}
	offered, left := ServerTools(s)
	if s.State == api.ServerReady || len(s.Tools) > 0 {
		parts = append(parts, b.Printer.N(textServerTools, len(offered)))
	}
	if len(left) > 0 {
		parts = append(parts, b.Printer.N(textServerLeft, len(left)))
	}
	if s.Calls > 0 {
		parts = append(parts, b.Printer.N(textServerCalls, s.Calls))
	}
	if s.Restarts > 0 {
		parts = append(parts, b.Printer.N(textServerRestarts, s.Restarts))
	}
	return strings.Join(parts, b.Dot)
}

// ServerTools returns the tools of an MCP server that agents are offered, and the others.
func ServerTools(s *api.Server) (offered, left []api.ServerTool) {
	for _, t := range s.Tools {
		if t.Left == "" {
			offered = append(offered, t)
		} else {
			left = append(left, t)
		}
	}
	return offered, left
}

// ServerProblem is why an MCP server has ended or could not be started, or "".
func (b *Builder) ServerProblem(s *api.Server) string {
	return sanitize.Line(s.Problem.In(b.Printer.Lang), problemCells)
}

// ServerCommand is how an MCP server is started or reached: its command, each word quoted
// that needs it, or its address. Control characters are written out.
func (b *Builder) ServerCommand(s *api.Server) string {
	if len(s.Command) == 0 {
		return sanitize.Line(sanitize.Visible(s.URL), commandCells)
	}
	words := make([]string, len(s.Command))
	for i, word := range s.Command {
		if words[i] = word; word == "" || strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?[]#~!{}") {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return sanitize.Line(sanitize.Visible(strings.Join(words, " ")), commandCells)
}

// ToolLeft says why agents are not offered a tool.
func (b *Builder) ToolLeft(t *api.ServerTool) string {
	why, known := leftReasons[t.Left]
	detail := sanitize.Line(t.Detail, problemCells)
	switch {
	case !known:
		return sanitize.Line(string(t.Left), nameCells)
	case t.Left == api.LeftTooMany:
		return b.text(why, api.MostServerTools)
	case detail == "":
		return b.text(why)
	}
	return b.text(why) + b.text(textBecause, detail)
}

// SwitchServer makes the action that starts, stops or restarts an MCP server.
func (b *Builder) SwitchServer(s *api.Server, to api.ServerSwitch) Action {
	begun := Notice{Going, b.text(SwitchedTexts[to], serverName(s.Name)), ""}
	switch {
	case !b.LookOnly().Empty():
		return Action{Refused: b.LookOnly()}
	case to == api.StartServer && (s.State == api.ServerReady || s.State == api.ServerStarting):
		return Action{Refused: Notice{Warned, b.text(textServerRuns, serverName(s.Name)), b.text(textHintRestart, serverName(s.Name))}}
	case to == api.StopServer && s.State == api.ServerStopped:
		return Action{Refused: Notice{Warned, b.text(textServerStopped, serverName(s.Name)), ""}}
	}
	name := s.Name
	return Action{
		Agents: []society.AgentID{society.Root},
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			err := b.Client.SwitchServer(ctx, name, to)
			return func() Outcome { return Outcome{id, err} }
		},
		Summarize: func([]Outcome) Notice { return begun },
		Explain:   func(o Outcome) Notice { return b.NoticeFor(o.Err) },
	}
}

// SwitchQuestion asks whether to stop or restart an MCP server while calls of its tools are
// under way. asks is false if there are none.
func (b *Builder) SwitchQuestion(s *api.Server, to api.ServerSwitch) (title, body, yes string, asks bool) {
	if s.Calls == 0 || to == api.StartServer {
		return "", "", "", false
	}
	return b.text(switchTitles[to], serverName(s.Name)), b.Printer.N(textSwitchBody, s.Calls), b.text(SwitchTexts[to]), true
}

// SwitchTexts are the switches as commands.
var SwitchTexts = map[api.ServerSwitch]i18n.Text{
	api.StartServer:   {EN: "Start server", ZH: "启动服务器"},
	api.StopServer:    {EN: "Stop server", ZH: "停止服务器"},
	api.RestartServer: {EN: "Restart server", ZH: "重启服务器"},
}

// Switches returns what can be done to an MCP server as it is now.
func Switches(s *api.Server) []api.ServerSwitch {
	if s.State == api.ServerStopped || s.State == api.ServerFailed {
		return []api.ServerSwitch{api.StartServer}
	}
	return []api.ServerSwitch{api.StopServer, api.RestartServer}
}

// ServerNews makes notices of how MCP servers change. Use NewServerNews.
type ServerNews struct {
	known   map[string]api.Server
	awaited map[string]bool
}

// NewServerNews returns news of no server.
func NewServerNews() *ServerNews {
	return &ServerNews{known: map[string]api.Server{}, awaited: map[string]bool{}}
}

// Await lets the next notice tell also how what the user did to a server has ended.
func (n *ServerNews) Await(name string) { n.awaited[name] = true }

// Awaits reports whether no notice has told yet how that has ended.
func (n *ServerNews) Awaits(name string) bool { return n.awaited[name] }

// Of returns the notice about servers that have failed or ended since the last call, and of
// those that are awaited about any end. What has failed before the first call is told too.
func (n *ServerNews) Of(b *Builder, now []api.Server) (said Notice) {
	var failed, ended, unstarted []*api.Server
	known := make(map[string]api.Server, len(now))
	for i := range now {
		s := &now[i]
		before := n.known[s.Name]
		known[s.Name] = *s
		changed := before.State != s.State || !before.Since.Equal(s.Since)
		switch {
		case !changed:
			continue
		case s.State == api.ServerFailed:
			failed = append(failed, s)
		case s.State == api.ServerWaiting && before.State == api.ServerReady:
			ended = append(ended, s)
		case s.State == api.ServerWaiting && before.Problem.IsZero():
			unstarted = append(unstarted, s)
		case s.State == api.ServerReady && n.awaited[s.Name]:
			said = said.And(Notice{Text: b.text(textServerReady, serverName(s.Name), b.AboutServer(s))}, b.Dot)
		case s.State == api.ServerStopped && n.awaited[s.Name]:
			said = said.And(Notice{Text: b.text(textServerStopped, serverName(s.Name))}, b.Dot)
		}
		if s.State != api.ServerStarting && s.State != api.ServerWaiting {
			delete(n.awaited, s.Name)
		}
	}
	n.known = known
	said = said.And(b.ofServers(ended, Told, textServerEnded, textServersEnded), b.Dot)
	said = said.And(b.ofServers(unstarted, Told, textServerUnstarted, textServersUnstarted), b.Dot)
	return said.And(b.ofServers(failed, Warned, textServerFailed, textServersFailed), b.Dot)
}

// ofServers tells of one server with its problem, or of several by their names.
func (b *Builder) ofServers(servers []*api.Server, level Level, one, several i18n.Text) Notice {
	switch len(servers) {
	case 0:
		return Notice{}
	case 1:
		return Notice{level, b.text(one, serverName(servers[0].Name), b.ServerProblem(servers[0])), b.text(textHintProblem)}
	}
	names := make([]string, len(servers))
	for i, s := range servers {
		names[i] = serverName(s.Name)
	}
	return Notice{level, b.text(several, b.Printer.List(names)), b.text(textHintProblem)}
}
