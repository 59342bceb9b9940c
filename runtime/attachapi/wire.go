package attachapi

import (
	"fmt"
	"io"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// Protocol is the number of the protocol, which stands in every path. Both sides must have
// the same: it grows with every change of what a client sends or reads.
const Protocol = 1

// Root is the path before all routes.
const Root = "/attach/1/"

// The limits of a request's body.
const (
	largestBody = 1 << 20
	largestText = 64 << 20 // of a command with a message, which may have 16 MiB, and attachments of 32 MiB in base64
	largestKept = 24 << 20 // of values to keep, a draft of that size in base64 among them
)

const (
	// PageBytes is about how much of a conversation or of the inbox comes at a time.
	PageBytes = 1 << 20
	// PartRows is how many rows of changes come at a time.
	PartRows = 500
	// MostWatched is how many agents a client can watch: those whose answers it is sent
	// while they grow.
	MostWatched = 16
	// MostScreens is how many clients can be attached at the same time.
	MostScreens = 8
	// Beat is the longest time between two frames, and Silence after how much of it a
	// connection counts as dead, at either end.
	Beat    = 5 * time.Second
	Silence = 3 * Beat
	// ScreenHeader names, in requests that change something, the screen whose they are.
	ScreenHeader = "Attach-Screen"
)

// encoding leaves out what is zero, so that nil and empty stay apart and most rows are
// short. Text that is not UTF-8 is mended.
var encoding = json.JoinOptions(json.OmitZeroStructFields(true), json.FormatNilSliceAsNull(true), jsontext.AllowInvalidUTF8(true), jsonv1.FormatDurationAsNano(true),
	jsonv1.OmitEmptyWithLegacySemantics(true), json.WithMarshalers(json.MarshalToFunc(sendEntered)))

// sendEntered writes what a user has entered, which all other encoders hide.
func sendEntered(to *jsontext.Encoder, e api.Entered) error {
	return to.WriteToken(jsontext.String(string(e)))
}

// Encode writes a value as it goes over the wire, as one line.
func Encode(w io.Writer, v any) error {
	return json.MarshalEncode(jsontext.NewEncoder(w, encoding), v, encoding)
}

// A Decoder reads values that Encode has written.
type Decoder struct{ d *jsontext.Decoder }

// NewDecoder returns a decoder of a stream.
func NewDecoder(r io.Reader) Decoder {
	return Decoder{jsontext.NewDecoder(r, encoding, jsontext.AllowDuplicateNames(true))}
}

// Decode reads the next value.
func (d Decoder) Decode(v any) error { return json.UnmarshalDecode(d.d, v, encoding) }

// A Greeting describes the program to a client that connects. Only Settings change while the
// program runs.
type Greeting struct {
	Protocol int    `json:"protocol"`
	Version  string `json:"version"`
	Boot     string `json:"boot"` // another one after each start
	// Session is the name of the open session, Host the machine and Store the file that it
	// is on.
	Session string `json:"session"`
	Host    string `json:"host"`
	Store   string `json:"store"`

	Spoken   protocol.Lang `json:"spoken"` // of the agents
	Settings []Setting     `json:"settings"`
	LogFile  string        `json:"logFile"` // "" for none
}

// A Setting is a setting in force, without secrets.
type Setting struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
}

// A LogLine is a record of the log.
type LogLine struct {
	At    time.Time `json:"at"`
	Level string    `json:"level"`
	Text  string    `json:"text"`
	With  string    `json:"with"` // its attributes
	Run   string    `json:"run"`  // id of the program's run
}

// An Export selects what is exported.
type Export struct {
	Agent society.AgentID // "" for the whole society
	Below bool            // with its descendants
	JSON  bool            // else Markdown
}

// A Frame is a line of the stream of changes. One that is empty shows that the connection
// is alive.
type Frame struct {
	// Screen is the id of this screen, in the first frame only.
	Screen string `json:"screen"`
	// Changes are those since the frame before, without Streaming: those are the agents of
	// Drafts and Outputs. With More further rows of the same look follow.
	Changes *api.Changes `json:"changes"`
	More    bool         `json:"more"`
	Drafts  []Draft      `json:"drafts"`
	Outputs []Output     `json:"outputs"`
	Library *Library     `json:"library"` // at first and when it has changed
	// Bye is set in the last frame, when the society has ended and no other process goes on
	// with it.
	Bye bool `json:"bye"`
}

// A Library is what roles can ask for, and what of that is not there.
type Library struct {
	Models  []api.Model        `json:"models"`
	Graphs  []api.Graph        `json:"graphs"`
	Missing []api.MissingModel `json:"missing"`
	// Drafts are the models that can be changed, Disabled those that cannot be used.
	Drafts   []api.ModelDraft `json:"drafts"`
	Disabled []Disabled       `json:"disabled"`
}

// A Draft is what has changed of an answer in flight. Of an agent that the client does not
// watch only Agent, Bytes and Aborted are set.
type Draft struct {
	api.Draft // with the pieces of the texts behind those that were sent

	Gone bool `json:"gone"` // there is none any more
	// From are the bytes of text and thought that were sent before, and Upto with this.
	From Offset `json:"from"`
	Upto Offset `json:"upto"`
}

// An Output is what the running calls of an agent that the client watches have written since
// the frame before: all that there are, each with what it wrote, behind what was sent of it.
type Output struct {
	Agent society.AgentID `json:"agent"`
	Calls []Written       `json:"calls"`
}

// Written is the output of one call.
type Written struct {
	api.Output // with the piece of the text behind what was sent

	// Upto counts the bytes of the output that were sent with this, as the society has them:
	// text that is not UTF-8 is mended on the way.
	Upto int64 `json:"upto"`
}

// An Offset counts the bytes of a draft's texts, as the society has them.
type Offset struct {
	Text    int `json:"text"`
	Thought int `json:"thought"`
}

// Watched names the agents whose answers a client wants to be sent, and those of them of
// which it has nothing, or what does not fit.
type Watched struct {
	Agents []society.AgentID `json:"agents"`
	Whole  []society.AgentID `json:"whole,omitempty"`
}

// A Reply is that to a command, as api.EncodeReply encodes it.
type Reply struct {
	Kind  string         `json:"kind"`
	Reply jsontext.Value `json:"reply"`
}

// Kept are values to keep, and in the reply those that are stored instead.
type Kept struct {
	Values map[string]api.Value `json:"values,omitempty"`
}

// Incompatible is returned when the other side has another protocol.
type Incompatible struct{ Ours, Theirs int }

// Error names both protocols.
func (e *Incompatible) Error() string {
	return fmt.Sprintf("the society speaks protocol %d of attached screens, this program %d", e.Theirs, e.Ours)
}
