package tui_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/protocol"
)

// FuzzScreen checks every frame at any size, after any keys, clicks and events,
// with any foreign text in every place: it has the size of the screen, and its
// control sequences are ours.
func FuzzScreen(f *testing.F) {
	for _, text := range hostile {
		f.Add([]byte("\x00\x64\x00\x1e\x01\x02\x03\x02\x30\x31\x01\x09\x05\x02\x04\x01\x0d\x03"), text, "a name")
	}
	for what := range byte(kindsOfEvents) {
		f.Add([]byte{0, 160, 0, 45, 1, what, 0, 1, what, 1, 2, 14, 2, 6, 1, what, 2, 2, 19, 2, 31, 2, 20}, "\u009b31m\x1b]0;x\a\u202e字\u0301", "a\tb\r\n`{")
	}
	// Opens a failed agent with a role and a name.
	opened := []byte{1, 0, 0, 1, 1, 0, 1, 2, 1, 1, 9, 1, 1, 13, 1}
	for _, name := range []string{"alt+1", "up", "up", "enter", "alt+3", "2", "ctrl+t"} {
		opened = append(opened, 2, byte(slices.Index(pressable, name)))
	}
	for _, text := range hostile {
		f.Add(append([]byte{0, 160, 0, 45}, opened...), text, text)
	}
	for i := range pressable {
		f.Add([]byte{0, 100, 0, 30, 1, 3, 1, 2, 14, 2, byte(i), 2, 50, 2, 6, 3, 20, 9, 2, byte(i)}, "**words** and `code`", strings.Repeat("x", 300))
	}
	f.Fuzz(func(t *testing.T, script []byte, text, other string) {
		if len(script) > 100 || len(text) > 2000 || len(other) > 2000 {
			t.Skip()
		}
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			s := newFake()
			family(s)
			cfg := config(s)
			next := bytesOf(script)
			if flags := len(script); flags%2 == 1 {
				cfg.ASCII, cfg.Lang = flags%4 == 1, protocol.Chinese
			}
			b := newBare(cfg, s)
			defer b.end()
			b.size(100, 30)
			for !next.over() && b.broken == nil {
				played(next, text, other)(b)
				b.settle()
			}
			if b.broken != nil {
				t.Error(b.broken)
			}
		})
	})
}

// A script is a sequence of bytes that decide what happens, followed by zeros.
type script struct{ left []byte }

func bytesOf(b []byte) *script { return &script{b} }

func (s *script) over() bool { return len(s.left) == 0 }

func (s *script) next() int {
	if s.over() {
		return 0
	}
	b := s.left[0]
	s.left = s.left[1:]
	return int(b)
}

// played returns the next step of a script.
func played(s *script, text, other string) step {
	switch s.next() % 6 {
	case 0:
		w, h := 1+(s.next()+s.next())%300, 1+s.next()%100
		return func(b *bare) { b.size(w, h) }
	case 1:
		what, n := s.next(), s.next()
		return event(what%kindsOfEvents, n>>4, n&15%10, text, other)
	case 3:
		x, y := s.next(), s.next()
		return func(b *bare) { clicked(b, x, y) }
	case 4:
		d := []time.Duration{1e7, 3e8, 3e9}[s.next()%3]
		return func(b *bare) {
			b.update(tea.PasteMsg{Content: text})
			<-time.After(d)
		}
	case 5:
		d := []time.Duration{1e7, 3e8, 3e9}[s.next()%3]
		return func(*bare) { <-time.After(d) }
	}
	k := key(pressable[s.next()%len(pressable)])
	return func(b *bare) { b.update(k) }
}

// obeyed returns an error if a row has a control sequence that is not a style.
func obeyed(row string) error {
	for at := 0; at < len(row); {
		if strings.HasPrefix(row[at:], "\x1b[") {
			rest := strings.TrimLeft(row[at+2:], "0123456789;:")
			if !strings.HasPrefix(rest, "m") {
				return fmt.Errorf("it holds another sequence than a style: %q", row[at:min(at+20, len(row))])
			}
			at = len(row) - len(rest) + 1
			continue
		}
		r, size := utf8.DecodeRuneInString(row[at:])
		if r == utf8.RuneError && size == 1 {
			return fmt.Errorf("it is no UTF-8: %q", row)
		}
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r >= 0xe0000 && r <= 0xe007f {
			return fmt.Errorf("it holds %U: %q", r, row[max(0, at-40):min(at+20, len(row))])
		}
		at += size
	}
	return nil
}
