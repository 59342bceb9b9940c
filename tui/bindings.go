package tui

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/protocol"
	"society-tui/tui/words"
)

// A Binding is a row of the table of keys, as the settings name it.
type Binding struct {
	Name string // "palette", and in a place that has keys of its own "tree.stop"
	Keys []string
	Help string
	// Place is where its keys mean it, "" for anywhere.
	Place string
	// Fixed says that it always has these keys.
	Fixed bool
}

// Bindings are all of them with the keys they have if nobody says otherwise.
func Bindings(lang protocol.Lang) []Binding {
	table := table(words.ForKeys(lang))
	all := make([]Binding, len(table))
	for i, b := range table {
		all[i] = Binding{Name: b.name(), Keys: b.keys, Help: b.help, Place: b.where.name(), Fixed: b.fixed()}
	}
	return all
}

// name is what the settings call a place.
func (p place) name() string {
	return [...]string{
		anywhere: "", inTree: "tree", inChat: "conversation", inInspector: "inspector", inComposer: "composer",
		inList: "list", inSheet: "prompt", afterPrefix: "verbs",
	}[p]
}

// name is what the settings call a binding.
func (b *binding) name() string {
	if b.where == anywhere {
		return b.does.name()
	}
	return b.where.name() + "." + b.does.name()
}

// fixed are the ways out, on which dialogs, lists and filters rest.
func (b *binding) fixed() bool {
	return b.does == escape || b.does == escEsc || b.does == controlC
}

// IsKey says whether a text names a key, as the table does: "ctrl+p", "alt+up",
// "T", "space".
func IsKey(text string) bool {
	rest := text
	for _, modifier := range []string{"ctrl+", "alt+", "shift+"} {
		rest = strings.TrimPrefix(rest, modifier)
	}
	if n := utf8.RuneCountInString(rest); n == 1 {
		c, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsGraphic(c) && c != ' ' && !strings.Contains(text, "shift+") && (rest == text || !unicode.IsUpper(c))
	}
	return slices.Contains(namedKeys(), rest)
}

func namedKeys() []string {
	return []string{
		"enter", "tab", "space", "esc", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
		"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
	}
}

// TypesText says whether a key writes something where one writes.
func TypesText(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }

// rebound is the table with other keys for some bindings, by their names.
func rebound(table []binding, changed map[string][]string) []binding {
	for i := range table {
		if keys := changed[table[i].name()]; len(keys) > 0 && !table[i].fixed() {
			table[i].keys = keys
		}
	}
	return table
}

// inSentences puts the keys that there are into sentences that name keys: those
// behind ctrl, alt or shift, and those of the verbs. See spell for letters.
func (m *keymap) inSentences(usual []binding) *strings.Replacer {
	var verbs, others []string
	was := func(does action) string {
		at := slices.IndexFunc(usual, func(b binding) bool { return b.does == does })
		return usual[at].keys[0]
	}
	for i, b := range usual {
		now := m.bindings[i].keys
		for k, key := range b.keys {
			if b.where == afterPrefix {
				verbs = append(verbs, was(armVerbs)+" "+key, m.first(armVerbs)+" "+now[min(k, len(now)-1)])
			} else if (b.where == anywhere || b.where == inComposer) && !TypesText(key) && strings.Contains(key, "+") {
				others = append(others, key, now[min(k, len(now)-1)])
			}
		}
	}
	return strings.NewReplacer(append(verbs, others...)...)
}

// spell puts the first key that there is of each action of a place into a sentence that
// names the usual one as a word of its own: a letter, which elsewhere is only text.
func (m *keymap) spell(sentence *string, usual []binding, where place, does ...action) {
	for _, does := range does {
		at := slices.IndexFunc(usual, func(b binding) bool { return b.does == does && b.where == where })
		for _, was := range []string{usual[at].keys[0], strings.ToUpper(usual[at].keys[0])} { // F1
			if from := wordAt(*sentence, was); from >= 0 {
				*sentence = (*sentence)[:from] + m.at(where, does) + (*sentence)[from+len(was):]
				break
			}
		}
	}
}

// wordAt is where a key stands in a sentence as a word of its own, not as a part of
// another key, -1 if it does not.
func wordAt(sentence, key string) int {
	inside := func(r rune) bool { return r == '+' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		at := strings.Index(sentence[from:], key)
		if at < 0 {
			return -1
		}
		at += from
		from = at + len(key)
		before, _ := utf8.DecodeLastRuneInString(sentence[:at])
		after, _ := utf8.DecodeRuneInString(sentence[from:])
		if !inside(before) && !inside(after) {
			return at
		}
	}
}

// name is what the settings call an action.
func (does action) name() string {
	return [...]string{
		nothing: "", nextPane: "next_pane", prevPane: "previous_pane", focusTree: "to_tree", focusChat: "to_conversation",
		focusInspector: "to_inspector", nextAsks: "next_needs_you", prevAsks: "previous_needs_you", openParent: "parent", goBack: "back",
		openPinned: "pinned", showHelp: "help", repaint: "repaint", suspend: "suspend", hideTree: "tree_on_off", zoom: "zoom",
		narrower: "narrower", wider: "wider", armVerbs: "verbs_follow", escape: "escape", escEsc: "escape_twice", controlC: "quit",
		releaseMouse: "mouse", openRoles: "roles", openPalette: "palette", openTimeline: "timeline", openSessions: "sessions", export: "export", openNotices: "messages", whole: "whole",
		take: "take", makeRole: "make_role", editRole: "edit_role", chooseModel: "model", chooseGraph: "graph", renameSession: "rename_session", deleteSession: "delete_session", save: "save",
		interrupt: "interrupt", interruptSend: "interrupt_and_send", stop: "stop", stopOrResume: "stop_or_resume", pause: "pause", resume: "resume",
		terminate: "terminate", retry: "retry", editWaiting: "edit_waiting", dropWaiting: "drop_waiting",
		up: "up", down: "down", pageUp: "page_up", pageDown: "page_down", halfUp: "half_up", halfDown: "half_down", top: "first", bottom: "last",
		collapse: "collapse", expand: "expand", expandAll: "expand_all", collapseAll: "collapse_all", talk: "talk", mark: "mark",
		filter: "filter", show: "show", reorder: "order", pin: "pin", copyID: "copy_id", copyAnswer: "copy_answer",
		prevMessage: "previous_message", nextMessage: "next_message", search: "search", olderMatch: "older_match", newerMatch: "newer_match", fold: "fold", detail: "detail", copyItem: "copy", copyCode: "copy_code",
		follow: "follow", quickReply: "quick_reply", turnTab: "tab",
		send: "send", newline: "newline", historyBack: "older", historyOn: "newer", historySearch: "search_history", editor: "editor", bring: "bring_back",
	}[does]
}
