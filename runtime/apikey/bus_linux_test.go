package apikey_test

import (
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/apikey"
)

// Without a session bus, or with one that never answers, an entered key goes into the file, and
// why is said. The bus is that of the process, so nothing runs beside it.
func TestAKeyGoesIntoTheFileIfTheSessionBusIsAbsentOrHangs(t *testing.T) {
	keep := func(bus string, least, most time.Duration) {
		t.Helper()
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+bus)
		begun := time.Now()
		s := apikey.Store{Keyring: apikey.SystemKeyring(), File: filepath.Join(t.TempDir(), "config.toml")}
		kept, instead, err := s.Keep(t.Context(), apikey.InKeyring, apikey.Entered{Key: "sk-entered", Model: "m", BaseURL: address})
		if took := time.Since(begun); err != nil || instead == nil || took < least || took > most {
			t.Fatalf("Keep() = %v, %v, %v after %v", kept, instead, err, took)
		}
		if key, err := kept.Find(t.Context(), apikey.SystemKeyring()); key != "sk-entered" || err != nil || !strings.HasPrefix(kept.String(), "file:keys.toml#https://api.example.com#") {
			t.Errorf("Find() = %q, %v of %v", key, err, kept)
		}
	}
	dir := t.TempDir()
	keep(filepath.Join(dir, "nowhere"), 0, time.Second)
	path := filepath.Join(dir, "bus")
	silent, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	go func() {
		for {
			c, err := silent.Accept()
			if err != nil {
				return
			}
			defer c.Close() // at the end of the test: it never answers
		}
	}()
	keep(path, 3*time.Second, 6*time.Second)
}
