package runtime

import (
	"crypto/sha256"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// mostInstructions is how many bytes of a file of instructions agents are sent at most.
const mostInstructions = 32 << 10

// Instructions is a file in which a workspace says how to work in it.
type Instructions struct {
	Name, Text string // "" if there is none
	Changed    time.Time
}

// An instructed remembers which instructions agents were told first.
type instructed struct {
	mu   sync.Mutex
	told bool
	hash [sha256.Size]byte
	// other is set when there was another text since.
	other bool
}

// changed reports whether agents were told another text, in this run of the program.
func (i *instructed) changed(text string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	hash := sha256.Sum256([]byte(text))
	if !i.told {
		i.told, i.hash = true, hash
	}
	i.other = i.other || hash != i.hash
	return i.other
}

// withInstructions returns a system prompt with the workspace's instructions behind it, as
// they are now.
func (r *Runtime) withInstructions(lang protocol.Lang, budget conversation.Budget, system string) string {
	if r.cfg.Instructions == nil {
		return system
	}
	is := r.cfg.Instructions()
	again := r.instructed.changed(is.Text)
	text := strings.ToValidUTF8(strings.ReplaceAll(is.Text, "\r\n", "\n"), string(utf8.RuneError))
	switch {
	case strings.TrimSpace(text) == "" && again:
		return system + "\n\n" + protocol.WithoutInstructions(lang)
	case strings.TrimSpace(text) == "":
		return system
	}
	budget.Whole, budget.Part = min(budget.Whole, mostInstructions), min(budget.Part, mostInstructions)
	return system + "\n\n" + protocol.Instructions(lang, is.Name, shorten(lang, text, budget, is.Name), is.Changed, again)
}
