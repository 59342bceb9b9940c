package apikey_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/apikey"
)

// A ring is a keyring in memory; fails is what it answers instead, and hangs keeps it from
// answering at all.
type ring struct {
	mu    sync.Mutex
	all   map[string]string
	fails error
	hangs chan struct{}
}

func (r *ring) wait() error {
	if r.hangs != nil {
		<-r.hangs
	}
	return r.fails
}

func (r *ring) Get(_, name string) (string, error) {
	if err := r.wait(); err != nil {
		return "", err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if key, ok := r.all[name]; ok {
		return key, nil
	}
	return "", keyring.ErrNotFound
}

func (r *ring) Set(_, name, key string) error {
	if err := r.wait(); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all[name] = key
	return nil
}

func (r *ring) Delete(_, name string) error {
	delete(r.all, name)
	return r.fails
}

const address = "https://api.example.com/v1"

func found(t *testing.T, in apikey.Keyring, v any, dir string) (string, error) {
	t.Helper()
	s, err := apikey.Parse(v, dir)
	if err != nil {
		t.Fatal(err)
	}
	return s.Find(t.Context(), in)
}

func TestAKeyIsFoundWhereItsSourceSays(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("plain", "\ufeff 'sk-of-file' \n")
	write("keys.toml", "\"https://api.example.com\" = \"sk-of-table\"\n")
	in := &ring{all: map[string]string{"name": "sk-of-ring"}}
	for want, v := range map[string]any{
		"sk-of-file": "file:plain", "sk-of-table": "file:keys.toml#https://api.example.com", "sk-of-ring": "keyring:name",
		"sk-of-command": []any{"echo", "sk-of-command"},
	} {
		if got, err := found(t, in, v, dir); got != want || err != nil {
			t.Errorf("%v: %q, %v", v, got, err)
		}
	}
	for _, v := range []any{"sk-1234567890", "env:", "file", []any{}, []any{1}, 3, "http://x"} {
		if _, err := apikey.Parse(v, dir); err == nil || strings.Contains(err.Error(), "1234567890") {
			t.Errorf("%v: %v", v, err)
		}
	}
}

func TestSecretsAreKnownByTheirNames(t *testing.T) {
	t.Parallel()
	for name, secret := range map[string]bool{"api_key": true, "X-Auth": true, "Cookie": true, "sig": true, "tokenizer": false, "prompt_cache_key": false, "api-version": false} {
		if apikey.NamesSecret(name) != secret {
			t.Errorf("NamesSecret(%q) = %t", name, !secret)
		}
	}
}

func TestAFileThatOthersCanReadIsRefused(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such bits there")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "key")
	if err := errors.Join(os.WriteFile(path, []byte("sk-canary"), 0o600), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	_, err := found(t, nil, "file:key", dir)
	if err == nil || !strings.Contains(err.Error(), "chmod 600") || strings.Contains(err.Error(), "canary") {
		t.Errorf("%v", err)
	}
}

func TestAnEnteredKeyGoesIntoAPrivateFileWithoutAKeyring(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 { // the second finds the file
		s := apikey.Store{Keyring: &ring{fails: errors.New("no session bus")}, File: filepath.Join(dir, "config.toml")}
		kept, instead, err := s.Keep(t.Context(), apikey.InKeyring, apikey.Entered{Key: " sk-entered\n", Model: "m", BaseURL: address})
		if err != nil || instead == nil || !strings.HasPrefix(kept.String(), "file:keys.toml#https://api.example.com#") {
			t.Fatalf("%v, %v, %v", kept, instead, err)
		}
		if key, err := kept.Find(t.Context(), nil); key != "sk-entered" || err != nil {
			t.Errorf("%q, %v", key, err)
		}
		info, err := os.Stat(filepath.Join(dir, "keys.toml"))
		if err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%v, %v", info, err)
		}
		if stays, err := s.Forget(t.Context(), kept); err != nil || stays {
			t.Errorf("it stays: %t, %v", stays, err)
		}
		if _, err := kept.Find(t.Context(), nil); err == nil {
			t.Error("a forgotten key is found")
		}
	}
}

// Programs that enter keys at once lose none of them, and a link to the file stays one.
func TestKeysThatAreEnteredAtOnceAreAllKept(t *testing.T) {
	t.Parallel()
	dir, real := t.TempDir(), filepath.Join(t.TempDir(), "real.toml")
	if runtime.GOOS != "windows" { // where links need a privilege
		if err := os.Symlink(real, filepath.Join(dir, "keys.toml")); err != nil {
			t.Fatal(err)
		}
	}
	sources := make([]apikey.Source, 8)
	var all sync.WaitGroup
	for i := range sources {
		all.Go(func() {
			var err error
			e := apikey.Entered{Key: fmt.Sprint("sk-entered-", i), Model: fmt.Sprint("m", i), BaseURL: address}
			if sources[i], _, err = (apikey.Store{File: filepath.Join(dir, "config.toml")}).Keep(t.Context(), apikey.InFile, e); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i, source := range sources {
		if key, err := source.Find(t.Context(), nil); key != fmt.Sprint("sk-entered-", i) || err != nil {
			t.Errorf("%s holds %q, %v", source, key, err)
		}
	}
	if info, err := os.Lstat(filepath.Join(dir, "keys.toml")); runtime.GOOS != "windows" && (err != nil || info.Mode()&os.ModeSymlink == 0) {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
}

// What does not fit is not cut: a key could be, and the rest of the file would be lost.
func TestALargeFileOfKeysIsRefusedWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "keys.toml")
	s := apikey.Store{File: filepath.Join(dir, "config.toml")}
	source, _, err := s.Keep(t.Context(), apikey.InFile, apikey.Entered{Key: "sk-first", Model: "m", BaseURL: address})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	text = append(text, "# "+strings.Repeat("x", 256<<10)+"\n\"https://b.example.com\" = \"sk-last\"\n"...)
	if err := errors.Join(err, os.WriteFile(path, text, 0o600)); err != nil {
		t.Fatal(err)
	}
	_, found := source.Find(t.Context(), nil)
	_, _, kept := s.Keep(t.Context(), apikey.InFile, apikey.Entered{Key: "sk-third", Model: "m", BaseURL: "https://c.example.com"})
	_, forgot := s.Forget(t.Context(), source)
	for what, err := range map[string]error{"Find": found, "Keep": kept, "Forget": forgot} {
		if err == nil || !strings.Contains(err.Error(), "larger than 256 KiB") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if after, err := os.ReadFile(path); !bytes.Equal(after, text) || err != nil {
		t.Errorf("the file has %d bytes now, had %d, %v", len(after), len(text), err)
	}
}

func TestAKeyringThatIsAbsentOrHangsIsSaid(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := &ring{fails: errors.New("no session bus"), all: map[string]string{}}
		if _, err := found(t, in, "keyring:a", ""); err == nil || !strings.Contains(err.Error(), "enter the key") {
			t.Errorf("%v", err)
		}
		in.fails, in.hangs = nil, make(chan struct{})
		begun := time.Now()
		if _, err := found(t, in, "keyring:a", ""); err == nil || time.Since(begun) != 3*time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		close(in.hangs)
		if _, err := found(t, in, "keyring:a", ""); err == nil || !strings.Contains(err.Error(), "enter it") {
			t.Errorf("%v", err)
		}
		kept, instead, err := apikey.Store{Keyring: in}.Keep(t.Context(), apikey.InKeyring, apikey.Entered{Key: "sk-entered", Model: "m", BaseURL: address})
		if err != nil || instead != nil || !strings.HasPrefix(kept.String(), "keyring:https://api.example.com#") || in.all[strings.TrimPrefix(kept.String(), "keyring:")] != "sk-entered" {
			t.Errorf("%v, %v, %v, %v", kept, instead, err, in.all)
		}
	})
}

// A command that hangs is waited for as long as it may take, and then ended; so is one that prints
// without end, and a child of it that keeps its output open.
func TestACommandIsGivenUpWhenItHangsOrPrintsTooMuch(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the commands are those of Unix")
	}
	const most = 300 * time.Millisecond
	if apikey.CommandTime != 10*time.Second {
		t.Errorf("a command may take %v", apikey.CommandTime)
	}
	// It leaves its process, which then is the program that the test waits for.
	own := func(path, does string) []any { return []any{"sh", "-c", `echo $$ > "$0"; exec ` + does, path} }
	for name, c := range map[string]struct {
		command []any
		hangs   bool
		does    string
		want    string
	}{
		"hangs":           {hangs: true, does: "sleep 600", want: "sh printed no key within 300ms"},
		"prints too much": {does: "cat /dev/zero", want: "longer than 8"},
		"fails":           {command: []any{"false"}, want: "failed"},
		"prints nothing":  {command: []any{"true"}, want: ""},
		"leaves a child":  {command: []any{"sh", "-c", "sleep 600 & echo sk-key; echo $! > $0"}, want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "pid")
			command := append(slices.Clone(c.command), path)
			bound := apikey.CommandTime // which is not what ends it
			if c.does != "" {
				command = own(path, c.does)
			}
			if c.hangs {
				bound = most
			}
			s, err := apikey.Parse(command, "")
			if err != nil {
				t.Fatal(err)
			}
			begun := time.Now()
			_, err = s.FromCommand(t.Context(), bound)
			took := time.Since(begun)
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v; want …%s…", err, c.want)
			}
			if c.hangs && took < most || took >= apikey.CommandTime {
				t.Errorf("it took %v", took)
			}
			pid, err := os.ReadFile(path)
			if err != nil {
				return // it has left none
			}
			id, err := strconv.Atoi(strings.TrimSpace(string(pid)))
			if err != nil {
				t.Fatal(err)
			}
			process, err := os.FindProcess(id)
			if err != nil {
				t.Fatal(err)
			}
			if c.does != "" && process.Signal(syscall.Signal(0)) == nil {
				t.Errorf("process %d still runs", id)
			}
			_ = process.Kill()
		})
	}
	if s, err := apikey.Parse([]any{"true"}, ""); err != nil {
		t.Error(err)
	} else if _, err := s.Find(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("a command that prints nothing: %v", err)
	}
}

func TestAKeyIsBoundToTheOriginThatNamesIt(t *testing.T) {
	t.Parallel()
	s, _ := apikey.Parse("keyring:https://api.example.com", "")
	for to, ok := range map[string]bool{
		address: true, "https://API.example.com:443/other": true, "http://api.example.com/v1": false,
		"https://api.example.com:8443/v1": false, "https://evil.example.com/v1": false, "": false,
	} {
		if err := s.CheckFor(to); (err == nil) != ok {
			t.Errorf("%s: %v", to, err)
		}
	}
	if own, _ := apikey.Parse("keyring:mine", ""); own.CheckFor("https://anywhere/v1") != nil {
		t.Error("a name of the user's own is bound")
	}
}

func TestARefusedKeyIsLookedForOnceMore(t *testing.T) {
	t.Parallel()
	refused := &llm.Error{Class: llm.Auth, Status: 401, Text: "no"}
	var looked []string
	keys := []string{"old", "new", "new"}
	find := func(context.Context) (apikey.Found, error) {
		key := keys[len(looked)]
		looked = append(looked, key)
		return apikey.Found{Key: key}, nil
	}
	m := apikey.NewModel("m", find, func(found apikey.Found) (llm.Model, error) {
		if found.Key == "old" {
			return llmtest.Script("m", llmtest.Fail(refused), llmtest.Fail(refused)), nil
		}
		return llmtest.Script("m", llmtest.Say("ok"), llmtest.Fail(refused)), nil
	})
	text := ""
	for chunk, err := range m.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		text += chunk.Text
	}
	if text != "ok" || strings.Join(looked, " ") != "old new" {
		t.Errorf("%q, looked for %v", text, looked)
	}
	for _, err := range m.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}) {
		if err != nil && !errors.Is(err, refused) {
			t.Error(err)
		}
	}
	if strings.Join(looked, " ") != "old new new" {
		t.Errorf("looked for %v", looked)
	}
	none := apikey.NewModel("m", func(context.Context) (apikey.Found, error) { return apikey.Found{}, errors.New("enter it") }, nil)
	for _, err := range none.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}) {
		if e, ok := errors.AsType[*llm.Error](err); !ok || e.Class != llm.Auth || e.Text != "enter it" {
			t.Errorf("%v", err)
		}
	}
}

// Closing waits for no command or keyring: it is done while the society waits.
func TestClosingWaitsForNoKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		find := func(ctx context.Context) (apikey.Found, error) {
			<-ctx.Done()
			return apikey.Found{}, ctx.Err()
		}
		m := apikey.NewModel("m", find, func(apikey.Found) (llm.Model, error) { return llmtest.Script("m"), nil })
		ctx, cancel := context.WithCancel(t.Context())
		go func() { _, _ = m.Lookup(ctx, "/models", nil) }()
		synctest.Wait()
		closed := make(chan error, 1)
		go func() { closed <- m.Close() }()
		synctest.Wait()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		default:
			t.Error("it waits for the key")
		}
		cancel()
		synctest.Wait()
	})
}

// A broken keyring ends no more than the look into it.
type brokenKeyring struct{ apikey.Keyring }

func (brokenKeyring) Get(string, string) (string, error) { panic("bad reply: sk-canary") }

func (brokenKeyring) Set(_, _, key string) error { panic("cannot keep " + key) }

func TestAKeyringThatPanicsIsSaid(t *testing.T) {
	t.Parallel()
	source, err := apikey.Parse("keyring:k", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if key, err := source.Find(t.Context(), brokenKeyring{}); err == nil || key != "" || strings.Contains(err.Error(), "canary") {
		t.Errorf("found %q, %v", key, err)
	}
	e := apikey.Entered{Key: "sk-canary", Model: "m", BaseURL: address}
	if _, instead, err := (apikey.Store{Keyring: setBreaks{}, File: filepath.Join(t.TempDir(), "config.toml")}).Keep(t.Context(), apikey.InKeyring, e); err != nil || instead == nil || strings.Contains(instead.Error(), "canary") {
		t.Errorf("kept: %v, %v", instead, err)
	}
}

func TestWhetherThereIsAKeyringIsKnown(t *testing.T) {
	t.Parallel()
	none := errors.New("no session bus")
	if err := (apikey.Store{Keyring: &ring{fails: none}}).NoKeyring(t.Context()); !errors.Is(err, none) {
		t.Errorf("NoKeyring() = %v, want %v", err, none)
	}
	if err := (apikey.Store{Keyring: &ring{}}).NoKeyring(t.Context()); err != nil {
		t.Errorf("NoKeyring() = %v of one that is empty", err)
	}
}

type setBreaks struct{ brokenKeyring }

func (setBreaks) Get(string, string) (string, error) { return "", keyring.ErrNotFound }
