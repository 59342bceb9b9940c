package tables

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// A letter is written out byte for byte as package json writes it, whatever its
// strings hold.
func TestALetterIsWrittenAsPackageJSONWritesIt(t *testing.T) {
	if n := reflect.TypeFor[society.Mail]().NumField(); n != 12 {
		t.Fatalf("a message's header has %d fields: let appendTo write, and this test draw, those that are new", n)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			if rapid.Bool().Draw(t, name+" of bytes") {
				return string(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, name))
			}
			return rapid.StringOf(rapid.OneOf(
				rapid.Rune(), rapid.RuneFrom([]rune("\"\\<>&\u2028\u2029\x00\a\b\f\n\r\t\x1f\x7f 答a")),
			)).Draw(t, name)
		}
		l := &Letter{
			Mail: society.Mail{
				Seq: rapid.Uint64().Draw(t, "seq"), ID: society.MessageID(text("id")), From: society.AgentID(text("from")), Role: text("role"),
				Type: protocol.MessageType(text("type")), Task: society.TaskID(text("task")), Reply: rapid.Bool().Draw(t, "reply"),
				Size: rapid.Int().Draw(t, "size"), Weight: rapid.Int().Draw(t, "weight"), Line: text("line"),
				At: time.Unix(rapid.Int64Range(-60e9, 250e9).Draw(t, "s"), rapid.Int64Range(0, 1e9-1).Draw(t, "ns")).
					In(time.FixedZone("", 60*rapid.IntRange(-23*60, 23*60).Draw(t, "zone"))),
			},
			Body: text("body"), Text: text("text"),
		}
		for range rapid.IntRange(0, 3).Draw(t, "replies") {
			l.Quick = append(l.Quick, text("reply"))
		}
		var want bytes.Buffer
		e := json.NewEncoder(&want)
		e.SetEscapeHTML(false)
		if err := e.Encode(l); err != nil {
			t.Fatalf("encode: %v", err)
		}
		if got := append(l.appendTo(nil), '\n'); !bytes.Equal(got, want.Bytes()) {
			t.Fatalf("it is written as\n%s, package json writes\n%s", got, want.Bytes())
		}
	})
}
