package sandbox

import (
	"context"
	"slices"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
)

// WithoutNamespaces starts a command as on a system that forbids namespaces.
func WithoutNamespaces(c *Command) { c.without.namespaces = true }

// WithoutLandlock starts a command as on a kernel without Landlock.
func WithoutLandlock(c *Command) { c.without.landlock = true }

// WithOldLandlock starts a command as on a kernel with Landlock's first version.
func WithOldLandlock(c *Command) { c.without.abiAbove = 1 }

// ProbeAs is Probe on such a system.
func ProbeAs(ctx context.Context, with func(*Command)) State {
	var c Command
	with(&c)
	return probe(ctx, c.without)
}

// UnknownCalls returns the forbidden system calls that an architecture does not have.
func UnknownCalls(table *arch.Info) []string {
	return slices.DeleteFunc(slices.Clone(forbidden), func(name string) bool {
		_, ok := table.SyscallNames[name]
		return ok
	})
}

// TryUnrestricted makes a helper that is not restricted try what Probe tries.
func TryUnrestricted(t *testing.T) []Act {
	targets, err := newTargets()
	if err != nil {
		t.Fatal(err)
	}
	defer targets.close()
	h, first, err := send(order{Try: targets}, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.close()
	return append(first.Done, targets.heard()...)
}
