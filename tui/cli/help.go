package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/term"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/themes"
	"society-tui/tui/action"
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
		ZH: "society-tui help 主题 显示其中一篇（英文）；society-tui --help 列出命令与选项",
	}
)

// Widths of a text in a wide terminal, and without one.
const (
	mostWidth  = 100
	pipedWidth = 80
)

type helpCommand struct {
	Topic string `arg:"" optional:"" help:"The topic to print."`
}

// Run lists the topics of the reference, or prints one, with escape sequences
// only in a terminal.
func (h helpCommand) Run(c *console) error {
	s, _ := c.settings() // for the language only: help must work with wrong settings, too
	p := i18n.Printer{Lang: protocol.Lang(s.Language())}
	if h.Topic == "" {
		var rows [][]string
		for _, t := range docs.Topics() {
			rows = append(rows, []string{t.Name, t.About})
		}
		c.say(c.out, "%s\n%s\n", columns(rows), p.T(aboutTopics))
		return nil
	}
	topic, ok := docs.Find(strings.ToLower(h.Topic))
	if !ok {
		said := p.T(noTopic, h.Topic)
		if near := nearestTopic(h.Topic); near != "" {
			said += p.T(perhapsTopic, near)
		}
		return usageError{errors.New(said), p.T(seeTopics)}
	}
	width := pipedWidth
	if columns, _, err := term.GetSize(c.out.Fd()); err == nil && columns > 0 {
		width = min(columns, mostWidth)
	}
	look := markdown.NewLook(themes.Plain(), cells.ByCodePoint, s.ASCII)
	var text strings.Builder
	for _, row := range markdown.Render(strings.TrimSpace(topic.Text), width, look) {
		fmt.Fprintln(&text, strings.TrimRight(row.Text, " "))
	}
	_, err := io.WriteString(colorprofile.NewWriter(c.out, os.Environ()), text.String())
	return err
}

// nearestTopic returns the topic of a misspelt name, or "".
func nearestTopic(name string) string {
	name = strings.ToLower(name)
	nearest, least := "", len(name)/2+1
	for _, t := range docs.Topics() {
		d := action.Distance(t.Name, name)
		if strings.HasPrefix(t.Name, name) || strings.HasPrefix(name, t.Name) {
			d = 0
		}
		if d < least {
			nearest, least = t.Name, d
		}
	}
	return nearest
}
