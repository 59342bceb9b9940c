// Package details shows a stored message, or an agent's state, task and error,
// in full.
package details

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// A Config has what the screen shows now, and its names.
type Config struct {
	Picked  func() (transcript.Picked, bool)                // the message under the cursor
	Subject func() society.AgentID                          // the agent in the inspector
	InWords func(text string) string                        // formats an agent's message for reading
	State   func(row *api.Row) string                       // describes an agent's state
	Paused  func(row *api.Row) string                       // why an agent is paused
	Model   func(id society.AgentID) (model, health string) // the model of an agent
}

type Feature struct {
	*page.Deps
	cfg Config
}

func New(deps *page.Deps, cfg Config) *Feature { return &Feature{deps, cfg} }

func (f *Feature) Commands() []*command.Command {
	agent := i18n.Text{EN: "Agent details", ZH: "智能体详情"}
	return []*command.Command{
		{
			ID: "whole", Group: command.GroupAgents, Title: agent, Also: i18n.Text{EN: "inspect full information", ZH: "查看 全部 完整"}, Keys: command.Keys(command.Tree, "w"), AnyPane: true,
			Run: command.Run(func() tea.Cmd { return f.showAgent(f.Screen.AtHand()) }),
		},
		{
			ID: "whole", Group: command.GroupConversation, Title: i18n.Text{EN: "Message details", ZH: "消息详情"}, Keys: command.Keys(command.Conversation, "w"), AnyPane: true,
			Run: command.Run(f.showMessage),
		},
		{
			ID: "whole", Group: command.GroupAgents, Title: agent, Keys: command.Keys(command.Inspector, "w"),
			Run: command.Run(func() tea.Cmd { return f.showAgent(f.cfg.Subject()) }),
		},
	}
}

func (f *Feature) open(title string, body []dialog.Line) tea.Cmd {
	return f.Report(sanitize.Line(title, 2*page.NameCells), body)
}

// A fact has a name and a text.
type fact struct {
	name i18n.Text
	text string
}

// facts returns a line for each fact with a text.
func (f *Feature) facts(all ...fact) []dialog.Line {
	var lines []dialog.Line
	for _, fact := range all {
		if fact.text != "" {
			lines = append(lines, line(f.Text(fact.name), fact.text))
		}
	}
	return lines
}

func line(key, text string) dialog.Line { return dialog.Line{Key: key, Text: sanitize.Text(text)} }

// count formats a number, 0 as "".
func count(n int) string {
	if n == 0 {
		return ""
	}
	return symbols.Count(n)
}

func moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format("2006-01-02 15:04:05.000")
}

// agent formats an agent's role and id.
func (f *Feature) agent(id, role string) string {
	switch society.AgentID(id) {
	case "":
		return ""
	case society.User:
		return f.Text(symbols.TextYou)
	}
	named := f.Replica.Name(society.AgentID(id))
	if !strings.Contains(named, id) {
		named += " " + id
	}
	if role != "" && role != named {
		named += f.Text(symbols.TextAside, role)
	}
	return named
}

// failure describes an error and its remedy.
func (f *Feature) failure(text, class, code string) []dialog.Line {
	lines := []dialog.Line{{}, {Tone: dialog.Strong, Text: f.Text(errorTitle)}}
	for line := range strings.SplitSeq(sanitize.Text(text), "\n") {
		lines = append(lines, dialog.Line{Tone: dialog.Danger, Text: line})
	}
	remedy := other
	if known, ok := symbols.RemedyFor(class, code); ok {
		remedy = known.Long
	}
	return append(lines, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: f.Text(whatToDo)}, dialog.Line{Text: f.Text(remedy)}, dialog.Line{Text: f.Text(howAgain)})
}
