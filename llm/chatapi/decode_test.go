package chatapi

import (
	"bufio"
	"bytes"
	"io"
	"iter"

	"society-tui/llm"
)

// decode reads the body of an answer as Generate does, but without a network or
// go-openai in between: it is the whole of what happens to foreign bytes.
func decode(src io.Reader, private redactor) iter.Seq2[llm.Chunk, error] {
	source := &watched{Reader: src, watch: newWatch(0, func(error) {})}
	defer source.watch.stop()
	return read(&canonical{bufio.NewReader(newMender(source, private))})
}

// canonical reads the chunks that a mender writes.
type canonical struct{ *bufio.Reader }

// RecvRaw implements rawStream.
func (c *canonical) RecvRaw() ([]byte, error) {
	for {
		line, err := c.ReadBytes('\n')
		text, found := bytes.CutPrefix(bytes.TrimSpace(line), []byte("data: "))
		switch {
		case string(text) == "[DONE]":
			return nil, io.EOF
		case found:
			return text, nil
		case err != nil:
			return nil, err
		}
	}
}
