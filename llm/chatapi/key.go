package chatapi

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"society-tui/llm/lazyregexp"
)

const redacted = "[redacted]"

// A Key is a secret. However it is printed, encoded or logged, what comes out is
// "[redacted]"; only a conversion to string shows it.
type Key string

// String returns "[redacted]".
func (Key) String() string { return redacted }

// GoString returns "[redacted]".
func (Key) GoString() string { return redacted }

// Format writes "[redacted]", whatever the verb.
func (Key) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalText returns "[redacted]".
func (Key) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// MarshalJSON returns "[redacted]" as a JSON string.
func (Key) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// LogValue returns "[redacted]".
func (Key) LogValue() slog.Value { return slog.StringValue(redacted) }

// cleanKey removes what clings to a pasted key and refuses what could not be
// one: it goes into a header, where a line break would begin another header.
func cleanKey(key Key) (Key, error) {
	clean := strings.TrimFunc(string(key), func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
	if n := len(clean); n >= 2 && (clean[0] == '"' || clean[0] == '\'') && clean[n-1] == clean[0] {
		clean = strings.TrimSpace(clean[1 : n-1])
	}
	for _, r := range clean {
		if r <= ' ' || r > '~' {
			return "", errors.New("the key holds a space, a line break or a character that no key has")
		}
	}
	return Key(clean), nil
}

const (
	shortestSecret = 4 // shorter keys are words like "no"
	tellingPrefix  = 8 // so many first characters of a key give it away
	longestLine    = 300
)

// A redactor takes a key out of text that came from elsewhere.
type redactor struct {
	secrets []string // the key in all its spellings and the others, longest first
	others  []string // the secrets beside the key, longest first
	prefix  string   // empty if the key is too short for one
	key     string
}

// newRedactor returns one for a key, and for other secrets as they are spelled.
func newRedactor(k Key, others ...string) redactor {
	key := string(k)
	if len(key) < shortestSecret {
		return redactor{secrets: others, others: others}
	}
	r := redactor{key: key, others: others, secrets: append([]string{
		key, url.QueryEscape(key), url.PathEscape(key),
		base64.StdEncoding.EncodeToString([]byte(key)), base64.URLEncoding.EncodeToString([]byte(key)),
	}, others...)}
	r.secrets = append(r.secrets, inJSON(key)...)
	// Within a longer text, base64 spells the key in one of three ways,
	// depending on where it begins; its first and last characters vary.
	for before := range 3 {
		spelled := base64.RawStdEncoding.EncodeToString(append(make([]byte, before), key...))
		from, to := (before*8+5)/6, len(spelled)-1
		if to-from >= tellingPrefix {
			r.secrets = append(r.secrets, spelled[from:to], strings.NewReplacer("+", "-", "/", "_").Replace(spelled[from:to]))
		}
	}
	slices.SortFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
	r.secrets = slices.Compact(r.secrets)
	if len(key) > tellingPrefix {
		r.prefix = key[:tellingPrefix]
	}
	return r
}

// inJSON returns how JSON spells a text that holds what JSON escapes, also within a text that is
// itself in JSON; none for others, as keys are. Encoders differ in what they escape beside quotes
// and backslashes: < > & or all that is not ASCII.
func inJSON(text string) (spelled []string) {
	escaped := func(text string, html bool) string {
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(html)
		_ = encoder.Encode(text) // a text can be encoded
		return strings.Trim(out.String(), "\"\n")
	}
	plain := escaped(text, false)
	var ascii strings.Builder
	for _, r := range plain {
		if r < utf8.RuneSelf {
			ascii.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&ascii, `\u%04x`, unit)
		}
	}
	for _, form := range []string{plain, escaped(text, true), ascii.String()} {
		for _, form := range []string{form, escaped(form, false)} {
			if form != text && !slices.Contains(spelled, form) {
				spelled = append(spelled, form)
			}
		}
	}
	return spelled
}

// entire replaces each spelling of the key in text.
func (r redactor) entire(text string) string {
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, redacted)
	}
	return text
}

// redact replaces each spelling of the key in text, and each long beginning of one.
func (r redactor) redact(text string) string {
	text = r.entire(text)
	if r.prefix == "" {
		return text
	}
	var out strings.Builder
	for {
		at := strings.Index(text, r.prefix)
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		n := len(r.prefix)
		for n < len(r.key) && at+n < len(text) && text[at+n] == r.key[n] {
			n++
		}
		out.WriteString(text[:at])
		out.WriteString(redacted)
		text = text[at+n:]
	}
}

// escaped matches a character that JSON spells by its number, and its slash, also in a
// text within a text.
var escaped = lazyregexp.New(`\\+(?:u[0-9a-fA-F]{4}|/)`)

// spelledOut returns a JSON text with what need not be spelled by its number as it is.
func spelledOut(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return escaped.ReplaceAllStringFunc(text, func(spelled string) string {
		if strings.HasSuffix(spelled, "/") {
			return "/"
		}
		code, err := strconv.ParseUint(spelled[len(spelled)-4:], 16, 32)
		c := rune(code)
		if err != nil || c == '"' || c == '\\' || c > unicode.MaxASCII && !unicode.Is(unicode.Cf, c) {
			return spelled
		}
		return string(c)
	})
}

// exchange takes the key out of what was sent or came, however JSON spells it, and what
// could hide it.
func (r redactor) exchange(text string) string {
	text = spelledOut(strings.ToValidUTF8(text, ""))
	text = r.entire(text) // before an escape in front of the key takes its first letter along
	return r.redact(strings.Map(func(c rune) rune {
		if c != '\n' && c != '\t' && unicode.IsControl(c) || unicode.Is(unicode.Cf, c) {
			return -1
		}
		return c
	}, ansi.Strip(text)))
}

// line makes foreign text fit to be shown: one line of at most 300 characters,
// without escape sequences, control or invisible characters, or the key.
func (r redactor) line(text string) string {
	text = r.entire(text) // before an escape in front of the key takes its first letter along
	text = strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c), unicode.Is(unicode.Cf, c), c == unicode.ReplacementChar:
			return -1
		}
		return c
	}, ansi.Strip(strings.ToValidUTF8(text, "")))
	// What was dropped may have hidden the key, so it is looked for only now;
	// and before the cut, which could leave a piece of it.
	text = r.redact(strings.Join(strings.Fields(text), " "))
	if runes := []rune(text); len(runes) > longestLine {
		text = string(runes[:longestLine-1]) + "…"
	}
	return text
}
