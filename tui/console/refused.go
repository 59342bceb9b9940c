package console

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/society"
	"society-tui/runtime/upkeep"
	"society-tui/storage"
)

// InUse says of a society that is open elsewhere who holds it, and what helps then.
// Other errors are told as they are.
func (c *Console) InUse(err error, path, help string) error {
	held, ok := errors.AsType[*upkeep.InUse](err)
	switch {
	case !ok:
		return err
	case held.PID == 0:
		return fmt.Errorf(c.Words.Held+"\n%s", path, help)
	}
	return fmt.Errorf(c.Words.HeldBy+"\n%s", path, held.PID, held.Since.Format(time.DateTime), help)
}

// refused says in words why something was not done with what is stored. What is wrong
// in a file is told by whoever found it.
func (c *Console) refused(err error) error {
	w := &c.Words
	if refusal, ok := errors.AsType[*upkeep.Refusal](err); ok {
		for _, known := range []struct {
			why  error
			said string
		}{
			{upkeep.ErrNothing, w.NothingStored},
			{upkeep.ErrNoFile, w.Irregular},
			{upkeep.ErrMarkdown, w.Markdown},
			{archive.ErrNotEmpty, w.HasBegun},
			{archive.ErrPart, w.IsPart},
			{fs.ErrExist, w.There},
			{fs.ErrNotExist, w.NotThere},
		} {
			if errors.Is(refusal.Err, known.why) {
				return fmt.Errorf(known.said, refusal.Path)
			}
		}
	}
	switch {
	case errors.Is(err, storage.ErrDamaged):
		return inWords(w.Damaged, err, storage.ErrDamaged)
	case errors.Is(err, storage.ErrNewer):
		return inWords(w.Newer, err, storage.ErrNewer)
	}
	return err
}

// inWords says what kind of error it is, and beneath the rest of its text.
func inWords(said string, err, kind error) error {
	return errors.New(said + "\n" + strings.ReplaceAll(err.Error(), kind.Error()+": ", ""))
}

// nobody says of an export that there is no such agent.
func (c *Console) nobody(err error, agent society.AgentID) error {
	if errors.Is(err, archive.ErrNobody) {
		return fmt.Errorf(c.Words.Nobody, agent)
	}
	return err
}
