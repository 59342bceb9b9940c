//go:build !unix

package terminal

import (
	"os"
	"time"
)

// settle does nothing: the console separates answers and keys.
func settle(*os.File, int, time.Duration) {}
