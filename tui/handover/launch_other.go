//go:build !unix

package handover

import (
	"os"

	"society-tui/runtime/i18n"
)

var textNoBackground = i18n.Text{EN: "this system has no processes without a terminal; run society-tui serve instead", ZH: "此系统没有脱离终端的进程；请改用 society-tui serve"}

// Launch returns an error: here no process outlives its terminal.
func Launch([]string, *os.File) (Process, error) { return nil, textNoBackground.With() }

// Inherited returns an error.
func Inherited() (*Parent, error) { return nil, textNoBackground.With() }
