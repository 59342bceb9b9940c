package sandbox

import (
	"context"
	"testing"
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

// TryUnrestricted makes a helper that is not restricted try what Probe tries.
func TryUnrestricted(t *testing.T) []Act {
	targets, err := newTargets()
	if err != nil {
		t.Fatal(err)
	}
	defer targets.close()
	h, first, err := send(order{Try: targets}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h.close()
	return append(first.Done, targets.heard()...)
}
