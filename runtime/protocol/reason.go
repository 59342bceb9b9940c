package protocol

import (
	"slices"
	"strings"
)

// A Reason is why something is refused. Agents read it in the language of their
// society, the user in that of the screen.
type Reason struct {
	Key Key
	// Args are the arguments of the Key. Those with an In method, such as a Reason, are
	// translated with the sentence.
	Args []any
}

// Because returns the reason of a Key and its arguments.
func Because(key Key, args ...any) *Reason { return &Reason{key, args} }

// In returns the reason in a language.
func (r *Reason) In(lang Lang) string {
	if r == nil {
		return ""
	}
	return Sentence(lang, r.Key, r.Args...)
}

// Error returns the reason in English, for logs.
func (r *Reason) Error() string { return r.In(English) }

// Reasons are several at once.
type Reasons []*Reason

// In returns the reasons in a language, on one line.
func (r Reasons) In(lang Lang) string {
	said := make([]string, len(r))
	for i := range r {
		said[i] = r[i].In(lang)
	}
	return joined(lang, said)
}

func joined(lang Lang, said []string) string {
	if lang == Chinese {
		return strings.Join(said, "；")
	}
	return strings.Join(said, "; ")
}

// Names are the existing names of something.
type Names []string

// In returns the names in a language, on one line.
func (n Names) In(lang Lang) string {
	if len(n) == 0 {
		return NoNames.In(lang)
	}
	return strings.Join(n, ", ")
}

// inLanguage returns the arguments of a sentence in a language.
func inLanguage(lang Lang, args []any) []any {
	said := slices.Clone(args)
	for i := range said {
		if a, ok := said[i].(interface{ In(Lang) string }); ok {
			said[i] = a.In(lang)
		}
	}
	return said
}
