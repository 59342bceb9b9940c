package sandbox_test

import (
	"slices"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"

	"society-tui/runtime/sandbox"
)

// TestEveryForbiddenCallIsKnownByName: a name that the library does not know would be permitted.
func TestEveryForbiddenCallIsKnownByName(t *testing.T) {
	t.Parallel()
	absent := map[*arch.Info][]string{
		arch.X86_64:  nil,
		arch.AARCH64: {"iopl", "ioperm", "modify_ldt"}, // of other processors
	}
	for table, want := range absent {
		if got := sandbox.UnknownCalls(table); !slices.Equal(got, want) {
			t.Errorf("%s lacks %q, want %q", table.Name, got, want)
		}
	}
}
