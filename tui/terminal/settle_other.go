//go:build !unix

package terminal

import (
	"os"
	"time"
)

// settle does nothing: the console keeps answers and keys apart.
func settle(*os.File, int, time.Duration) {}
