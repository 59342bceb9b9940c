package logfile

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTheEndOfALogIsReadWithoutKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := Open(Config{Dir: dir, Level: slog.LevelDebug})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5000 {
		l.Info("filler", "n", i, "text", strings.Repeat("x", 100))
	}
	l.Warn("it is late", "agent", "web-1", "took", 3)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(l.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "no JSON, with the-very-secret\n{\"msg\":\"half")
	f.Close()
	lines, err := tail(l.Path, "", NewRedactor("the-very-secret"))
	if err != nil || len(lines) != tailLines {
		t.Fatalf("%d lines, %v", len(lines), err)
	}
	last := lines[len(lines)-1]
	if last.Level != "" || !strings.HasPrefix(last.Text, "no JSON") || strings.Contains(last.Text, "secret") {
		t.Errorf("%+v", last)
	}
	if late := lines[len(lines)-2]; late.Level != "WARN" || late.Text != "it is late" || late.With != "agent=web-1 took=3" || late.At.IsZero() {
		t.Errorf("%+v", late)
	}
	if first := lines[0]; first.Level != "INFO" || !strings.HasPrefix(first.With, "n=") {
		t.Errorf("%+v", first)
	}
	if _, err := tail(filepath.Join(dir, "none"), "", nil); err == nil {
		t.Error("a log that is not there was read")
	}
}

func TestARunOfTheProgramReadsItsOwnLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(run, text string) string {
		l, err := Open(Config{Dir: dir, Run: run})
		if err != nil {
			t.Fatal(err)
		}
		l.With("session", "other").Info(text)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		return l.Path
	}
	write("one", "first")
	write("two", "second")
	path := write("one", "third")
	for run, want := range map[string]string{"one": "first third", "two": "second", "": "first second third", "none": ""} {
		lines, err := tail(path, run, nil)
		var got []string
		for _, l := range lines {
			got = append(got, l.Text)
			if l.With != "session=other" || l.Run == "" {
				t.Errorf("%+v", l)
			}
		}
		if strings.Join(got, " ") != want || err != nil {
			t.Errorf("of the run %q are read %q, %v", run, got, err)
		}
	}
}
