// Package details shows in full what a row has no room for: a message as it is stored,
// an agent's state, task and error.
package details

import (
	"fmt"
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

// A Config says what the screen shows now, and how it names that.
type Config struct {
	Picked  func() (transcript.Picked, bool)                // the message under the cursor
	Subject func() society.AgentID                          // whom the inspector shows
	InWords func(text string) string                        // a text of an agent as it is read
	State   func(row *api.Row) string                       // what an agent does
	Paused  func(row *api.Row) string                       // why it is paused
	Model   func(id society.AgentID) (model, health string) // what it thinks with
}

// A Feature shows messages and agents in full.
type Feature struct {
	*page.Deps
	cfg Config
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature { return &Feature{deps, cfg} }

// Commands returns the commands that show something in full.
func (f *Feature) Commands() []*command.Command {
	agent := i18n.Text{EN: "Agent details", ZH: "智能体详情"}
	return []*command.Command{
		{
			ID: "whole", Group: command.GroupAgents, Title: agent, Keys: command.Keys(command.Tree, "w"), AnyPane: true,
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

func (f *Feature) open(title string, body []dialog.Line) {
	f.Report(sanitize.Line(title, 2*page.NameCells), body)
}

// A fact has a name and a text.
type fact struct {
	name i18n.Text
	text string
}

// facts are lines with a name before each; those without a text are left out.
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

// count writes what is not 0.
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

// agent names an agent with its id.
func (f *Feature) agent(id, role string) string {
	switch society.AgentID(id) {
	case "":
		return ""
	case society.User:
		return f.Text(page.TextYou)
	}
	named := f.Replica.Name(society.AgentID(id))
	if !strings.Contains(named, id) {
		named += " " + id
	}
	if role != "" && role != named {
		named += fmt.Sprintf(" (%s)", role)
	}
	return named
}

// failure says what went wrong, and what can be done about it.
func (f *Feature) failure(text, class string) []dialog.Line {
	lines := []dialog.Line{{}, {Tone: dialog.Strong, Text: f.Text(errorTitle)}}
	for line := range strings.SplitSeq(sanitize.Text(text), "\n") {
		lines = append(lines, dialog.Line{Tone: dialog.Danger, Text: line})
	}
	remedy, ok := remedies[class]
	if !ok {
		remedy = other
	}
	return append(lines, dialog.Line{}, dialog.Line{Tone: dialog.Strong, Text: f.Text(whatToDo)}, dialog.Line{Text: f.Text(remedy)}, dialog.Line{Text: f.Text(howAgain)})
}
