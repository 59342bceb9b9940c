package tui

import (
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/words"
)

func TestEveryKeyMeansOneThingInOnePlaceAndIsExplained(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		type at struct {
			where place
			key   string
		}
		seen := map[at]bool{}
		for _, b := range table(words.ForKeys(lang)) {
			if b.help == "" || b.does == nothing || len(b.keys) == 0 {
				t.Errorf("%v: %+v is not complete", lang, b)
			}
			for _, k := range b.keys {
				if seen[at{b.where, k}] {
					t.Errorf("%s means two things in place %d", k, b.where)
				}
				seen[at{b.where, k}] = true
			}
		}
	}
}

func TestLettersAreTextWhileOneWrites(t *testing.T) {
	t.Parallel()
	m := newKeymap(words.ForKeys(protocol.English), nil, func(string) bool { return true })
	for key := range m.byKey[anywhere] {
		if len(key) == 1 && m.find(key, inComposer, true) != nothing {
			t.Errorf("%q does something in the composer", key)
		}
	}
	if m.find("?", inTree, false) != showHelp || m.find("f1", inComposer, true) != showHelp {
		t.Error("the help cannot be reached")
	}
}

func TestOnlyVerbsFollowThePrefix(t *testing.T) {
	t.Parallel()
	m := newKeymap(words.ForKeys(protocol.English), nil, func(string) bool { return true })
	for _, key := range []string{"tab", "ctrl+n", "x", "esc", "ctrl+x"} {
		if does := m.find(key, afterPrefix, false); does != nothing {
			t.Errorf("ctrl+x %s does %d", key, does)
		}
	}
	if m.find("t", afterPrefix, false) != terminate {
		t.Error("ctrl+x t does not terminate")
	}
}

// The bindings that do the same everywhere must not be hidden by a room's own.
func TestNoRoomHidesAKeyThatWorksAnywhere(t *testing.T) {
	t.Parallel()
	m := newKeymap(words.ForKeys(protocol.English), nil, func(string) bool { return true })
	for key, b := range m.byKey[anywhere] {
		for _, where := range []place{inTree, inChat, inInspector, inComposer} {
			if does := m.find(key, where, where == inComposer); does != b.does && !(TypesText(key) && where == inComposer) {
				t.Errorf("%s does %d in place %d and %d elsewhere", key, does, where, b.does)
			}
		}
	}
}

// A letter in a sentence follows the table in every language.
func TestLettersInSentencesFollowTheTable(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		changed := map[string][]string{}
		for _, b := range Bindings(lang) {
			changed[b.Name] = []string{"§"}
		}
		a := newApp(t.Context(), Config{Lang: lang, Keys: changed})
		n, r := a.words.notices, a.words.roles
		said, ways := words.ForConversation(lang), words.ForGraph(lang)
		a.spell(table(words.ForKeys(lang)), &said, &ways)
		for sentence, letters := range map[string][]string{
			n.Cycles: {"f"}, n.AllPinsTaken: {"p"}, n.HintMarked: {"i", "s", "T"}, n.HintToWrite: {"F1"}, n.HintCommands: {"tab"},
			n.HintOlder: {"down", "ctrl+r"}, r.HintStranded: {"m", "alt+r"}, r.HintLostGraph: {"g", "alt+r"}, ways.NoneHint: {"g"}, said.ToFollow: {"end"},
			n.HintBring: {"ctrl+y"}, n.HintResume: {"ctrl+x r"}, n.HintGo: {"ctrl+n"},
		} {
			if !strings.Contains(sentence, "§") {
				t.Errorf("%s: %q names no key of the table", lang, sentence)
			}
			for _, letter := range letters {
				if wordAt(sentence, letter) >= 0 {
					t.Errorf("%s: %q names %s, which is bound no more", lang, sentence, letter)
				}
			}
		}
	}
}
