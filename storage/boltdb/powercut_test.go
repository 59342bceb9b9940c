package boltdb

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/storage"
)

// A powerCut knows what the disk certainly holds after a power cut: content that was
// synced, under a name in a folder that was synced after it was given.
type powerCut struct {
	content map[string]bool // drafts whose content was synced
	renamed map[string]bool // names that are not certain yet
	certain map[string]bool // names
	named   map[string]bool // by the last commit
	err     error
}

// noted is told what is about to happen. A rename or a removal may reach the disk at once,
// a sync is over only when the next thing happens; here it counts at once, since a commit
// that comes before it is what must not be.
func (c *powerCut) noted(act, path string) {
	name := filepath.Base(path)
	switch {
	case act == "sync":
		c.content[name] = true
	case act == "remove":
		delete(c.certain, name)
		delete(c.renamed, name)
	case act == "sync folder":
		maps.Copy(c.certain, c.renamed)
	case strings.HasPrefix(act, "rename "):
		c.renamed[name] = c.content[strings.TrimPrefix(act, "rename ")]
	}
	c.check(act + " " + path)
}

func (c *powerCut) committed(named map[string]bool) {
	c.named = named
	c.check("the commit")
}

func (c *powerCut) check(after string) {
	for name := range c.named {
		if !c.certain[name] && c.err == nil {
			c.err = fmt.Errorf("after %s the power is cut, and %s is named and not there", after, name)
		}
	}
}

// Whenever the power is cut, every hash that the last commit names is on disk.
func TestNamedBytesAreOnDiskAtEveryPowerCut(t *testing.T) {
	t.Parallel()
	c := &powerCut{content: map[string]bool{}, renamed: map[string]bool{}, certain: map[string]bool{}}
	s, err := open(filepath.Join(t.TempDir(), "society.db"), limits{size: MaxSize, lockWait: lockWait, noted: c.noted, steps: steps()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	kept := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		for range rapid.IntRange(1, 6).Draw(t, "updates") {
			next := maps.Clone(kept)
			err := s.Update(func(x storage.Tx) error {
				for range rapid.IntRange(1, 4).Draw(t, "acts") {
					owner, data := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "owner"), rapid.SampledFrom([]string{"", "x", "y", "z"}).Draw(t, "data")
					if data == "" {
						delete(next, owner)
						if err := x.DeleteBlob([]byte(owner)); err != nil {
							return err
						}
						continue
					}
					blob, err := x.PutBlob([]byte(owner), []byte(data))
					if err != nil {
						return err
					}
					next[owner] = string(blob.Hash)
				}
				x.(*tx).bolt.OnCommit(func() {
					named := map[string]bool{}
					for _, name := range next {
						named[name] = true
					}
					c.committed(named)
				})
				return nil
			})
			if err == nil {
				err = c.err
			}
			if err != nil {
				t.Fatal(err)
			}
			kept = next
		}
	})
}
