// Society-tui is a terminal program in which a user leads a self-organising society of
// AI agents. Package tui/cli is the program.
package main

import (
	"os"

	"society-tui/runtime/sandbox"
	"society-tui/tui/cli"
)

func main() {
	sandbox.Main()
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
