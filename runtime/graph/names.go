package graph

import (
	"fmt"
	"slices"
)

// The kinds, outcomes, verdicts and phases of a path are numbers in memory, where
// there are many of them, and names wherever they are written down: of those only
// the names may never change.

// nameOf returns the n-th name.
func nameOf(n uint8, names []string) string {
	if int(n) < len(names) {
		return names[n]
	}
	return fmt.Sprint("?", n)
}

// numberOf returns which name it is.
func numberOf(name []byte, names []string) (uint8, error) {
	if i := slices.Index(names, string(name)); i >= 0 {
		return uint8(i), nil
	}
	return 0, fmt.Errorf("%q is none of %q", name, names)
}

func workNames() []string { return []string{"", "execute", "judge", "choose", "wait", "join"} }

func (k WorkKind) String() string { return nameOf(uint8(k), workNames()) }

// MarshalText writes the name.
func (k WorkKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name.
func (k *WorkKind) UnmarshalText(name []byte) error {
	n, err := numberOf(name, workNames())
	*k = WorkKind(n)
	return err
}

func outcomeNames() []string { return []string{"", "ok", "failed", "late", "cut", "unclear"} }

func (o Outcome) String() string { return nameOf(uint8(o), outcomeNames()) }

// MarshalText writes the name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// UnmarshalText reads the name.
func (o *Outcome) UnmarshalText(name []byte) error {
	n, err := numberOf(name, outcomeNames())
	*o = Outcome(n)
	return err
}

func verdictNames() []string { return []string{"", "yes", "no"} }

func (v Verdict) String() string { return nameOf(uint8(v), verdictNames()) }

// MarshalText writes the name.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// UnmarshalText reads the name.
func (v *Verdict) UnmarshalText(name []byte) error {
	n, err := numberOf(name, verdictNames())
	*v = Verdict(n)
	return err
}

func phaseNames() []string {
	return []string{"", "gate", "ready", "again", "leaving", "forked", "joining", "arrived", "untaken"}
}

func (p phase) String() string { return nameOf(uint8(p), phaseNames()) }

// MarshalText writes the name.
func (p phase) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the name.
func (p *phase) UnmarshalText(name []byte) error {
	n, err := numberOf(name, phaseNames())
	*p = phase(n)
	return err
}
