package cli

import (
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/charmbracelet/x/term"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/cells"
)

// Widths of a text in a wide terminal, and without one.
const (
	mostWidth  = 100
	pipedWidth = 80
)

// width returns the cells of a row of a text.
func (c *console) width() int {
	if columns, _, err := term.GetSize(c.out.Fd()); err == nil && columns > 0 {
		return min(columns, mostWidth)
	}
	return pipedWidth
}

// A usage prints the help of the command line, or of one command. The library's
// own knows no language but English, and no script without blanks.
type usage struct {
	*console
	vars kong.Vars
	text strings.Builder
}

// print is a kong.HelpPrinter.
func (u *usage) print(_ kong.HelpOptions, ctx *kong.Context) error {
	node, about := ctx.Model.Node, u.console.text(textProgram)
	name, below := node.Name+u.summary(node.Summary()), node.Children
	if selected := ctx.Selected(); selected != nil {
		node, below = selected, selected.Children
		name, about = ctx.Model.Name+" "+u.summary(node.Summary()), u.help(node.Help, node.Tag, "")
	}
	u.line("", u.console.text(textUsage, name))
	u.line("", "")
	u.line("", about)
	var rows [][2]string
	for _, arg := range node.Positional {
		rows = append(rows, [2]string{u.summary(arg.Summary()), u.help(arg.Help, arg.Tag, arg.Default)})
	}
	u.table(textArguments, rows)
	for i, child := range below {
		if child.Hidden {
			continue
		}
		if i == 0 {
			u.heading(textCommands)
		} else {
			u.line("", "")
		}
		u.line("  ", u.summary(child.Summary()))
		u.line("    ", u.help(child.Help, child.Tag, ""))
	}
	u.table(textFlags, u.flags(ctx.Model, node))
	u.line("", "")
	if node == ctx.Model.Node {
		u.line("", u.console.text(textHelpOf))
	} else {
		u.line("", u.console.text(textGlobalFlags))
	}
	_, _ = io.WriteString(u.out, u.text.String()) // a reader may leave early
	return nil
}

// flags returns the flags of a command, without those of all commands, or the latter for the
// program.
func (u *usage) flags(app *kong.Application, node *kong.Node) (rows [][2]string) {
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			if node == app.Node || !slices.Contains(app.Flags, flag) {
				rows = append(rows, [2]string{nameOfFlag(flag), u.help(flag.Help, flag.Tag, flag.Default)})
			}
		}
	}
	return rows
}

// summary returns the form of a command in the language: "export [flags]".
func (u *usage) summary(english string) string {
	for _, word := range formWords {
		english = strings.ReplaceAll(english, word.EN, u.console.text(word))
	}
	return english
}

// help returns the help of a command, an argument or a flag.
func (u *usage) help(english string, tag *kong.Tag, byDefault string) string {
	if english == textOfHelp.EN { // the library's own flag
		return u.console.text(textOfHelp)
	}
	chinese := os.Expand(tag.Get("zh"), func(name string) string {
		switch name {
		case "default":
			return byDefault
		case "words":
			return i18n.List(stateWords(protocol.Chinese)).In(protocol.Chinese)
		case "themes", "templates", "codes":
			return i18n.List(strings.Split(u.vars[name], ", ")).In(protocol.Chinese)
		}
		return u.vars[name]
	})
	return u.console.text(i18n.Text{EN: english, ZH: chinese})
}

func nameOfFlag(flag *kong.Flag) string {
	name := "    --"
	if flag.Short != 0 {
		name = "-" + string(flag.Short) + ", --"
	}
	switch {
	case flag.Tag.Negatable != "":
		return name + "[no-]" + flag.Name
	case flag.IsBool():
		return name + flag.Name
	}
	return name + flag.Name + "=" + flag.FormatPlaceHolder()
}

func (u *usage) heading(title i18n.Text) {
	u.line("", "")
	u.line("", u.console.text(title))
}

func (u *usage) line(indent, text string) {
	for _, row := range wrap(text, u.width()-len(indent)) {
		u.text.WriteString(strings.TrimRight(indent+row, " ") + "\n")
	}
}

// wrap breaks a text into rows, but no word at its hyphens.
func wrap(text string, width int) []string {
	const hyphen = "\u2011" // as wide, and kept with its neighbours
	rows := cells.ByCodePoint.Wrap(strings.ReplaceAll(text, "-", hyphen), width)
	for i := range rows {
		rows[i] = strings.ReplaceAll(rows[i], hyphen, "-")
	}
	return rows
}

// table prints names and what they mean in two columns.
func (u *usage) table(title i18n.Text, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	u.heading(title)
	left := 0
	for _, row := range rows {
		left = max(left, len(row[0]))
	}
	for _, row := range rows {
		for i, meaning := range wrap(row[1], u.width()-left-6) {
			name := row[0]
			if i > 0 {
				name = ""
			}
			u.line("", "  "+name+cells.Blank(left-len(name)+4)+meaning)
		}
	}
}
