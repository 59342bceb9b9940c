package apikey

import (
	"context"
	"errors"
	"fmt"

	"github.com/zalando/go-keyring"
)

// service is the name under which the keyring lists the program's keys.
const service = "society-tui"

// A Keyring holds secrets by service and name. SystemKeyring is the one of the user's desktop.
type Keyring interface {
	Get(service, name string) (string, error)
	Set(service, name, secret string) error
	Delete(service, name string) error
}

// SystemKeyring returns the keyring of the system.
func SystemKeyring() Keyring { return system{} }

type system struct{}

func (system) Get(service, name string) (string, error) { return keyring.Get(service, name) }
func (system) Set(service, name, secret string) error   { return keyring.Set(service, name, secret) }
func (system) Delete(service, name string) error        { return keyring.Delete(service, name) }

// within calls f, which cannot be cancelled, and gives it up after a time: a locked keyring
// asks its user first, and one whose service hangs never answers.
func within(ctx context.Context, f func() error) error {
	ctx, cancel := context.WithTimeout(ctx, keyringTime)
	defer cancel()
	done := make(chan error, 1) // so that f ends even if nobody waits any more
	go func() {
		defer func() {
			if p := recover(); p != nil { // of a library that speaks to another program
				done <- fmt.Errorf("it failed with %T", p) // which may hold the key
			}
		}()
		done <- f()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return textKeyringTime.With(keyringTime)
	}
}

// get returns what an entry of a keyring holds, "" if there is none.
func get(ctx context.Context, in Keyring, entry string) (string, error) {
	found := make(chan string, 1)
	err := within(ctx, func() error {
		key, err := in.Get(service, entry)
		found <- key
		return err
	})
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return "", nil
	case err != nil:
		return "", err
	}
	return <-found, nil
}

func (s Source) fromKeyring(ctx context.Context, in Keyring) (string, error) {
	key, err := get(ctx, in, s.name)
	switch {
	case err != nil:
		return "", textNoKeyring.With(err)
	case key == "":
		return "", textNotInKeyring.With()
	}
	return key, nil
}
