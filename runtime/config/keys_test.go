package config

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
)

// someBindings are enough to make every mistake with.
func someBindings() Bindings {
	return Bindings{
		All: []Binding{
			{Name: "palette", Keys: []string{"ctrl+p"}, About: "all"},
			{Name: "escape", Keys: []string{"esc"}, About: "out", Fixed: true},
			{Name: "tree.stop", Place: "tree", Keys: []string{"s"}, About: "stop"},
			{Name: "composer.send", Place: "composer", Keys: []string{"enter"}, About: "send"},
			{Name: "tree.up", Place: "tree", Keys: []string{"up", "k"}, About: "above"},
			{Name: "zoom", Keys: []string{"z"}, About: "zoom"},
			{Name: "list.up", Place: "list", Keys: []string{"up", "k"}, About: "above"},
		},
		IsKey:   func(k string) bool { return k != "" && k != "nokey" },
		Types:   func(k string) bool { return len(k) == 1 },
		Places:  []string{"tree", "composer", "list"},
		Writing: []string{"composer"}, Panes: []string{"tree", "composer"},
	}
}

func loadKeys(t *testing.T, text string) (Settings, error) {
	t.Helper()
	src := home(t, text)
	src.Keys = someBindings()
	return Load(src)
}

func TestKeysOfTheFileReplaceTheDefaults(t *testing.T) {
	t.Parallel()
	s, err := loadKeys(t, "[keys]\npalette = [\"ctrl+k\", \"f2\"]\n[keys.tree]\nstop = \"k\"\nup = \"up\"\n[keys.list]\nup = \"s\"\n")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"palette": {"ctrl+k", "f2"}, "tree.stop": {"k"}, "tree.up": {"up"}, "list.up": {"s"}}
	if !maps.EqualFunc(s.ChangedKeys(), want, slices.Equal) {
		t.Errorf("keys are %v, want %v", s.ChangedKeys(), want)
	}
	if all := s.Effective(); !slices.ContainsFunc(all, func(s Setting) bool { return s.Key == "keys.tree.stop" }) {
		t.Errorf("what is in force leaves them out: %v", all)
	}
}

// What works where one writes is not to be lost there by a letter alone; what never
// did, as the zoom, may have any.
func TestAKeyForAnywhereMustWorkWhereOneWrites(t *testing.T) {
	t.Parallel()
	if _, err := loadKeys(t, "[keys]\npalette = \"a\"\n"); err == nil || !strings.Contains(err.Error(), `:2: keys.palette: "a" types text in the composer`) {
		t.Errorf("a letter alone: %v", err)
	}
	s, err := loadKeys(t, "[keys]\npalette = [\"a\", \"f2\"]\nzoom = \"x\"\n")
	if want := map[string][]string{"palette": {"a", "f2"}, "zoom": {"x"}}; err != nil || !maps.EqualFunc(s.ChangedKeys(), want, slices.Equal) {
		t.Errorf("keys are %v, %v", s.ChangedKeys(), err)
	}
}

func TestAllMistakesOfKeysAreToldAtOnceWhereTheyStand(t *testing.T) {
	t.Parallel()
	_, err := loadKeys(t, `[keys]
palete = "x"
stop = "x"
palette = "nokey"
escape = "q"
zoom = 7
[keys.tree]
stop = "up"
[keys.composer]
send = "ctrl+p"
[keys.list]
up = []
`)
	if err == nil {
		t.Fatal("it was taken")
	}
	for _, want := range []string{
		":2: keys.palete: unknown command; did you mean keys.palette?",
		":3: keys.stop: unknown command; did you mean keys.tree.stop?",
		`:4: keys.palette: "nokey" is not a key`,
		":5: keys.escape: cannot be changed from esc",
		`:6: keys.zoom: must be a key or a list of keys, as in "ctrl+p" or ["up", "k"], not 7`,
		`:8: keys.tree.stop: "up" is already the key of tree.up`,
		`:10: keys.composer.send: "ctrl+p" is already the key of palette`,
		":12: keys.list.up: must have at least one key",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("nothing says %q in\n%v", want, err)
		}
	}
	if _, err := loadKeys(t, "[keys.composer]\nsend = \"x\"\n"); err == nil || !strings.Contains(err.Error(), "types text there") {
		t.Errorf("a letter sends: %v", err)
	}
}

// A letter of anywhere means nothing in the composer, so it does not meet a key there.
func TestNewFileListsAllKeys(t *testing.T) {
	t.Parallel()
	b := someBindings()
	text := b.keysTemplate(protocol.English)
	for _, want := range []string{"[keys]", `# palette = "ctrl+p" # all`, "[keys.tree]", `# up = ["up", "k"] # above`, "[keys.list]"} {
		if !strings.Contains(text, want) {
			t.Errorf("a new file has no %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "escape") {
		t.Errorf("it offers \"escape\", which cannot be changed:\n%s", text)
	}
	s, err := loadKeys(t, strings.NewReplacer("# palette", "palette", "# up", "up", "# zoom =", "zoom =").Replace(text))
	if err != nil || len(s.ChangedKeys()) != 4 {
		t.Errorf("uncommented it is %v, %v", s.ChangedKeys(), err)
	}
}
