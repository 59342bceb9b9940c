package process

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// maxCaught is how much of standard error is kept: the beginning, because the
// first error explains the others.
const maxCaught = 64 << 10

// CatchStandardError redirects os.Stderr until stop is called, which returns
// the text. Libraries write there when something panics, over the screen. Only
// the program may call it, because os.Stderr is global.
func CatchStandardError() (stop func() string, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("catch standard error: %w", err)
	}
	var caught bytes.Buffer
	done := start(context.Background(), "standard error", func(context.Context) error {
		_, err := io.Copy(&caught, io.LimitReader(r, maxCaught))
		if err == nil {
			_, err = io.Copy(io.Discard, r)
		}
		return err
	})
	before := os.Stderr
	os.Stderr = w
	return func() string {
		os.Stderr = before
		_ = w.Close()
		<-done
		_ = r.Close()
		return caught.String()
	}, nil
}
