package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/repair"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// refused explains why something was not done with the society that is stored at path;
// help is what to do if it is open elsewhere. What is wrong in a file keeps the words of
// whoever found it.
func (c *console) refused(err error, path, help string) error {
	w := &c.words
	if held, ok := errors.AsType[*sessions.InUse](err); ok {
		return c.inUse(held, path, help)
	}
	if refusal, ok := errors.AsType[*sessions.Refusal](err); ok {
		for _, known := range []struct {
			why  error
			said string
		}{
			{sessions.ErrNothing, w.NothingStored},
			{sessions.ErrNoFile, w.Irregular},
			{sessions.ErrNoFolder, w.NoSuchFolder},
			{sessions.ErrMarkdown, w.Markdown},
			{repair.ErrUnreadable, w.Unreadable},
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
	at := path
	if refusal, ok := errors.AsType[*sessions.Refusal](err); ok {
		at = refusal.Path
	}
	if said := c.because(err); said != "" {
		return fmt.Errorf(said, at)
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New(w.GivenUp)
	case errors.Is(err, storage.ErrDamaged):
		return inWords(w.Damaged, err, storage.ErrDamaged, w.DamagedHelp)
	case errors.Is(err, storage.ErrNewer):
		return inWords(w.Newer, err, storage.ErrNewer, w.NewerHelp)
	}
	return err
}

// because returns what the system says against a file, %s; "" for what has no words
// here.
func (c *console) because(err error) string {
	w := &c.words
	for _, known := range []struct {
		why  error
		said string
	}{
		{syscall.ENOTDIR, w.NoWay},
		{fs.ErrPermission, w.Forbidden},
		{syscall.ENAMETOOLONG, w.TooLong},
		{syscall.ENOSPC, w.NoRoom},
		{syscall.EROFS, w.NoWriting},
		{syscall.EIO, w.DiskFails},
	} {
		if errors.Is(err, known.why) {
			return known.said
		}
	}
	return ""
}

// inUse reports who holds a society that is open elsewhere, and what helps then.
func (c *console) inUse(held *sessions.InUse, path, help string) error {
	if held.PID == 0 {
		return fmt.Errorf(c.words.Held+"\n%s", path, help)
	}
	return fmt.Errorf(c.words.HeldBy+"\n%s", path, held.PID, held.Since.Format(time.DateTime), help)
}

// inWords returns the kind of an error, with the rest of its text beneath.
func inWords(said string, err, kind error, help string) error {
	return errors.New(said + "\n" + strings.ReplaceAll(err.Error(), kind.Error()+": ", "") + "\n" + help)
}

// nobody explains of an export that there is no such agent.
func (c *console) nobody(err error, agent society.AgentID) error {
	if errors.Is(err, archive.ErrNobody) {
		return fmt.Errorf(c.words.Nobody, agent)
	}
	return err
}
