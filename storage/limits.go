package storage

import "fmt"

// CheckPut returns ErrNoKey or ErrTooLarge, wrapped with what was too large, for what an
// implementation's Put must refuse, so that all of them have the same limits.
func CheckPut(bucket string, key, value []byte) error {
	switch {
	case bucket == "" || len(key) == 0:
		return fmt.Errorf("put into bucket %.64q: %w", bucket, ErrNoKey)
	case len(bucket) > MaxKey:
		return fmt.Errorf("name of a bucket of %d bytes: %w", len(bucket), ErrTooLarge)
	case len(key) > MaxKey:
		return fmt.Errorf("key of %d bytes in bucket %.64q: %w", len(key), bucket, ErrTooLarge)
	case len(value) > MaxValue:
		return fmt.Errorf("value of %d bytes in bucket %.64q: %w", len(value), bucket, ErrTooLarge)
	}
	return nil
}

// CheckPutBlob is CheckPut for the arguments of PutBlob.
func CheckPutBlob(owner, data []byte) error {
	switch {
	case len(owner) == 0:
		return fmt.Errorf("put %d bytes: %w", len(data), ErrNoKey)
	case len(owner) > MaxKey:
		return fmt.Errorf("owner of %d bytes: %w", len(owner), ErrTooLarge)
	case len(data) > MaxBlob:
		return fmt.Errorf("%d bytes beside the store: %w", len(data), ErrTooLarge)
	}
	return nil
}
