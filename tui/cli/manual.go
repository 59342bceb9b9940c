package cli

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"society-tui/tui/docs"
)

type manualCommand struct{}

// Run prints the manual page as roff.
func (manualCommand) Run(c *console, ctx *kong.Context) error {
	m := manual{usage: usage{console: c, vars: helpVars()}}
	m.page(ctx.Model)
	c.say(c.out, "%s", m.text.String())
	return nil
}

// A manual writes the manual page from the definition of the command line.
type manual struct{ usage }

func (m *manual) page(app *kong.Application) {
	name := app.Name
	m.macro(".TH %s 1", strings.ToUpper(roff(name)))
	m.section(m.console.text(textManualName))
	m.macro("%s \\- %s", roff(name), roff(m.console.text(textManualAbout)))
	m.section(m.console.text(textManualSynopsis))
	m.macro("\\fB%s\\fR %s", roff(name), roff(strings.TrimSpace(m.summary(app.Summary()))))
	m.section(m.console.text(textManualDescription))
	m.macro("%s", roff(m.console.text(textProgram)))
	m.section(m.console.text(textManualOptions))
	m.flags(app.Flags)
	m.section(m.console.text(textManualCommands))
	for _, command := range app.Children {
		m.command(command)
	}
	m.section(m.console.text(textManualTopics))
	m.macro("%s", roff(m.console.text(aboutTopics)))
	for _, topic := range docs.Topics(m.console.printer.Lang) {
		m.item("", topic.Name, topic.About)
	}
}

// command writes a command with its arguments and flags, and those below it.
func (m *manual) command(node *kong.Node) {
	if node.Hidden {
		return
	}
	m.macro(".SS %s", roff(strings.TrimPrefix(m.summary(node.Summary()), " ")))
	m.macro("%s", roff(m.help(node.Help, node.Tag, "")))
	for _, arg := range node.Positional {
		m.item("", m.summary(arg.Summary()), m.help(arg.Help, arg.Tag, arg.Default))
	}
	m.flags(node.Flags)
	for _, below := range node.Children {
		m.command(below)
	}
}

func (m *manual) flags(flags []*kong.Flag) {
	for _, flag := range flags {
		if !flag.Hidden {
			m.item("B", strings.TrimSpace(nameOfFlag(flag)), m.help(flag.Help, flag.Tag, flag.Default))
		}
	}
}

func (m *manual) section(title string) { m.macro(".SH %s", roff(strings.ToUpper(title))) }

// item writes a name and its meaning, indented. The font is that of the name.
func (m *manual) item(font, name, meaning string) {
	m.macro(".TP")
	if font != "" {
		name = "\\f" + font + roff(name) + "\\fR"
	} else {
		name = "\\fI" + roff(name) + "\\fR"
	}
	m.macro("%s", name)
	m.macro("%s", roff(meaning))
}

func (m *manual) macro(format string, args ...any) {
	fmt.Fprintf(&m.text, format+"\n", args...)
}

// roff escapes what roff would take for its own.
func roff(text string) string {
	text = strings.NewReplacer("\\", "\\e", "-", "\\-", "'", "\\(aq", "\"", "\\(dq").Replace(text)
	if strings.HasPrefix(text, ".") {
		return "\\&" + text
	}
	return text
}
