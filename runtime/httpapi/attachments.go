package httpapi

import (
	"encoding/base64"
	"fmt"

	"society-tui/runtime/society"
)

// An Attachment is a file that goes with a message.
type Attachment struct {
	Name string `json:"name" jsonschema:"what it is called; it is no place on a disk"`
	Text string `json:"text,omitempty" jsonschema:"a text; give either text or data"`
	Data string `json:"data,omitempty" jsonschema:"a text in UTF-8 or an image (PNG, JPEG, GIF, WebP) in base64"`
}

// attachments returns files as the society takes them, which judges them.
func attachments(given []Attachment) (list []society.Attachment, err error) {
	for i, f := range given {
		if (f.Text == "") == (f.Data == "") {
			return nil, invalid(fmt.Sprintf("attachments.%d", i), "give either text or data")
		}
		data := []byte(f.Text)
		if f.Data != "" {
			if data, err = base64.StdEncoding.DecodeString(f.Data); err != nil {
				return nil, invalid(fmt.Sprintf("attachments.%d.data", i), "is not base64")
			}
		}
		list = append(list, society.Attachment{Name: f.Name, Data: data})
	}
	return list, nil
}
