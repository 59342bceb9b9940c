package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
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

[[rules]]
tool = "bash"
words = ["go", "test"]
exact = true
outside = true
do = "allow"

[[rules]]
tool = "fetch"
host = "example.org"
do = "allow"
`)
	src.Flags = []Flag{{Name: "--allow", Key: "allow", Value: "edit *.go"}, {Name: "--allow", Key: "allow", Value: "bash go vet"}}
	s := settings(t, src)
	want := []approval.Rule{
		{Tool: "write", Path: "docs/**", RoleName: "writer", Do: approval.Allow, Origin: src.Places.File + ":3"},
		{Path: "secrets/**", Do: approval.Deny, Why: "ask me", Origin: src.Places.File + ":9"},
		{Tool: "bash", Words: []string{"go", "test"}, Exact: true, Outside: true, Do: approval.Allow, Origin: src.Places.File + ":14"},
		{Tool: "fetch", Host: "example.org", Do: approval.Allow, Origin: src.Places.File + ":21"},
		{Tool: "edit", Path: "*.go", Do: approval.Allow, Origin: `--allow "edit *.go"`},
		{Tool: "bash", Words: []string{"go", "vet"}, Do: approval.Allow, Origin: `--allow "bash go vet"`},
	}
	rules := s.ApprovalRules()
	if len(rules) != len(want) {
		t.Fatalf("%+v", rules)
	}
	for i := range want {
		if !reflect.DeepEqual(rules[i], want[i]) {
			t.Errorf("rule %d is %+v, want %+v", i, rules[i], want[i])
		}
	}
	if s.ModeFlag() != "" || s.DefaultMode() != approval.AskFirst {
		t.Errorf("the mode of the file is %q, the flag's %q", s.DefaultMode(), s.ModeFlag())
	}
}

// Without a mode agents are free in folders of their own, and ask in one of the user's until
// the user has said otherwise, which holds for that folder alone. A flag sets the mode of the
// session.
func TestTheModeFollowsFromTheWorkspaceUnlessItIsSet(t *testing.T) {
	t.Parallel()
	src := home(t, "")
	s := settings(t, src)
	if s.DefaultMode() != approval.Edits || s.ModeFlag() != "" || s.AsksForFolder("a") {
		t.Errorf("without a workspace %s, set %q, asks: %t", s.DefaultMode(), s.ModeFlag(), s.AsksForFolder("a"))
	}
	at := func(dir, mode string) Settings {
		src := src
		src.Flags = append(slices.Clone(src.Flags), Flag{Name: "--workspace", Key: "workspace", Value: dir})
		if mode != "" {
			src.Flags = append(src.Flags, Flag{Name: "--mode", Key: "mode", Value: mode})
		}
		return settings(t, src)
	}
	one, two := t.TempDir(), t.TempDir()
	if s := at(one, ""); s.DefaultMode() != approval.AskFirst || s.ModeSource() != approval.FromDefault || !s.AsksForFolder("a") {
		t.Errorf("in a new workspace %s, asks: %t", s.DefaultMode(), s.AsksForFolder("a"))
	} else if err := s.KeepFolderMode(approval.Edits); err != nil {
		t.Fatal(err)
	}
	if s := at(one, ""); s.DefaultMode() != approval.Edits || s.ModeSource() != approval.FromFolder || s.AsksForFolder("a") {
		t.Errorf("in a workspace with an answer %s, asks: %t", s.DefaultMode(), s.AsksForFolder("a"))
	}
	if s := at(two, ""); s.DefaultMode() != approval.AskFirst || !s.AsksForFolder("a") {
		t.Errorf("in another workspace %s, asks: %t", s.DefaultMode(), s.AsksForFolder("a"))
	}
	if s := at(two, "read-only"); s.ModeFlag() != approval.ReadOnly || s.AsksForFolder("a") {
		t.Errorf("the flag sets %q, asks: %t", s.ModeFlag(), s.AsksForFolder("a"))
	}
	s = at(two, "edits")
	if err := s.KeepModeFlag("a"); err != nil {
		t.Fatal(err)
	}
	if s := at(two, ""); s.FolderMode() != "" || s.DefaultMode() != approval.AskFirst || s.AsksForFolder("a") || !s.AsksForFolder("b") {
		t.Errorf("after --mode edits in session a the folder has %q, asks in a: %t, in b: %t", s.FolderMode(), s.AsksForFolder("a"), s.AsksForFolder("b"))
	}
	s = at(one, "")
	if err := s.KeepModeFlag("a"); err != nil {
		t.Fatal(err)
	}
	if s := at(two, ""); !s.AsksForFolder("a") {
		t.Error("it does not ask although the session has worked in another folder since")
	}
	if s := at(one, ""); s.FolderMode() != approval.Edits {
		t.Errorf("the answer for another folder has become %q", s.FolderMode())
	}
	auto := src
	auto.Flags = append(slices.Clone(src.Flags), Flag{Name: "--mode", Key: "mode", Value: AutoMode})
	if _, err := Load(auto); err == nil || !strings.Contains(err.Error(), "must be one of read-only, ask, edits, all, not") {
		t.Errorf("--mode auto leads to %v", err)
	}
	for _, damaged := range []string{"{", "null", `{"` + one + `":{"mode":"sudo"}}`} {
		if err := os.WriteFile(filepath.Join(s.Data, foldersFile), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		s := at(one, "")
		if s.DefaultMode() != approval.AskFirst || !s.AsksForFolder("a") {
			t.Errorf("with %s it is %s, asks: %t", damaged, s.DefaultMode(), s.AsksForFolder("a"))
		}
		if err := s.KeepFolderMode(approval.ReadOnly); err != nil || s.FolderMode() != approval.ReadOnly {
			t.Errorf("over %s: %v, %q", damaged, err, s.FolderMode())
		}
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
	s := settings(t, home(t, strings.NewReplacer("# ", "", "#\n", "\n").Replace(exampleRule)))
	if rules := s.ApprovalRules(); len(rules) != 2 || rules[0].Tool != "write" || rules[0].Do != approval.Allow || len(rules[1].Words) != 2 {
		t.Errorf("%+v", rules)
	}
}
