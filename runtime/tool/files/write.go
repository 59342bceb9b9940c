package files

import (
	"context"
	"fmt"
	"strings"
)

// writeMost bounds what write writes, in bytes.
const writeMost = 1 << 20

// write is the tool write.
func write(_ context.Context, c *call) (*change, error) {
	var args struct{ Path, Content string }
	if err := c.read(&args); err != nil {
		return nil, err
	}
	name, err := c.clean(args.Path)
	if err != nil {
		return nil, err
	}
	if len(args.Content) > writeMost {
		return nil, c.fail("too_large", textWriteTooLarge, len(args.Content), writeMost)
	}
	if name == "." {
		return nil, c.fail("is_folder", textIsFolder, name)
	}
	file, err := c.current(name)
	if err != nil {
		return nil, err
	}
	content := args.Content
	if old := string(file.Content); file.Hash != "" {
		if strings.HasPrefix(old, bom) && !strings.HasPrefix(content, bom) {
			content = bom + content
		}
		if returns := strings.Count(old, "\r\n"); returns > 0 && returns == strings.Count(old, "\n") && !strings.Contains(content, "\r") {
			content = strings.ReplaceAll(content, "\n", "\r\n")
		}
	}
	ch := c.replaced(name, file, []byte(content))
	if file.Hash == ch.files[0].after {
		return nil, c.fail("no_change", textNoChange, name)
	}
	ch.result = fmt.Sprintf("%s\n", ch.summary)
	return ch, nil
}
