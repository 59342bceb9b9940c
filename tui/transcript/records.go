package transcript

import (
	"encoding/json"
	"slices"
	"strings"
)

// withoutRecords returns a text without the lines in which the offline model keeps encoded
// messages for itself when it compresses its context: neither the conversation nor a search
// shows them.
func withoutRecords(text string) string {
	const begins = `[{"Role":`
	if !strings.Contains(text, begins) {
		return text
	}
	lines := slices.DeleteFunc(strings.Split(text, "\n"), func(line string) bool {
		line = strings.TrimSpace(line)
		return strings.HasPrefix(line, begins) && json.Valid([]byte(line))
	})
	return strings.Join(lines, "\n")
}
