package tui

import (
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/page"
)

func allCommands() *command.Registry {
	return command.New(described((*app).newFeatures).commands(), nil, sendsAll)
}

func TestEveryCommandIsCompleteAndEveryKeyMeansOneThingInItsScope(t *testing.T) {
	t.Parallel()
	keys, slashes := map[command.Key]string{}, map[string]bool{}
	for _, c := range described((*app).newFeatures).commands() {
		if c.Title.EN == "" || c.Title.ZH == "" || (c.Hint.EN == "") != (c.Hint.ZH == "") || len(c.Keys) == 0 && c.Slash == "" || len(c.Keys) > 0 && c.ID == "" {
			t.Errorf("%s is not complete: %+v", c.Name(), c)
		}
		if c.Slash != "" && slashes[c.Slash] {
			t.Errorf("two commands are written %s", c.Slash)
		}
		slashes[c.Slash] = true
		for _, k := range c.Keys {
			if other, taken := keys[k]; taken {
				t.Errorf("%s in scope %q means %s and %s", k.Press, k.In.Name(), other, c.Name())
			}
			keys[k] = c.Name()
		}
	}
}

// Optional arguments have brackets, in both languages.
func TestACommandThatIsWrittenAloneHasItsArgumentsInBrackets(t *testing.T) {
	t.Parallel()
	for _, c := range allCommands().Written() {
		for _, lang := range protocol.Langs() {
			if _, label, _ := strings.Cut(c.Usage(lang), " "); !c.NeedsArgs && label != "" && label[0] != '[' {
				t.Errorf("%s %s works without that", c.Slash, label)
			}
		}
	}
}

func TestLettersAreTextInTextFields(t *testing.T) {
	t.Parallel()
	r := allCommands()
	for _, b := range r.In(command.Global) {
		for _, key := range b.Keys {
			if command.TypesText(key) && r.Find(key, command.Composer, true) != nil {
				t.Errorf("%q does something in the composer", key)
			}
		}
	}
	if b := r.Find("?", command.Tree, false); b == nil || b.ID != "help" {
		t.Errorf("? is %v in the tree, want the help", b)
	}
	if b := r.Find("f1", command.Composer, true); b == nil || b.ID != "help" {
		t.Errorf("f1 is %v in the composer, want the help", b)
	}
}

func TestOnlyVerbsFollowThePrefix(t *testing.T) {
	t.Parallel()
	r := allCommands()
	for _, key := range []string{"tab", "ctrl+n", "x", "esc", "ctrl+x"} {
		if b := r.Find(key, command.Verbs, false); b != nil {
			t.Errorf("ctrl+x %s does %s", key, b.ID)
		}
	}
	if b := r.Find("t", command.Verbs, false); b == nil || b.ID != "terminate" {
		t.Errorf("ctrl+x t does %v, want to terminate", b)
	}
}

// Keys of a pane must not hide global ones that do the same everywhere.
func TestNoPaneHidesAKeyThatWorksAnywhere(t *testing.T) {
	t.Parallel()
	r := allCommands()
	for _, b := range r.In(command.Global) {
		for _, key := range b.Keys {
			for _, in := range []command.Scope{command.Tree, command.Conversation, command.Inspector, command.Composer} {
				writing := in == command.Composer
				if found := r.Find(key, in, writing); !(writing && command.TypesText(key)) && (found == nil || found.Command != b.Command) {
					t.Errorf("%s does %s anywhere and %v in scope %q", key, b.ID, found, in.Name())
				}
			}
		}
	}
}

// A key in a sentence is that of the key map, in every language.
func TestLettersInSentencesFollowTheTable(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		changed := map[string][]string{}
		for _, b := range Bindings(lang) {
			changed[b.Name] = []string{"§"}
		}
		a := newApp(t.Context(), Config{Lang: lang, Keys: changed}, (*app).newFeatures)
		for _, text := range []i18n.Text{
			textCycles, textAllPinsTaken, textWelcomePick, textHintMarked, textHintToWrite, page.TextHintCommands, textHintOlder, textHintBring, action.TextHintResume, page.TextHintGo,
		} {
			if said := a.text(text); !strings.Contains(said, "§") || strings.Contains(said, "{") {
				t.Errorf("%s: %q names no key of the table", lang, said)
			}
		}
	}
}

// A command is a society action, which plain mode has too, or needs the screen.
func TestCommandIsAnActionOrOfTheScreen(t *testing.T) {
	t.Parallel()
	for _, c := range allCommands().Commands {
		if (c.Act == nil) == (c.Run == nil) {
			t.Errorf("%s has an action: %t, and runs on the screen: %t", c.Name(), c.Act != nil, c.Run != nil)
		}
		shared := slices.ContainsFunc(slices.Concat(agentcommand.Env{}.Agents(), agentcommand.Env{}.Answers(), agentcommand.Env{}.Files(), []*command.Command{agentcommand.Env{}.Rule()}), func(o *command.Command) bool { return o.Name() == c.Name() })
		if c.Act != nil && !shared {
			t.Errorf("%s is an action, but not in package agentcommand", c.Name())
		}
	}
}
