package society

import (
	"fmt"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/artifacts"
)

// Bounds of what goes with a message.
const (
	MostAttachments    = 20
	MostAttachedBytes  = 32 << 20 // of all attachments of a message
	MostAttachedInline = 64 << 10 // of a text that stands in the message; a longer one is kept as an artifact
)

// An Attachment is a file that goes with a message: a text in UTF-8 or an image, of at most
// artifacts.MostBytes. Its Name is shown, and never a place on a disk.
type Attachment struct {
	Name string
	Data []byte
	// What the runtime finds from the data, whatever a client sets: the MIME type, and the
	// pixels of an image, 0 of a text.
	Type          string
	Width, Height int
}

func (f *Attachment) isImage() bool { return f.Width > 0 }

// inlineBytes returns how much of some attachments stands in their message.
func inlineBytes(list []Attachment) (bytes int) {
	for i := range list {
		if f := &list[i]; !f.isImage() && len(f.Data) <= MostAttachedInline {
			bytes += len(f.Data)
		}
	}
	return bytes
}

// checkAttached refuses files that cannot go with a message.
func (d *decision) checkAttached(to AgentID, list []Attachment) *Refusal {
	if n := len(list); n > MostAttachments {
		return refuse(LimitReached, to, protocol.TooManyAttached, n, MostAttachments)
	}
	sum := 0
	for i := range list {
		f := &list[i]
		if why := artifacts.CheckName(f.Name); why != nil {
			return &Refusal{Code: InvalidArguments, Agent: to, Why: why}
		}
		switch size := len(f.Data); {
		case size == 0:
			return refuse(InvalidArguments, to, protocol.AttachedEmpty, f.Name)
		case size > artifacts.MostBytes:
			return refuse(TooLarge, to, protocol.AttachedTooLarge, f.Name, size, artifacts.MostBytes)
		default:
			sum += size
		}
	}
	if sum > MostAttachedBytes {
		return refuse(TooLarge, to, protocol.AllAttachedTooLarge, sum, MostAttachedBytes)
	}
	return nil
}

// attach keeps what goes with a message of the user's in a task, and adds it to the message.
func (d *decision) attach(m *message, list []Attachment) *Refusal {
	for i := range list {
		f := &list[i]
		is := conversation.Attachment{Name: f.Name, Type: f.Type, Size: len(f.Data), Width: f.Width, Height: f.Height}
		said := protocol.Attachment{Name: f.Name, Size: is.Size, Image: f.isImage()}
		if !f.isImage() && is.Size <= MostAttachedInline {
			said.Text = string(f.Data)
		} else {
			a, refusal := d.keepVersion(m.task, User, ArtifactPut{Name: f.Name, Type: f.Type, Data: f.Data})
			if refusal != nil {
				refusal.Agent = ""
				return refusal
			}
			is.Artifact, is.Version = string(a.ID), a.Version
			said.Artifact = fmt.Sprintf("%s@%d", a.ID, a.Version)
		}
		m.attached, m.said = append(m.attached, is), append(m.said, said)
	}
	return nil
}

// An ImageRead is an image that a call has read, fit to be sent.
type ImageRead struct {
	Name, Type    string
	Width, Height int
	Hash          string // of the Data: its name beside the store
	Data          []byte
}

// addTo puts the image into the result of its call.
func (f *ImageRead) addTo(e *ToolResultKept) {
	e.Image = f.Data
	e.Entry.Kept = &conversation.Kept{Hash: f.Hash, Size: int64(len(f.Data))}
	e.Entry.Attached = []conversation.Attachment{{Name: f.Name, Type: f.Type, Size: len(f.Data), Width: f.Width, Height: f.Height}}
}
