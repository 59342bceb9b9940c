package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"society-tui/runtime/i18n"
)

// findLanguage finds the user's language before the arguments are parsed, as
// far as they and the settings tell it.
func (c *console) findLanguage(args []string) {
	c.line.Lang = flagOf(args, "--lang")
	if _, wrong := c.settings(); wrong != nil && c.line.Lang != nil { // the language itself may be the mistake
		c.line.Lang = nil
		_, _ = c.settings()
	}
}

// misuse explains a mistake in the arguments, with advice.
func (c *console) misuse(args []string, err error) error {
	c.findLanguage(args)
	hint := c.helpFor(err)
	if asksForSessions.MatchString(err.Error()) {
		hint = c.text(textSeeSessions)
	}
	return usageError{fmt.Errorf("%s", misused(c.printer, err.Error())), hint}
}

// asksForSessions matches the mistake of a command that other programs have.
var asksForSessions = regexp.MustCompile(`^unexpected argument sessions?\b`)

// helpFor names the help of the command in which a mistake is, or that of all.
func (c *console) helpFor(err error) string {
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context != nil {
		c.selected = parse.Context.Selected()
	}
	return c.seeHelp()
}

// seeHelp names the help of the command that is run, or that of all.
func (c *console) seeHelp() string {
	if c.selected != nil && c.selected.Name != "screen" { // which stands for no command
		return c.text(textSeeHelpOf, c.selected.FullPath())
	}
	return c.text(textSeeHelp)
}

// flagOf returns the value of a flag in the arguments, or nil.
func flagOf(args []string, name string) *string {
	for i, arg := range args {
		if value, ok := strings.CutPrefix(arg, name+"="); ok {
			return &value
		}
		if arg == name && i+1 < len(args) {
			return &args[i+1]
		}
	}
	return nil
}

// mistakes are the messages of the library that parses the arguments. Its
// errors have no types.
var mistakes = []struct {
	said *regexp.Regexp
	form i18n.Text
}{
	{regexp.MustCompile(`^unknown flag (\S+)$`), textUnknownFlag},
	{regexp.MustCompile(`^unexpected (?:argument|token|flag argument) (.*)$`), textUnexpected},
	{regexp.MustCompile(`^(\S+): expected \S+ value but got "EOL".*$`), textNeedsValue},
	{regexp.MustCompile(`^(\S+): must be a time such as \S+ or \S+, not (".*")$`), textNeedsTime},
	{regexp.MustCompile(`^(\S+) must be one of (\S+) but got (.*)$`), textMustBe},
	{regexp.MustCompile(`^expected (?:one of )?(.*)$`), textLacks},
}

var suggestion = regexp.MustCompile(`^(.*), did you mean (?:one of )?(.*)\?$`)

// misused translates a message of the library.
func misused(p i18n.Printer, said string) string {
	perhaps := ""
	if m := suggestion.FindStringSubmatch(said); m != nil {
		said, perhaps = m[1], p.T(textPerhaps, m[2])
	}
	for _, mistake := range mistakes {
		if m := mistake.said.FindStringSubmatch(said); m != nil {
			parts := make([]any, len(m)-1)
			for i, part := range m[1:] {
				parts[i] = unquoted(p, part)
			}
			said = p.T(mistake.form, parts...)
			break
		}
	}
	return said + perhaps
}

// quotedWords are several words as the library lists them, or what stands for a word.
var quotedWords = regexp.MustCompile(`^"[^"]*"(?:, ?"[^"]*")+|^"<[^"]*"(?:, ?"[^"]*")*`)

// unquoted returns a list of the library as our own texts write one.
func unquoted(p i18n.Printer, part string) string {
	if !quotedWords.MatchString(part) {
		return part
	}
	return p.List(strings.Split(strings.ReplaceAll(part, `"`, ""), ","))
}
