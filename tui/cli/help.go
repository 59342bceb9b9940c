package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/suggest"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/docs"
	"society-tui/tui/markdown"
)

var (
	seeTopics    = i18n.Text{EN: "society-tui help lists the topics", ZH: "society-tui help 列出全部主题"}
	noTopic      = i18n.Text{EN: "No help topic %q", ZH: "没有帮助主题 %q"}
	perhapsTopic = i18n.Text{EN: "; did you mean %s?", ZH: "；是否指 %s？"}
	aboutTopics  = i18n.Text{
		EN: "society-tui help TOPIC prints one of these; society-tui --help lists commands and flags.",
		ZH: "society-tui help 主题 显示其中一篇；society-tui --help 列出命令与选项",
	}
)

type helpCommand struct {
	Topic string `arg:"" optional:"" values:"topics" help:"The topic to print." zh:"要显示的主题。"`
}

// Run lists the topics of the reference, or prints one: laid out in a terminal, else as
// Markdown.
func (h helpCommand) Run(c *console) error {
	s, _ := c.settings() // for the language only: help must work with wrong settings, too
	p := i18n.Printer{Lang: protocol.Lang(s.Language())}
	if h.Topic == "" {
		var rows [][]string
		for _, t := range docs.Topics(p.Lang) {
			rows = append(rows, []string{t.Name, t.About})
		}
		c.say(c.out, "%s\n%s\n", columns(rows), p.T(aboutTopics))
		return nil
	}
	topic, ok := docs.Find(p.Lang, strings.ToLower(h.Topic))
	if !ok {
		said := p.T(noTopic, h.Topic)
		if of := c.commandNamed(strings.ToLower(h.Topic)); of != "" {
			return usageError{errors.New(said), p.T(textSeeHelpOf, of)}
		}
		// Most topics are plurals, so a missing s is no typo.
		if near := cmp.Or(suggest.Nearest(h.Topic, topics()), suggest.Nearest(h.Topic+"s", topics())); near != "" {
			said += p.T(perhapsTopic, near)
		}
		return usageError{errors.New(said), p.T(seeTopics)}
	}
	source := strings.TrimSpace(topic.Text)
	if !term.IsTerminal(c.out.Fd()) { // for a pipe, in which each row of a table stays one line
		c.say(c.out, "%s\n", source)
		return nil
	}
	var text strings.Builder
	for _, row := range markdown.Render(source, c.width(), markdown.NewLook(themes.Plain(), cells.ByCodePoint, s.ASCII)) {
		fmt.Fprintln(&text, strings.TrimRight(row.Text, " "))
	}
	_, err := io.WriteString(colorprofile.NewWriter(c.out, os.Environ()), text.String())
	return err
}

// commandNamed returns how a command is called, "" if there is none of that name.
func (c *console) commandNamed(name string) string {
	for _, node := range c.selected.Parent.Children {
		if node.Name == name && !node.Hidden {
			return node.FullPath()
		}
	}
	return ""
}

// topics returns the names of all topics.
func topics() []string {
	var names []string
	for _, t := range docs.Topics(protocol.English) {
		names = append(names, t.Name)
	}
	return names
}
