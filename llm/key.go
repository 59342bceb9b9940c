package llm

import "context"

// A KeySeeker is a Model that looks for its key when that is needed: by a command or in a
// keyring, which are for when it is used, or for a user who asks.
type KeySeeker interface {
	Model
	// SeeksKey reports whether the key was not found so far.
	SeeksKey() bool
	// FindKey finds the key, unless that was done.
	FindKey(ctx context.Context) error
	// Account tells the key that was found from others and says nothing of it; it is "" before
	// one was found.
	Account() string
}

// SeeksKey reports whether a model has to look for its key before it can be asked.
func SeeksKey(m Model) bool {
	s, ok := m.(KeySeeker)
	return ok && s.SeeksKey()
}

// FindKey has a model find its key if it has to look for one. The error is that of Generate.
func FindKey(ctx context.Context, m Model) error {
	if s, ok := m.(KeySeeker); ok {
		return s.FindKey(ctx)
	}
	return nil
}

// AccountOf returns the Account of a KeySeeker, "" for any other model.
func AccountOf(m Model) string {
	if s, ok := m.(KeySeeker); ok {
		return s.Account()
	}
	return ""
}

type otherKey struct{}

// WithOtherKey returns a context under which a KeySeeker calls may before it asks again because
// its key was refused and it has found another. If that returns an error it does not ask.
func WithOtherKey(ctx context.Context, may func(refused error) error) context.Context {
	return context.WithValue(ctx, otherKey{}, may)
}

// MayAskWithOtherKey calls what the context has of WithOtherKey.
func MayAskWithOtherKey(ctx context.Context, refused error) error {
	if may, ok := ctx.Value(otherKey{}).(func(error) error); ok {
		return may(refused)
	}
	return nil
}
