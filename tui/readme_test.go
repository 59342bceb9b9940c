package tui

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
)

// README's table of keys is made of the help: -update writes it.
func TestREADMEListsTheKeysThatThereAre(t *testing.T) {
	t.Parallel()
	const (
		path  = "../README.md"
		begin = "<!-- keys: go test ./tui -run README -update -->\n"
		end   = "<!-- end of keys -->"
	)
	a := newApp(context.Background(), Config{Lang: protocol.English})
	var table strings.Builder
	code := func(key string) string { return "`" + strings.ReplaceAll(key, "|", `\|`) + "`" }
	for _, line := range a.helpBody() {
		switch {
		case line.Key != "":
			fmt.Fprintf(&table, "| %s | %s |\n", code(line.Key), line.Text)
		case line.Text != "":
			fmt.Fprintf(&table, "\n| %s | |\n| --- | --- |\n", line.Text)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	now, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("README.md has no place for the keys between %q and %q", begin, end)
	}
	want := table.String() + "\n"
	if now == want {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatalf("README.md lists other keys; go test ./tui -run README -update writes\n%s", want)
	}
	if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
