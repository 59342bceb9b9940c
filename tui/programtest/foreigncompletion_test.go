package programtest

import (
	"strings"
	"testing"
)

func TestFishCompletesTheCommandLine(t *testing.T) {
	needsForeign(t, "fish")
	h := completing(t)
	for line, want := range completed {
		got := strings.TrimSpace(inShell(t, h, "fish", "society-tui completion fish | source; complete -C '"+line+"'"))
		if word, _, _ := strings.Cut(got, "\t"); word != want {
			t.Errorf("%s: offers %q, want %q", line, got, want)
		}
	}
}

// zsh completes only in a terminal of its own. There a function takes the place of the
// program and tells with which words it was run.
const zshTerminal = `
zmodload zsh/zpty
zpty inner zsh -f
until_seen() { local out; while zpty -r inner out; do [[ $out == *$1* ]] && { print -r -- "$out"; return; }; done; }
zpty -w inner "autoload -U compinit; compinit -u -d ./dump; source <(command society-tui completion zsh); society-tui() { print -r -- \"RAN:\$*\"; }; print re''ady"
until_seen ready >/dev/null
zpty -w inner "$LINE"$'\t'
until_seen RAN:
zpty -d inner
`

func TestZshCompletesTheCommandLine(t *testing.T) {
	needsForeign(t, "zsh")
	h := completing(t)
	for line, want := range completed {
		h.env = append(h.env, "LINE="+line)
		_, got, _ := strings.Cut(inShell(t, h, "zsh", zshTerminal), "RAN:")
		before := strings.TrimPrefix(line[:strings.LastIndex(line, " ")+1], "society-tui ")
		if strings.TrimSpace(got) != before+want {
			t.Errorf("%s: runs %q, want %q", line, got, before+want)
		}
	}
}
