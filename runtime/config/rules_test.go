package config

import (
	"strings"
	"testing"

	"society-tui/runtime/approval"
	"society-tui/runtime/protocol"
)

func TestRulesAreReadWithTheirPlaces(t *testing.T) {
	t.Parallel()
	src := home(t, `mode = "ask"

[[rules]]
tool = "write"
path = "docs/**"
role = "writer"
do = "allow"

[[rules]]
path = "secrets/**"
do = "deny"
why = "ask me"
`)
	src.Flags = []Flag{{Name: "--allow", Key: "allow", Value: "edit *.go"}}
	s := settings(t, src)
	want := []approval.Rule{
		{Tool: "write", Path: "docs/**", RoleName: "writer", Do: approval.Allow, Origin: src.Places.File + ":3"},
		{Path: "secrets/**", Do: approval.Deny, Why: "ask me", Origin: src.Places.File + ":9"},
		{Tool: "edit", Path: "*.go", Do: approval.Allow, Origin: `--allow "edit *.go"`},
	}
	rules := s.ApprovalRules()
	if len(rules) != len(want) {
		t.Fatalf("%+v", rules)
	}
	for i := range want {
		if rules[i] != want[i] {
			t.Errorf("rule %d is %+v, want %+v", i, rules[i], want[i])
		}
	}
	if s.ModeFlag() != "" || s.DefaultMode(true) != approval.AskFirst || s.DefaultMode(false) != approval.AskFirst {
		t.Errorf("the mode of the file is %q, the flag's %q", s.DefaultMode(false), s.ModeFlag())
	}
}

// Without a mode agents ask in a folder of the user's, and are free in one of their own. A
// flag sets the mode of the session.
func TestTheModeFollowsFromTheWorkspaceUnlessItIsSet(t *testing.T) {
	t.Parallel()
	s := settings(t, home(t, ""))
	if s.DefaultMode(true) != approval.AskFirst || s.DefaultMode(false) != approval.Edits || s.ModeFlag() != "" {
		t.Errorf("in a workspace %s, else %s, set %q", s.DefaultMode(true), s.DefaultMode(false), s.ModeFlag())
	}
	src := home(t, `mode = "ask"`)
	src.Flags = []Flag{{Name: "--mode", Key: "mode", Value: "read-only"}}
	if s := settings(t, src); s.ModeFlag() != approval.ReadOnly {
		t.Errorf("the flag sets %q", s.ModeFlag())
	}
}

func TestEachMistakeInRulesIsNamed(t *testing.T) {
	t.Parallel()
	_, err := Load(home(t, `[[rules]]
tool = "write"
do = "alow"

[[rules]]
tool = "write"
do = "deny"
under = "worker-1"
`))
	for _, want := range []string{`:3: rules[0].do: must be one of allow, ask, deny, not "alow"; did you mean allow?`, `:8: rules[1].under: agents belong to one session`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("not said: %s\nsaid: %v", want, err)
		}
	}
}

// What a new file shows of rules is one, when it is no comment.
func TestTheRuleOfANewFileIsOne(t *testing.T) {
	t.Parallel()
	if !strings.Contains(template(protocol.English, Bindings{}), exampleRule) {
		t.Fatal("a new file says nothing of rules")
	}
	s := settings(t, home(t, strings.ReplaceAll(exampleRule, "# ", "")))
	if rules := s.ApprovalRules(); len(rules) != 1 || rules[0].Tool != "write" || rules[0].Do != approval.Allow {
		t.Errorf("%+v", rules)
	}
}
