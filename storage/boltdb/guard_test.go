package boltdb

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"society-tui/storage"
)

// A panic of bbolt becomes an error that users are shown. It tells what is wrong, and nothing of
// what the store holds.
func TestAPanicOfTheStoreTellsNothingThatItHolds(t *testing.T) {
	t.Parallel()
	const canary = "sk-canary-0123456789"
	none := []int{}
	for name, c := range map[string]struct {
		panics func()
		want   string
	}{
		"a record":    {func() { panic(fmt.Sprintf("misplaced bucket header: %x -> %x", canary, canary)) }, "misplaced bucket header: …"},
		"its text":    {func() { panic("put: " + canary) }, "put: …"},
		"an error":    {func() { panic(fmt.Errorf("key %q", canary)) }, "key …"},
		"a value":     {func() { panic(struct{ Key []byte }{[]byte(canary)}) }, "struct { Key []uint8 }"},
		"bytes":       {func() { panic(fmt.Sprintf("key: %v", []byte(canary))) }, "key: …"},
		"a page":      {func() { panic("page 17 already freed") }, "page 17 already freed"},
		"a mark":      {func() { panic("pgid (9) above high water mark (4)") }, "pgid (9) above high water mark (4)"},
		"many":        {func() { panic("ids: " + strings.Repeat("17 ", 100000)) }, "ids: 17 17"},
		"a fault":     {func() { _ = none[len(none)] }, "index out of range"},
		"out of line": {func() { panic("a\x1b[2Jb\nc") }, "…"},
	} {
		err := guarded("commit", func() error { c.panics(); return nil })
		said := fmt.Sprint(err)
		if !errors.Is(err, storage.ErrDamaged) || !strings.HasPrefix(said, "commit: ") || !strings.Contains(said, c.want) {
			t.Errorf("%s: %s, want …%s…", name, said, c.want)
		}
		if strings.Contains(said, "canary") || strings.Contains(said, fmt.Sprintf("%x", canary)) || strings.Contains(said, "107 45") || len(said) > 500 {
			t.Errorf("%s tells too much: %.600s", name, said)
		}
	}
}
