//go:build !unix

package terminal

import "os"

// HideInput has an effect on Unix only.
func HideInput(*os.File) (show func()) { return func() {} }
