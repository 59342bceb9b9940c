package cli

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/sanitize"
)

// A serversCommand lists the MCP servers of a running session, or the tools of one, or
// starts, stops or restarts it.
type serversCommand struct {
	Server string `arg:"" optional:"" help:"This server." zh:"此服务器。"`
	Does   string `arg:"" optional:"" enum:"show,start,stop,restart" default:"show" help:"Show its tools, or start, stop or restart it (${default})." zh:"显示其工具（show），或启动、停止、重启它（${default}）。"`
	listing
}

// Run lists servers or tools, or switches a server.
func (s serversCommand) Run(c *console) error {
	return c.client(func(ctx context.Context, client *apiclient.Client) error {
		if to := api.ServerSwitch(s.Does); slices.Contains(api.Switches(), to) {
			return s.post(ctx, c, client, to)
		}
		var list struct {
			Servers []httpapi.Server `json:"servers"`
		}
		if err := client.Get(ctx, "/api/mcp", nil, &list); err != nil {
			return err
		}
		words := &action.Builder{Printer: c.printer, Dot: " · "}
		if s.Server == "" {
			rows := [][]string{c.heading(textServerColumns)}
			for i := range list.Servers {
				rows = append(rows, rowOfServer(words, &list.Servers[i]))
			}
			return s.print(c, list, rows)
		}
		at := slices.IndexFunc(list.Servers, func(v httpapi.Server) bool { return v.Name == s.Server })
		if at < 0 {
			return s.unknown(c)
		}
		rows := [][]string{c.heading(textServerToolColumns)}
		for _, t := range list.Servers[at].Tools {
			about := shortLine(t.Purpose)
			if t.Left != "" {
				about = c.text(textNotOffered, words.ToolLeft(&api.ServerTool{Left: api.LeftReason(t.Left), Detail: t.Detail}))
			}
			rows = append(rows, []string{sanitize.Line(t.Tool, lineCells), sanitize.Line(t.Name, lineCells), about})
		}
		return s.print(c, list.Servers[at], rows)
	})
}

func (s serversCommand) post(ctx context.Context, c *console, client *apiclient.Client, to api.ServerSwitch) error {
	var reply struct {
		OK bool `json:"ok"`
	}
	if err := client.Post(ctx, "/api/mcp/"+url.PathEscape(s.Server)+"/"+string(to), nil, &reply); err != nil {
		if refused, ok := errors.AsType[*httpapi.Error](err); ok && refused.Code == httpapi.CodeNotFound {
			return s.unknown(c)
		}
		return err
	}
	if s.Output == "json" {
		return c.printJSON(reply)
	}
	c.say(c.out, "%s\n", c.text(action.SwitchedTexts[to], sanitize.Line(s.Server, lineCells)))
	return nil
}

func (s serversCommand) unknown(c *console) error {
	return textNoServer.With(sanitize.Line(s.Server, lineCells), c.command("mcp"))
}

// rowOfServer is how a server is, and why it is not ready or else how it is started.
func rowOfServer(words *action.Builder, v *httpapi.Server) []string {
	s := api.Server{Name: v.Name, Command: v.Command, URL: v.URL, State: api.ServerState(v.State), Problem: i18n.Text{EN: v.Problem, ZH: v.Problem}, Restarts: v.Restarts, Calls: v.Calls}
	if v.RetryAt != nil {
		s.RetryAt = *v.RetryAt
	}
	for _, t := range v.Tools {
		s.Tools = append(s.Tools, api.ServerTool{Tool: t.Tool, Left: api.LeftReason(t.Left)})
	}
	why := words.ServerProblem(&s)
	if why == "" {
		why = words.ServerCommand(&s)
	}
	return []string{sanitize.Line(s.Name, lineCells), words.AboutServer(&s), strings.TrimSpace(why)}
}
