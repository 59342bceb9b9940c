package runtime

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"unicode/utf8"

	"society-tui/runtime/picture"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// attachable completes the attachments of a command before the loop takes it: to look at
// them takes time.
func attachable(cmd society.Command) (society.Command, error) {
	var err error
	switch c := cmd.(type) {
	case society.Send:
		c.Attachments, err = looked(c.To, c.Attachments)
		return c, err
	case society.Interrupt:
		c.Attachments, err = looked(c.Agent, c.Attachments)
		return c, err
	}
	return cmd, nil
}

// looked finds what attachments are. What is neither a text nor an image is refused.
func looked(to society.AgentID, list []society.Attachment) ([]society.Attachment, error) {
	if len(list) == 0 || len(list) > society.MostAttachments {
		return list, nil // which the rules refuse
	}
	list = slices.Clone(list)
	for i := range list {
		f := &list[i]
		f.Type, f.Width, f.Height = typeOf(f.Data), 0, 0
		if picture.Is(f.Data) {
			if err := fit(to, f); err != nil {
				return nil, err
			}
			continue
		}
		if !utf8.Valid(f.Data) || bytes.IndexByte(f.Data, 0) >= 0 {
			return nil, &society.Refusal{
				Code: society.InvalidArguments, Agent: to, Why: protocol.Because(protocol.AttachedBinary, f.Name, f.Type),
			}
		}
	}
	return list, nil
}

// scaling is held while an image is decoded, which may take 300 MB.
var scaling sync.Mutex

// fit makes an image fit to be sent.
func fit(to society.AgentID, f *society.Attachment) error {
	p, why := fitPicture(f.Name, f.Data)
	if why != nil {
		return &society.Refusal{Code: society.InvalidArguments, Agent: to, Why: why}
	}
	f.Type, f.Width, f.Height, f.Data = p.Type, p.Width, p.Height, p.Data
	return nil
}

// fitPicture makes an image fit to be sent, or returns why it cannot be.
func fitPicture(name string, data []byte) (picture.Picture, *protocol.Reason) {
	scaling.Lock()
	defer scaling.Unlock()
	p, err := picture.Fit(data)
	switch {
	case errors.Is(err, picture.ErrPixels):
		return p, protocol.Because(protocol.ImagePixels, name, picture.MostPixels/1_000_000, err)
	case err != nil:
		return p, protocol.Because(protocol.ImageDamaged, name, err)
	}
	return p, nil
}
