package archive_test

import (
	"strings"
	"testing"

	"society-tui/runtime/archive"
	"society-tui/runtime/archive/archivetest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// What was set aside is in every export of conversations and marked there, and comes back
// with its mark.
func TestExportsKeepWhatWasSetAsideAndSaySo(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 4)
	p.End("worker-2")
	p.Do(society.Answered{Work: p.Thinks(society.Root), Text: "at rest"})
	p.Do(society.Send{To: society.Root, Text: "the question that was written anew"})
	p.Do(society.Answered{Work: p.Thinks(society.Root), Text: "the first answer"})
	p.Rewind(society.Root) // two entries, and as many of the copy
	p.Do(society.Fork{Agent: society.Root})
	text := written(t, p.Store, archive.WriteMarkdown, archive.Options{Agent: society.Root})
	if !strings.Contains(text, "the question that was written anew") || strings.Count(text, " · set aside at 20") != 4 || strings.Contains(text, `\+`) {
		t.Errorf("the Markdown is\n%s", text)
	}
	if text := written(t, p.Store, archive.WriteMarkdown, archive.Options{Agent: society.Root, Lang: protocol.Chinese}); strings.Count(text, "搁置，不再发送给模型") != 4 {
		t.Errorf("the Chinese Markdown is\n%s", text)
	}
	again := imported(t, exported(p, archive.Options{}))
	if got, want := archivetest.Describe(t, again), archivetest.Describe(t, p.Store); got != want {
		t.Errorf("imported:\n%s\nwant\n%s", got, want)
	}
	back := written(t, again, archive.WriteMarkdown, archive.Options{Agent: society.Root})
	if strings.Count(back, " · set aside at 20") != 4 {
		t.Errorf("imported, the Markdown is\n%s", back)
	}
}
