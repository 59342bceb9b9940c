package plain

import (
	"context"
	"strings"

	"society-tui/runtime/api"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// serverState is what is known of MCP servers.
type serverState struct {
	news         *action.ServerNews
	reads, stale bool // see tellServers
}

// tellServers tells of MCP servers that have failed. While they are read nothing else reads
// them for that: each call of a tool changes them.
func (f *frontend) tellServers() {
	if f.servers.reads {
		f.servers.stale = true
		return
	}
	f.servers.reads, f.servers.stale = true, false
	f.work(func(ctx context.Context) func() {
		all, err := f.cfg.Society.Servers(ctx)
		return func() {
			f.servers.reads = false
			if err == nil { // else the next change tells of them
				f.notify(f.servers.news.Of(f.actions, all))
			}
			if f.servers.stale {
				f.tellServers()
			}
		}
	})
}

func (f *frontend) withServers(then func([]api.Server)) {
	f.work(func(ctx context.Context) func() {
		all, err := f.cfg.Society.Servers(ctx)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			then(all)
		}
	})
}

// runServers lists the MCP servers, prints one in full, or does to it what is written.
func (f *frontend) runServers(in command.Input) {
	name, to, known := action.ServerOf(in.Text)
	if !known {
		f.notify(f.actions.WhichSwitch())
		return
	}
	f.withServers(func(all []api.Server) {
		s, ok := f.actions.ServerNamed(all, name)
		switch {
		case name == "" && len(all) == 0:
			f.say(f.printer.T(textNoServers))
		case name == "":
			for i := range all {
				f.sayServer(&all[i])
			}
		case !ok:
			f.notify(f.actions.UnknownServer(name))
		case to != "":
			f.switchServer(&s, to)
		default:
			f.printServer(&s)
		}
	})
}

// sayServer prints how a server is in one line.
func (f *frontend) sayServer(s *api.Server) {
	line := sanitize.Line(s.Name, nameCells) + f.printer.T(symbols.TextColon) + f.actions.AboutServer(s)
	if why := f.actions.ServerProblem(s); why != "" {
		line += f.printer.T(symbols.TextColon) + strings.TrimRight(why, ".。")
	}
	f.say(line + f.printer.T(textEnd))
}

// printServer prints a server with its tools and what it wrote to its standard error.
func (f *frontend) printServer(s *api.Server) {
	f.work(func(ctx context.Context) func() {
		output, err := f.cfg.Society.ServerOutput(ctx, s.Name)
		return func() {
			f.sayServer(s)
			f.say(f.printer.T(textServerCommand, f.actions.ServerCommand(s)))
			offered, left := action.ServerTools(s)
			for _, t := range offered {
				purpose, _, _ := strings.Cut(strings.TrimSpace(t.Purpose), "\n")
				f.say("  " + sanitize.Line(t.Name, nameCells) + f.printer.T(symbols.TextColon) + sanitize.Line(purpose, doingCells))
			}
			for i := range left {
				f.say("  " + f.printer.T(textNotOffered, sanitize.Line(left[i].Tool, nameCells)+f.printer.T(symbols.TextColon)+f.actions.ToolLeft(&left[i])) + f.printer.T(textEnd))
			}
			if output = strings.TrimRight(output, "\n"); output != "" {
				f.sayUnder(f.printer.T(textServerOutput), sanitize.Visible(strings.ToValidUTF8(output, "?")))
			}
			f.notify(f.actions.NoticeFor(err))
		}
	})
}

// switchServer starts, stops or restarts a server, after a question while calls of its tools
// are running.
func (f *frontend) switchServer(s *api.Server, to api.ServerSwitch) {
	act := func() {
		o := f.actions.SwitchServer(s, to)
		if o.Refused.Empty() {
			f.servers.news.Await(s.Name)
		}
		f.act(o)
	}
	title, body, _, asks := f.actions.SwitchQuestion(s, to)
	if !asks || !f.actions.LookOnly().Empty() {
		act()
		return
	}
	f.say(title)
	f.say(body)
	f.say(f.printer.T(textYesOrNo))
	f.asks = &question{answer: func(line string) {
		if !among(yes, line) {
			f.declined(line)
			return
		}
		act()
	}}
}
