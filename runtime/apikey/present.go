package apikey

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"
)

// NoKeyring returns why there is no keyring, nil if there is one. It reads an entry that no key
// has.
func (s Store) NoKeyring(ctx context.Context) error {
	err := within(ctx, func() error {
		_, err := s.Keyring.Get(service, service)
		return err
	})
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return err
}
