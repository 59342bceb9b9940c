package tables

import (
	"encoding/binary"
	"encoding/json"
	"time"

	"society-tui/storage"
)

// Replies to requests with a key are kept so long, and so many.
const (
	AnsweredFor  = 24 * time.Hour
	AnsweredMost = 10_000
	// forgetAtOnce is how many old replies go when one is kept: more than one, so that
	// they get fewer.
	forgetAtOnce = 8
)

// An Answered is the stored reply to a request with a key.
type Answered struct {
	N      uint64          `json:"n"`
	At     time.Time       `json:"at"`
	Digest []byte          `json:"digest"` // of the request
	Kind   string          `json:"kind"`   // of the reply
	Reply  json.RawMessage `json:"reply"`
}

// KeepAnswered stores the reply to the request with a key, and forgets old ones.
func KeepAnswered(tx storage.Tx, key string, a Answered) error {
	for number := range tx.Backward(answeredKeys, nil, nil) {
		a.N = binary.BigEndian.Uint64(number) + 1
		break
	}
	if old, found, err := AnsweredBy(tx, key); err != nil {
		return err
	} else if found { // else its old number would stand for the new reply
		if err := remove(tx, answeredKeys, atNumber(old.N)); err != nil {
			return err
		}
	}
	p := write(tx)
	if err := p.put(answered, []byte(key), &a); err != nil {
		return err
	}
	if err := p.put(answeredKeys, atNumber(a.N), key); err != nil {
		return err
	}
	return forgetAnswered(tx, a.N, a.At)
}

// forgetAnswered deletes the oldest replies that are too many or too old.
func forgetAnswered(tx storage.Tx, last uint64, now time.Time) error {
	var old []string
	var numbers []uint64
	for number, raw := range tx.Range(answeredKeys, nil, nil) {
		var key string
		if err := decode(tx, answeredKeys, number, raw, &key); err != nil {
			return err
		}
		n := binary.BigEndian.Uint64(number)
		a, _, err := AnsweredBy(tx, key)
		if err != nil {
			return err
		}
		if last-n < AnsweredMost && now.Sub(a.At) < AnsweredFor || len(old) == forgetAtOnce {
			break
		}
		old, numbers = append(old, key), append(numbers, n)
	}
	for i, key := range old {
		if err := remove(tx, answered, []byte(key)); err != nil {
			return err
		}
		if err := remove(tx, answeredKeys, atNumber(numbers[i])); err != nil {
			return err
		}
	}
	return nil
}

// AnsweredBy returns the stored reply to the request with a key.
func AnsweredBy(tx storage.Tx, key string) (a Answered, found bool, err error) {
	found, err = get(tx, answered, []byte(key), &a)
	return a, found, err
}
