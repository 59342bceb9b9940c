package runtime

import (
	"bytes"
	"slices"
	"unicode/utf8"

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
		if !utf8.Valid(f.Data) || bytes.IndexByte(f.Data, 0) >= 0 {
			return nil, &society.Refusal{
				Code: society.InvalidArguments, Agent: to, Why: protocol.Because(protocol.AttachedBinary, f.Name, f.Type),
			}
		}
	}
	return list, nil
}
