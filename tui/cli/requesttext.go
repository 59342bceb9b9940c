package cli

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"society-tui/runtime/i18n"
)

// longestRequest is how many bytes of standard input a request takes.
const longestRequest = 1 << 20

// requestText returns the text of a request: that of the arguments, with standard input
// below it if that is a file or a pipe; standard input alone for "-" or no argument. An
// error is a usageError.
func (c *console) requestText(args []string) (string, error) {
	text := strings.Join(args, " ")
	only := text == "-"
	if only {
		text = ""
	}
	if only || text == "" || piped(c.in) {
		if text == "" && !only && !piped(c.in) {
			return "", c.misuseOf(textNoRequest)
		}
		read, err := io.ReadAll(io.LimitReader(c.in, longestRequest+1))
		if err != nil {
			return "", usageError{err, c.seeHelp()}
		}
		if len(read) > longestRequest {
			return "", c.misuseOf(textLongRequest)
		}
		if !utf8.Valid(read) {
			return "", c.misuseOf(textNotUTF8)
		}
		text = strings.Trim(text+"\n\n"+string(read), "\r\n")
	}
	switch {
	case strings.TrimSpace(text) == "":
		return "", c.misuseOf(textNoRequest)
	case !utf8.ValidString(text):
		return "", c.misuseOf(textNotUTF8)
	}
	return text, nil
}

// piped reports whether a file is a pipe, a socket or a regular file, so that reading it
// ends.
func piped(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice == 0
}

// misuseOf returns the usageError of a mistake.
func (c *console) misuseOf(t i18n.Text) error { return usageError{t.With(), c.seeHelp()} }
