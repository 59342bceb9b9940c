package cli

import (
	"context"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/approval"
	"society-tui/runtime/config"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sessions"
	"society-tui/themes"
	"society-tui/tui/cli/complete"
	"society-tui/tui/docs"
	"society-tui/tui/replica"
)

type (
	completionCommand struct {
		Shell string `arg:"" enum:"bash,zsh,fish,powershell" help:"bash, zsh, fish or powershell." zh:"bash、zsh、fish 或 powershell。"`
	}
	wordsCommand struct {
		Next  bool     `help:"The cursor is behind the last word." zh:"光标在最后一个词之后。"`
		Words []string `arg:"" optional:"" help:"The words up to the cursor." zh:"光标之前的词。"`
	}
)

// Run prints what makes a shell complete the command line.
func (s completionCommand) Run(c *console) error {
	c.say(c.out, "%s", complete.Script(s.Shell))
	return nil
}

// Run prints which paths may stand at the cursor, then a line for each word that may, with
// its meaning behind a tab.
func (w wordsCommand) Run(c *console, ctx *kong.Context) error {
	words := w.Words
	if w.Next {
		words = append(words, "")
	}
	c.line.Data, c.line.File, c.line.Session = flagOf(words, "--data"), flagOf(words, "--config"), flagOf(words, "--session")
	s, _ := c.settings() // mistakes in them matter to what is run, not to how it is typed
	u := usage{console: c, vars: helpVars()}
	grammar := complete.Grammar{
		Root:   ctx.Model.Node,
		Values: func(name string) []complete.Candidate { return c.candidates(s, name) },
		About:  func(help string, tag *kong.Tag) string { return u.help(help, tag, "") },
	}
	answer := grammar.After(words)
	c.say(c.out, "%s\n", answer.Paths)
	for _, candidate := range answer.Candidates {
		c.say(c.out, "%s\t%s\n", candidate.Word, shortLine(candidate.About))
	}
	return nil
}

// candidates returns the values of a name in the tag "values". What cannot be read has
// none: a shell has no place for an error.
func (c *console) candidates(s config.Settings, name string) (found []complete.Candidate) {
	add := func(word, about string) { found = append(found, complete.Candidate{Word: word, About: about}) }
	switch name {
	case "sessions":
		all, _ := sessions.Folder{Path: s.Data}.List()
		for _, session := range all {
			add(session.Name, session.Used.Local().Format(time.DateTime))
		}
	case "models":
		models, _ := s.Endpoints()
		for _, m := range models {
			add(m.Name, m.Model)
		}
	case "themes":
		add("auto", "")
		for _, theme := range (themes.Source{Dir: s.Themes}).Names() {
			add(theme, "")
		}
	case "templates":
		for _, t := range templates(s).List(protocol.Lang(s.Language())) {
			if t.Err == nil {
				add(t.Name, t.Description)
			}
		}
	case "languages":
		add("auto", "")
		add(string(protocol.English), "English")
		add(string(protocol.Chinese), "中文")
	case "modes":
		for _, mode := range []approval.Mode{approval.ReadOnly, approval.AskFirst, approval.Edits, approval.All} {
			add(string(mode), "")
		}
	case "topics":
		for _, t := range docs.Topics(protocol.Lang(s.Language())) {
			add(t.Name, t.About)
		}
	case "agents", "tasks":
		c.running(s, name, add)
	}
	return found
}

// completionPatience is how long a running session has to name what it has.
const completionPatience = time.Second

// running adds the agents or the tasks of a running session.
func (c *console) running(s config.Settings, name string, add func(word, about string)) {
	ctx, cancel := context.WithTimeout(context.Background(), completionPatience)
	defer cancel()
	client, err := c.connect(ctx, s)
	if err != nil {
		return
	}
	defer client.Close()
	if name == "tasks" {
		addTasks(ctx, client, add)
		return
	}
	now, err := c.society(ctx, client)
	if err != nil {
		return
	}
	for _, agent := range slices.SortedFunc(now.Agents(), replica.CompareSpawn) {
		id, name := string(agent.Row.ID), agent.Name()
		if found, err := c.agentNamed(now, name); name != id && err == nil && found == id { // no other is called so
			add(name, id)
		}
		add(id, agent.Row.Role)
	}
}

func addTasks(ctx context.Context, client *apiclient.Client, add func(word, about string)) {
	var page struct {
		Tasks []httpapi.Task `json:"tasks"`
	}
	_ = client.Get(ctx, "/api/tasks", nil, &page)
	for _, task := range page.Tasks {
		add(task.ID, task.Text)
	}
}
