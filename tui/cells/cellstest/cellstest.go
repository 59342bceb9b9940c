// Package cellstest compares what a widget draws with golden files.
package cellstest

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

var update = flag.Bool("update", false, "write down what the rooms draw now")

// Golden checks that each row is exactly width cells wide, and that the rows
// without colours equal testdata/name.golden. With -update it writes that file
// instead.
func Golden(t *testing.T, name string, rows []string, width int) {
	t.Helper()
	Widths(t, rows, width)
	plain := make([]string, len(rows))
	for i, row := range rows {
		plain[i] = ansi.Strip(row)
	}
	got := strings.Join(plain, "\n") + "\n"
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", path, got, want)
	}
}

// Widths checks that each of rows is exactly width cells wide.
func Widths(t *testing.T, rows []string, width int) {
	t.Helper()
	for i, row := range rows {
		if got := ansi.StringWidthWc(row); got != width {
			t.Errorf("row %d is %d cells wide, want %d: %q", i, got, width, row)
		}
	}
}

// Colourless checks that rows set no colour: bold, underline and reverse only.
func Colourless(t *testing.T, rows []string) {
	t.Helper()
	for i, row := range rows {
		for rest := row; ; {
			_, after, found := strings.Cut(rest, "\x1b[")
			if !found {
				break
			}
			codes, tail, _ := strings.Cut(after, "m")
			for code := range strings.SplitSeq(codes, ";") {
				switch code {
				case "", "0", "1", "2", "3", "4", "7":
				default:
					t.Errorf("row %d sets %q: %q", i, codes, row)
				}
			}
			rest = tail
		}
	}
}
