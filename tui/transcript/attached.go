package transcript

import (
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/tui/symbols"
)

// withAttached is a message with the files that go with it, a line each.
func withAttached(p i18n.Printer, text string, files []conversation.Attachment) string {
	if len(files) == 0 {
		return text
	}
	var b strings.Builder
	b.WriteString(text)
	for i := range files {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		f := &files[i]
		about := symbols.Bytes(f.Size)
		if f.IsImage() {
			about = p.T(textPixels, f.Width, f.Height) + p.T(symbols.TextComma) + about
		}
		if f.Artifact != "" {
			about += p.T(symbols.TextComma) + "artifact:" + f.Artifact
		}
		b.WriteString(p.T(textAttached, strings.ReplaceAll(f.Name, "\n", " "), about))
	}
	return b.String()
}
