package boltdb

import "go.etcd.io/bbolt"

// A cursor walks a bucket. Key and value are copies that the next step overwrites.
type cursor struct {
	tx         *tx
	name       string
	bolt       *bbolt.Cursor
	key, value []byte
}

// seek goes to the first key at or after from, nil being before all. It reports
// whether there is one, as all steps do; a step that fails marks the transaction.
func (c *cursor) seek(from []byte) bool {
	return c.move(func() ([]byte, []byte) {
		b := c.tx.bucket(c.name)
		if b == nil {
			return nil, nil
		}
		c.bolt = b.Cursor()
		if from == nil {
			return c.bolt.First()
		}
		return c.bolt.Seek(from)
	})
}

// seekLast goes to the last key before to, nil being after all. Seek has gone
// before, so there is a bucket with a key before to.
func (c *cursor) seekLast(to []byte) bool {
	return c.move(func() ([]byte, []byte) {
		if to != nil {
			if k, _ := c.bolt.Seek(to); k != nil {
				return c.back()
			}
		}
		return c.bolt.Last()
	})
}

func (c *cursor) previous() bool {
	return c.move(c.back)
}

// back steps back over empty pages. There is a key to be found: the caller stops at
// the first one.
func (c *cursor) back() (key, value []byte) {
	for key == nil {
		key, value = c.bolt.Prev()
	}
	return key, value
}

func (c *cursor) step(to func(*bbolt.Cursor) ([]byte, []byte)) bool {
	return c.move(func() ([]byte, []byte) { return to(c.bolt) })
}

func (c *cursor) move(to func() (key, value []byte)) bool {
	found := false
	err := c.tx.do("range", c.name, func() error {
		key, value := to()
		if found = key != nil; found {
			c.key, c.value = append(c.key[:0], key...), append(c.value[:0], value...)
			if c.value == nil {
				c.value = []byte{} // an empty value is not nil
			}
		}
		return nil
	})
	return err == nil && found
}
