package complete

import "embed"

//go:embed scripts
var scripts embed.FS

// Shells returns the names of the shells that [Script] knows.
func Shells() []string { return []string{"bash", "zsh", "fish", "powershell"} }

// Script returns what makes a shell complete the command line of society-tui. It is
// "" for an unknown shell.
func Script(shell string) string {
	text, err := scripts.ReadFile("scripts/society-tui." + shell)
	if err != nil {
		return ""
	}
	return string(text)
}
