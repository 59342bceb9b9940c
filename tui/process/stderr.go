package process

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
)

// maxCaught is how much of what was written to standard error is kept: its
// beginning, because the first fault explains the others.
const maxCaught = 64 << 10

// CatchStandardError keeps what is written to os.Stderr away from the terminal
// until stop is called, which returns it. Libraries write there when something
// panics, over the screen and with whatever the panic held. It is for the
// program's one screen: os.Stderr is everybody's.
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
