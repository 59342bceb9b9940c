package chatapi

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// toolNames are the tools that a request offers, by the names under which they are sent, with
// their own.
type toolNames map[string]string

// namesOf returns the names of tools. Each is one that every endpoint takes: one that is not
// is mended, and ends with a hash of its own, so that two of them stay apart.
func namesOf(tools []llm.ToolSpec) toolNames {
	names := make(toolNames, len(tools))
	for i := range tools {
		names[sentName(tools[i].Name)] = tools[i].Name
	}
	return names
}

// sentName returns the name under which a tool of that name is offered.
func sentName(own string) string {
	if isName(own) {
		return own
	}
	sum := sha256.Sum256([]byte(own))
	tail := "_" + hex.EncodeToString(sum[:3])
	name := sendableName(own)
	return name[:min(len(name), longestName-len(tail))] + tail
}

// isName reports whether every endpoint takes a name: a letter or _, then at most 63 letters,
// digits, _ or -.
func isName(name string) bool { return name != "" && sendableName(name) == name }

// pastName returns the name of a call in a history: of a tool that is offered the one that it
// has there, of any other one that no endpoint refuses.
func (n toolNames) pastName(own string) string {
	sent := sentName(own)
	if offered, there := n[sent]; there && offered == own {
		return sent
	}
	return sendableName(own)
}

// around matches what models and endpoints put around the name of a tool: where it comes
// from, and the number of the call or a token of the model behind it.
var around = lazyregexp.New(`^(?:(?:functions|default_api|tools)[.:])+|(?::\d+|<\|.*)$`)

// own returns the own name of a tool that was called. A name that was not offered is tried
// without what stands around it; if that was not offered either, it stays as it is.
func (n toolNames) own(called string) string {
	if own, offered := n[called]; offered {
		return own
	}
	bare := strings.TrimSpace(called)
	for {
		if own, offered := n[bare]; offered {
			return own
		}
		less := strings.TrimSpace(around.ReplaceAllString(bare, ""))
		if less == bare {
			break
		}
		bare = less
	}
	for _, own := range n {
		if own == called || own == bare { // it knows the name from a description
			return own
		}
	}
	return called
}
