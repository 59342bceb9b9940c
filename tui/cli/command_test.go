package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"society-tui/runtime/config"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

// elsewhere are texts about a command that is given for another session than that of the call.
var elsewhere = []string{"textDamagedHelp", "textNobodyThere", "textNoSocietyThere", "textWrongToken", "httpapi.CodeUnauthorized"}

// A hint that leaves out --session or --data would reach another society.
func TestNoTextNamesACommandWithoutItsSession(t *testing.T) {
	t.Parallel()
	command := regexp.MustCompile(`society-tui (?:serve|attach|ask|send|agents|tasks|messages|mcp|events|interrupt|stop|pause|resume|terminate|quit|token|check|backup|export|import|compact)\b`)
	bare := regexp.MustCompile("(?:start|open|in|启动|打开|在) society-tui(?:[^ ]|$| (?:to|中|即))")
	for _, file := range []string{"text.go", "../plain/text.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			name, _, _ := strings.Cut(strings.Trim(line, "\t "), " ")
			name = strings.TrimSuffix(name, ":")
			listed := false
			for _, other := range elsewhere {
				listed = listed || name == other || strings.HasPrefix(strings.TrimSpace(line), other)
			}
			if found := command.FindString(line) + bare.FindString(line); found != "" && !listed {
				t.Errorf("%s: %s names %q; a command is written by console.command", file, name, found)
			}
		}
	}
}

func TestACommandNamesTheSessionOfTheCall(t *testing.T) {
	t.Parallel()
	data, name := "/my data", "two"
	c := &console{line: &commandLine{}, printer: i18n.Printer{Lang: protocol.English}, found: config.Settings{Session: "society"}}
	if got := c.command("quit"); got != "society-tui quit" {
		t.Errorf("by default it is %q", got)
	}
	c.line.Data, c.line.Session, c.found = &data, &name, config.Settings{Data: data, Session: name}
	for does, want := range map[string]string{"": "society-tui --data '/my data' --session two", "quit": "society-tui quit --data '/my data' --session two"} {
		if got := c.command(does); got != want {
			t.Errorf("%q is %q, want %q", does, got, want)
		}
	}
	c.alone = true
	p := &textPrinter{console: c}
	for agent, want := range map[string]string{
		"root":      "root asks you; answer with: society-tui ask --data '/my data' --session two TEXT",
		"planner-1": "planner-1 asks you; answer on the screen: society-tui --data '/my data' --session two",
	} {
		if got := p.howToAnswer(&result{AskedBy: agent}); got != want {
			t.Errorf("alone it says %q, want %q", got, want)
		}
	}
	c.alone = false
	if got, want := p.howToAnswer(&result{AskedBy: "a"}), "a asks you; answer with: society-tui send --data '/my data' --session two --wait --to a TEXT"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	suggests := result{AskedBy: "a", Messages: []httpapi.Message{{From: "a", QuickReplies: []string{"red"}}}}
	if got := p.howToAnswer(&suggests); !strings.HasSuffix(got, " --wait --to a TEXT, or the number of a suggestion") {
		t.Errorf("with suggestions it says %q", got)
	}
}
