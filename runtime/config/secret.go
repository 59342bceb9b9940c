package config

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// redacted replaces a secret.
const redacted = "[redacted]"

// A Secret is a key. However it is printed or encoded, "[redacted]" comes out; only Reveal
// returns it. The empty Secret is no key and prints as nothing.
//
// It is a struct because encoders take a named string for a string.
type Secret struct{ key string }

// Reveal returns the secret, to be sent.
func (s Secret) Reveal() string { return s.key }

// String hides the secret.
func (s Secret) String() string {
	if s.key == "" {
		return ""
	}
	return redacted
}

// GoString hides the secret from %#v.
func (s Secret) GoString() string { return s.String() }

// Format hides the secret from every verb, %x too.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// MarshalText hides the secret from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a secret, without what people copy along with it: spaces,
// a line end, quotes, a byte order mark. What is left must be fit for an HTTP
// header.
func (s *Secret) UnmarshalText(text []byte) error {
	key := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(text)), "\ufeff"))
	for _, quote := range []string{`"`, `'`} {
		if len(key) >= 2 && strings.HasPrefix(key, quote) && strings.HasSuffix(key, quote) {
			key = strings.TrimSpace(key[1 : len(key)-1])
		}
	}
	if len(key) > maxText {
		return textTooLong.With(maxText)
	}
	for _, r := range key {
		if r > unicode.MaxASCII || unicode.IsSpace(r) || unicode.IsControl(r) {
			return textBadSecret.With()
		}
	}
	s.key = key
	return nil
}

// A Duration is written with its unit: "30s", "5m", "1h30m".
type Duration struct{ time.Duration }

// String returns the short form: "5m", not "5m0s".
func (d Duration) String() string {
	text := d.Duration.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// UnmarshalText reads a duration with its unit.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("%q is not a duration", text) // tomlfile adds an example
	}
	d.Duration = parsed
	return nil
}
