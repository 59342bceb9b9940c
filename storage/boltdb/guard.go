package boltdb

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"

	"society-tui/storage"
)

// guarded runs f, which uses bbolt and nothing else. A panic of bbolt, and a fault
// when it reads a page that the file no longer has, come back as ErrDamaged: both
// mean that the file is not what bbolt left. Faults can be caught on their own
// goroutine only.
func guarded(act string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %w: %s", act, storage.ErrDamaged, described(r))
		}
	}()
	return f()
}

// plainWord matches a word of a sentence, or a number that is that of a page.
var plainWord = regexp.MustCompile(`^[(]*([A-Za-z']{1,16}|[0-9]{1,10})[),:.]*$`)

// mostWords limits the words of a panic that are told.
const mostWords = 24

// described returns what a panic tells without what the store holds: bbolt quotes keys of
// records in some, and the error is shown on the screen.
func described(value any) string {
	switch value := value.(type) {
	case runtime.Error:
		return value.Error()
	case string, error:
	default:
		return fmt.Sprintf("%T", value)
	}
	text := fmt.Sprint(value)
	if list := strings.IndexAny(text, "[{"); list >= 0 {
		text = text[:list] + "…"
	}
	words := strings.Fields(text)
	words = words[:min(len(words), mostWords)]
	for i, word := range words {
		if !plainWord.MatchString(word) {
			words[i] = "…"
		}
	}
	return strings.Join(words, " ")
}
