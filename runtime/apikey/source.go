// Package apikey finds the keys of models where users keep them: in an environment variable,
// in a private file, in the keyring of the system, or by a command. [Store] puts entered keys
// there, and [Model] is a model whose key is found when it is first asked.
package apikey

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/i18n"
)

const (
	maxKey      = 8 << 10 // bytes
	commandTime = 10 * time.Second
	keyringTime = 3 * time.Second
)

// KeysFile is the file beside the settings for keys that were entered where there is no
// keyring.
const KeysFile = "keys.toml"

// The kinds of sources.
const (
	none     = ""
	env      = "env"
	file     = "file"
	ring     = "keyring"
	byAction = "command"
)

// A Source is where a key is kept. The zero Source is none.
type Source struct {
	kind    string
	name    string   // of the variable, the file or the entry
	command []string // and its arguments
	dir     string   // of relative files: that of the settings
}

// Parse reads a source as settings have it: "env:NAME", "file:PATH", "keyring:NAME", or a
// list of a program and its arguments. Relative paths are below dir. "file:keys.toml#NAME" is
// an entry of a TOML file.
func Parse(v any, dir string) (Source, error) {
	switch v := v.(type) {
	case nil:
		return Source{}, nil
	case string:
		kind, name, _ := strings.Cut(v, ":")
		if v == "" {
			return Source{}, nil
		}
		if name == "" || !slices.Contains([]string{env, file, ring}, kind) {
			return Source{}, textNoSource.With() // perhaps it is the key: it is not repeated
		}
		return Source{kind: kind, name: name, dir: dir}, nil
	case []string:
		return command(v)
	case []any:
		words := make([]string, len(v))
		for i, word := range v {
			text, ok := word.(string)
			if !ok {
				return Source{}, textNoSource.With()
			}
			words[i] = text
		}
		return command(words)
	}
	return Source{}, textNoSource.With()
}

func command(words []string) (Source, error) {
	if len(words) == 0 || words[0] == "" {
		return Source{}, textNoSource.With()
	}
	return Source{kind: byAction, command: words}, nil
}

// IsZero reports whether there is no source.
func (s Source) IsZero() bool { return s.kind == none }

// Variable returns the name of the environment variable, "" if the key is elsewhere.
func (s Source) Variable() string {
	if s.kind == env {
		return s.name
	}
	return ""
}

// Value returns the source as settings have it, see Parse.
func (s Source) Value() any {
	switch s.kind {
	case none:
		return nil
	case byAction:
		return slices.Clone(s.command)
	}
	return s.kind + ":" + s.name
}

// String returns the source in one line, for people. It never holds a key.
func (s Source) String() string {
	if s.kind == byAction {
		return strings.Join(s.command, " ")
	}
	if s.kind == none {
		return ""
	}
	return s.kind + ":" + s.name
}

// CheckFor returns why the key must not be sent to an address: an entry that is named by an
// origin, perhaps with a # and more behind it, is for that one alone.
func (s Source) CheckFor(baseURL string) error {
	name := s.entry()
	origin, _, _ := strings.Cut(name, "#")
	if !strings.Contains(name, "://") || origin == Origin(baseURL) {
		return nil
	}
	return textOtherOrigin.With(origin, Origin(baseURL))
}

// entry returns the name of the entry in a keyring or a TOML file.
func (s Source) entry() string {
	switch s.kind {
	case ring:
		return s.name
	case file:
		_, name, _ := s.place()
		return name
	}
	return ""
}

// Origin returns the scheme, host and port of an address, "" if it has none.
func Origin(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Hostname() == "" {
		return ""
	}
	host := strings.ToLower(u.Host)
	for scheme, port := range map[string]string{"http": ":80", "https": ":443"} {
		if strings.EqualFold(u.Scheme, scheme) {
			host = strings.TrimSuffix(host, port)
		}
	}
	return strings.ToLower(u.Scheme) + "://" + host
}

// place returns the path of a file, and the name of the entry in it if it is a TOML file with
// several.
func (s Source) place() (path, entry string, several bool) {
	path = s.name
	if before, after, found := strings.Cut(path, ".toml#"); found {
		path, entry, several = before+".toml", after, true
	}
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		path = fromHome(path)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	return path, entry, several
}

// Find returns the key. The error tells what to do, and never holds one.
func (s Source) Find(ctx context.Context, in Keyring) (key string, err error) {
	switch s.kind {
	case file:
		key, err = s.fromFile()
	case ring:
		key, err = s.fromKeyring(ctx, in)
	case byAction:
		key, err = s.fromCommand(ctx, commandTime)
	default:
		return "", textNoSource.With()
	}
	if err != nil {
		return "", err
	}
	return Clean(key)
}

// secretName matches the names of headers, of parts of a query and of fields of the body whose
// values are secrets, and plainName those among them whose values are not.
var (
	secretName = regexp.MustCompile(`(?i)auth|key|token|secret|passw|cookie|sig|credential`)
	plainName  = regexp.MustCompile(`(?i)tokenizer|cache_key`)
)

// NamesSecret reports whether what has that name in a request is a secret.
func NamesSecret(name string) bool {
	return secretName.MatchString(name) && !plainName.MatchString(name)
}

// Clean returns a key without what people copy along with it: spaces, a line end, quotes, a
// byte order mark. What is left must be fit for an HTTP header.
func Clean(text string) (string, error) {
	key := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), "\ufeff"))
	for _, quote := range []string{`"`, `'`} {
		if len(key) >= 2 && strings.HasPrefix(key, quote) && strings.HasSuffix(key, quote) {
			key = strings.TrimSpace(key[1 : len(key)-1])
		}
	}
	switch {
	case key == "":
		return "", textEmpty.With()
	case len(key) > maxKey:
		return "", textTooLong.With(maxKey >> 10)
	case strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return "", textBadKey.With()
	}
	return key, nil
}

// fromCommand runs the command, without a shell, and returns what it prints. After most it is
// given up.
func (s Source) fromCommand(ctx context.Context, most time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.command[0], s.command[1:]...)
	out := &bounded{most: maxKey, full: cancel}
	cmd.Stdout = out
	cmd.WaitDelay = time.Second / 2 // a child of it may keep the pipe open
	err := cmd.Run()
	switch {
	case out.over:
		return "", textTooLong.With(maxKey >> 10)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", textCommandTime.With(s.command[0], most)
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return "", textCommandFailed.With(s.command[0], err)
	}
	return out.kept.String(), nil
}

// A bounded buffer takes so many bytes, and then calls full.
type bounded struct {
	kept bytes.Buffer // not embedded: it would read by itself, and all of it
	most int
	over bool
	full func()
}

// Write keeps what fits.
func (b *bounded) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > b.most {
		b.over = true
		b.full()
		return len(p), nil
	}
	return b.kept.Write(p)
}

// InWords describes the source for the user in a language.
func (s Source) InWords(p i18n.Printer) string {
	switch s.kind {
	case env:
		return p.T(textInVariable, s.name)
	case file:
		path, _, _ := s.place()
		return p.T(textInFile, path)
	case ring:
		return p.T(textInKeyring)
	case byAction:
		return p.T(textByCommand, s.command[0])
	}
	return p.T(textNoKey)
}
