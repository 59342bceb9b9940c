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
	"society-tui/runtime/i18n"
	"society-tui/runtime/repair"
	"society-tui/runtime/sessions"
	"society-tui/storage"
)

// refused explains why something was not done with the store at path; help is
// the advice if it is open elsewhere. Mistakes in a file keep the words of
// whoever found them.
func (c *console) refused(err error, path, help string) error {
	if held, ok := errors.AsType[*sessions.InUse](err); ok {
		return c.inUse(held, path, help)
	}
	if refusal, ok := errors.AsType[*sessions.Refusal](err); ok {
		for _, known := range []struct {
			why  error
			said i18n.Text
		}{
			{sessions.ErrNothing, textNothingStored},
			{sessions.ErrNoFile, textIrregular},
			{sessions.ErrNoFolder, textNoSuchFolder},
			{sessions.ErrMarkdown, textMarkdown},
			{sessions.ErrNoBackup, textNoBackup},
			{sessions.ErrTar, textTar},
			{repair.ErrUnreadable, textUnreadable},
			{archive.ErrNotEmpty, textHasBegun},
			{archive.ErrPart, textIsPart},
			{fs.ErrExist, textThere},
			{fs.ErrNotExist, textNotThere},
		} {
			if errors.Is(refusal.Err, known.why) {
				return errors.New(c.text(known.said, refusal.Path))
			}
		}
	}
	at := path
	if refusal, ok := errors.AsType[*sessions.Refusal](err); ok {
		at = refusal.Path
	}
	if said := because(err); !said.IsZero() {
		return errors.New(c.text(said, at))
	}
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New(c.text(textGivenUp))
	case errors.Is(err, storage.ErrDamaged):
		return inWords(c.text(textDamaged), err, storage.ErrDamaged, c.text(textDamagedHelp))
	case errors.Is(err, storage.ErrNewer):
		return inWords(c.text(textNewer), err, storage.ErrNewer, c.text(textNewerHelp))
	}
	return explained(err)
}

// because translates an error of the file system; the zero Text if it is
// unknown.
func because(err error) i18n.Text {
	for _, known := range []struct {
		why  error
		said i18n.Text
	}{
		{syscall.ENOTDIR, textNoWay},
		{fs.ErrPermission, textForbidden},
		{syscall.ENAMETOOLONG, textTooLong},
		{syscall.ENOSPC, textNoRoom},
		{syscall.EROFS, textNoWriting},
		{syscall.EIO, textDiskFails},
	} {
		if errors.Is(err, known.why) {
			return known.said
		}
	}
	return i18n.Text{}
}

// inUse names the process that has the society open, with advice.
func (c *console) inUse(held *sessions.InUse, path, help string) error {
	if held.PID == 0 {
		return fmt.Errorf(c.text(textHeld)+"\n%s", path, help)
	}
	return fmt.Errorf(c.text(textHeldBy)+"\n%s", path, held.PID, held.Since.Format(time.DateTime), help)
}

// inWords returns the kind of an error, with the rest of its text below.
func inWords(said string, err, kind error, help string) error {
	return errors.New(said + "\n" + strings.ReplaceAll(err.Error(), kind.Error()+": ", "") + "\n" + help)
}
