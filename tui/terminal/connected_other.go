//go:build !unix

package terminal

import "os"

// HungUp reports false, too: nobody is left to ask.
func HungUp(*os.File) bool { return false }

// connected reports false: a console that hangs up is closed.
func connected(*os.File) bool { return false }
