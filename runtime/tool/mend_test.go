package tool

import (
	"encoding/json"
	"testing"
)

func TestMendUnderstandsWhatModelsWrite(t *testing.T) {
	t.Parallel()
	s := Spec{Name: "edit", Parameters: []Property{
		Must("path", Text("")).Or("file_path", "file"), May("offset", Whole("")), May("literal", YesNo("")),
		May("edits", List("", Object("", Must("old", Text("")).Or("old_str"), May("all", YesNo(""))))), May("names", Texts("")),
	}}
	for args, want := range map[string]string{
		``:                                        `{}`,
		`{"file_path":"a","offset":"12"}`:         `{"offset":12,"path":"a"}`,
		`{"file":"a","path":"b"}`:                 `{"file":"a","path":"b"}`,
		`{"path":"12","literal":"True"}`:          `{"literal":true,"path":"12"}`,
		`{"edits":"[{\"old_str\":\"x\"}]"}`:       `{"edits":[{"old":"x"}]}`,
		`{"edits":{"old_str":"x","all":"false"}}`: `{"edits":[{"all":false,"old":"x"}]}`,
		`{"names":"one"}`:                         `{"names":["one"]}`,
		`{"offset":"many","edits":7}`:             `{"edits":7,"offset":"many"}`,
		`[1]`:                                     `[1]`,
		`{"path`:                                  `{"path`,
	} {
		if got := s.Mend(json.RawMessage(args)); string(got) != want {
			t.Errorf("Mend(%s) = %s, want %s", args, got, want)
		}
		if got := s.Mend(s.Mend(json.RawMessage(args))); string(got) != want {
			t.Errorf("mended twice, %s is %s, want %s", args, got, want)
		}
	}
	if why := s.Check(json.RawMessage(`{"file_path":"a","offset":"12","edits":[{"old_str":"x","all":"yes"}]}`)); why == nil {
		t.Error("yes is taken for true")
	}
	if why := s.Check(json.RawMessage(`{"file_path":"a","offset":"12","literal":"true"}`)); why != nil {
		t.Errorf("what is understood is refused: %v", why)
	}
}
