package logfile

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// lines decodes what was logged.
func lines(t *testing.T, out []byte) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range bytes.Lines(out) {
		var m map[string]any
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		all = append(all, m)
	}
	return all
}

func TestAnEventIsALineOfJSON(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := New(&out, Config{})
	log.With("agent", "web-3").WithGroup("call").Info("model called",
		"took", 1503*time.Millisecond, "tokens", 12, "err", errors.New("gone"), "who", []string{"a", "b"})
	log.Debug("too fine")
	all := lines(t, out.Bytes())
	if len(all) != 1 {
		t.Fatalf("%d lines: %s", len(all), out.String())
	}
	call, _ := all[0]["call"].(map[string]any)
	if all[0]["msg"] != "model called" || all[0]["agent"] != "web-3" || all[0]["level"] != "INFO" ||
		call["took"] != "1.503s" || call["tokens"] != 12.0 || call["err"] != "gone" || fmt.Sprint(call["who"]) != "[a b]" {
		t.Errorf("got %v", all[0])
	}
	if _, err := time.Parse(time.RFC3339Nano, all[0]["time"].(string)); err != nil {
		t.Error(err)
	}
}

type loud struct{ Key string }

type deaf struct{ Hear func() } // cannot be encoded as JSON

// A canary key is found nowhere in the log, in none
// of its forms, whatever carries it in.
func TestNoKeyGetsIntoTheLog(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`[A-Za-z0-9!#$&*+,./:;<=>?@^_~-]{12,60}`).Draw(t, "key")
		before := rapid.StringMatching(`[a-z ]{0,5}`).Draw(t, "before")
		around := before + key + rapid.StringMatching(`[a-z ]{0,500}`).Draw(t, "after")
		for name, carried := range map[string]string{
			"raw": around, "query": url.QueryEscape(around), "path": url.PathEscape(around),
			"base64": base64.StdEncoding.EncodeToString([]byte(around)),
			"basic":  "Basic " + base64.URLEncoding.EncodeToString([]byte("user:"+around)),
		} {
			var out bytes.Buffer
			log := New(&out, Config{Redactor: NewRedactor(key)})
			log.Info(carried, "text", carried, "err", fmt.Errorf("call: %w", errors.New(carried)),
				"struct", loud{carried}, "list", []string{carried}, "deaf", deaf{}, slog.Group("g", "text", carried))
			log.With("text", carried).WithGroup("g").Info("x", "text", carried)
			if !json.Valid(bytes.Split(out.Bytes(), []byte("\n"))[0]) {
				t.Fatalf("no JSON: %s", out.String())
			}
			// The middle of the key is what no neighbour can have changed.
			var plain any
			shown := out.String()
			for line := range strings.Lines(shown) {
				if err := json.Unmarshal([]byte(line), &plain); err != nil {
					t.Fatal(err)
				}
				shown += fmt.Sprint(plain)
			}
			for _, form := range []string{key, key[:10], key[2:], url.QueryEscape(key), inBase64(key)[0], inBase64(key)[2], inBase64(key)[4]} {
				if strings.Contains(shown, form) {
					t.Fatalf("%s: %q shows %q", name, shown, form)
				}
			}
		}
	})
}

func TestWhatLooksLikeAKeyIsRedacted(t *testing.T) {
	t.Parallel()
	r := NewRedactor()
	for _, text := range []string{
		"sk-proj-abcdefghijklmnop1234", "sk-ant-api03-abcdefghijklmnop", "Authorization: Bearer abc.def-ghi",
		"bearer  abcdefgh", "ghp_abcdefghijklmnopqrstuvwx", "AIzaSyA-1234567890abcdefgh",
	} {
		if got := r.Redact("before " + text + " after"); strings.Contains(got, text[len(text)-6:]) || !strings.HasSuffix(got, " after") {
			t.Errorf("%q became %q", text, got)
		}
	}
	for _, text := range []string{"the bearer of news", "ask-me-anything", "risk-assessment-of-the-whole-project", "web-3 asks root"} {
		if got := r.Redact(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestAKeyIsRedactedAsJSONSpellsIt(t *testing.T) {
	t.Parallel()
	r := NewRedactor(`p"a\s<s>&word`)
	for _, spelled := range []string{`p"a\s<s>&word`, `p\"a\\s<s>&word`, `p\"a\\s\u003cs\u003e\u0026word`} {
		if got := r.Redact(`{"a":"` + spelled + `"}`); got != `{"a":"[redacted]"}` {
			t.Errorf("Redact(%s) = %s", spelled, got)
		}
	}
}

func TestShortKeysAreNotRedacted(t *testing.T) {
	t.Parallel()
	r := NewRedactor("", "ollama", "none")
	if got := r.redactKeys("ollama has none"); got != "ollama has none" {
		t.Errorf("got %q", got)
	}
}

func TestLongTextIsCutBetweenRunes(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	New(&out, Config{}).Info("cut", "body", strings.Repeat("章", 5000), "stack", strings.Repeat("f()\n", 1000))
	if stack := lines(t, out.Bytes())[0]["stack"]; stack != strings.Repeat("f()\n", 1000) {
		t.Errorf("a stack was cut: %v", stack)
	}
	body := lines(t, out.Bytes())[0]["body"].(string)
	if len(body) > maxValue+40 || strings.ContainsRune(body, '\ufffd') || !strings.HasSuffix(body, "bytes more)") {
		t.Errorf("%d bytes: %q", len(body), body[len(body)-40:])
	}
}

func TestLevelIsThatOfTheSetting(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]slog.Level{
		"debug": slog.LevelDebug, "info": slog.LevelInfo, "warn": slog.LevelWarn, "error": slog.LevelError, "": slog.LevelInfo,
		"wire": LevelWire,
	} {
		if got := Level(name); got != want {
			t.Errorf("%q is %v, not %v", name, got, want)
		}
	}
	var out bytes.Buffer
	log := New(&out, Config{Level: Level("wire")})
	log.Log(t.Context(), LevelWire, "sent", "request", strings.Repeat("章", 30_000))
	log.Debug("fine")
	all := lines(t, out.Bytes())
	if len(all) != 2 || all[0]["level"] != "WIRE" || all[1]["level"] != "DEBUG" {
		t.Fatalf("written is %.300s", out.String())
	}
	if sent := all[0]["request"].(string); len(sent) < 64_000 || len(sent) > 64<<10+40 {
		t.Errorf("of 90000 bytes %d are kept", len(sent))
	}
}

func TestFolderAndFileAreForTheirOwnerAlone(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "state", "society-tui")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "society-tui.log")
	if err := os.WriteFile(old, []byte("{\"msg\":\"before\"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	log, err := Open(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	log.Info("after")
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(log.Path)
	if err != nil || len(lines(t, content)) != 2 {
		t.Errorf("%s, %v", content, err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, log.Path: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

func TestOpenFailsWithoutItsFolder(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(Config{Dir: filepath.Join(file, "logs")}); err == nil {
		t.Error("a log in a file")
	}
}

func TestTheLogOnDiskIsBounded(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	log, err := Open(Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	// What the logger writes to, without the work of redacting 35 MB.
	log.Info("begun")
	line := []byte(strings.Repeat("x", 256<<10-1) + "\n")
	for written := 0; written < (oldFiles+4)*fileSize<<20; written += len(line) {
		if _, err := log.file.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	// Old files are taken away in the background.
	patience := time.Now().Add(time.Minute)
	for sizeOf(t, dir) > (oldFiles+1)*fileSize<<20 {
		if time.Now().After(patience) {
			t.Fatalf("%d MB", sizeOf(t, dir)>>20)
		}
	}
}

// sizeOf adds up the files of a folder, and checks that only the owner can read them.
func sizeOf(t *testing.T, dir string) (size int64) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue // taken away just now
		}
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%s has mode %v, %v", e.Name(), info.Mode(), err)
		}
		size += info.Size()
	}
	return size
}
