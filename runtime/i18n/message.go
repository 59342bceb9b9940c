package i18n

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"society-tui/runtime/protocol"
)

// A Message is a text with its arguments, to be printed once the language is known.
// As an error it is English, for logs.
type Message struct {
	Text Text
	Args []any
}

// With returns the text with arguments for its verbs. Arguments with an In method,
// such as a Text or a Message, and errors are printed in the language of the text.
func (t Text) With(args ...any) *Message { return &Message{t, args} }

// In returns the message in a language.
func (m *Message) In(lang protocol.Lang) string {
	if len(m.Args) == 0 {
		return m.Text.In(lang)
	}
	return fmt.Sprintf(m.Text.In(lang), inLanguage(lang, m.Args)...)
}

// inLanguage returns arguments of a text in its language.
func inLanguage(lang protocol.Lang, args []any) []any {
	args = slices.Clone(args)
	for i, arg := range args {
		switch arg := arg.(type) {
		case localized:
			args[i] = arg.In(lang)
		case error:
			args[i] = Error(lang, arg)
		}
	}
	return args
}

// Error returns the message in English.
func (m *Message) Error() string { return m.In(protocol.English) }

// Unwrap returns the errors among the arguments.
func (m *Message) Unwrap() []error {
	var all []error
	for _, arg := range m.Args {
		if err, ok := arg.(error); ok {
			all = append(all, err)
		}
	}
	return all
}

type localized interface{ In(protocol.Lang) string }

var textNoFile = Text{EN: "there is no file %s", ZH: "没有文件 %s"}

// Error returns an error in a language, or in English if it has no other text.
// Joined errors are a line each. What the system says of a missing file is said in our words.
func Error(lang protocol.Lang, err error) string {
	switch err := err.(type) {
	case localized:
		return err.In(lang)
	case *fs.PathError:
		if errors.Is(err, fs.ErrNotExist) {
			return textNoFile.With(err.Path).In(lang)
		}
	case interface{ Unwrap() []error }:
		var lines []string
		for _, one := range err.Unwrap() {
			lines = append(lines, Error(lang, one))
		}
		return strings.Join(lines, "\n")
	}
	return err.Error()
}
