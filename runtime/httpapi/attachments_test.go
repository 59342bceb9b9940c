package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/httpapi"
)

func TestFilesGoWithAMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := open(t, ground{model: whims()})
		defer s.leave()
		long := strings.Repeat("a", 70<<10)
		code, _ := s.ask(http.MethodPost, "/api/submit", `{"text":"read","attachments":[{"name":"a.md","text":"one"},{"name":"b.md","text":"`+long+`"},`+
			`{"name":"dot.gif","data":"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}]}`)
		list := get[struct{ Artifacts []httpapi.Artifact }](s, "/api/artifacts").Artifacts
		if code != http.StatusOK || len(list) != 2 || list[0].Name != "b.md" || list[0].By != "user" || list[1].Name != "dot.gif" || list[1].Type != "image/png" {
			t.Errorf("submit = %d, and the artifacts are %+v", code, list)
		}
		if code, _ := s.ask(http.MethodPost, "/api/agents/root/interrupt", `{"text":"this instead","attachments":[{"name":"c.md","text":"`+long+`"}]}`); code != http.StatusOK {
			t.Errorf("interrupt = %d", code)
		}
		if list := get[struct{ Artifacts []httpapi.Artifact }](s, "/api/artifacts").Artifacts; len(list) != 3 || list[2].Name != "c.md" {
			t.Errorf("after the interrupt the artifacts are %+v", list)
		}
		bad := s.serve(s.request(http.MethodPost, "/api/agents/root/interrupt", `{"attachments":[{"name":"a"}]}`))
		if bad.code != http.StatusBadRequest || !strings.Contains(string(bad.body), "attachments.0") {
			t.Errorf("an interrupt with a file of no content is answered %d %s", bad.code, bad.body)
		}
		for body, want := range map[string]string{
			`{"agentId":"root","text":"a","attachments":[{"name":"a"}]}`:                        "attachments.0",
			`{"agentId":"root","text":"a","attachments":[{"name":"a","text":"a","data":"YQ"}]}`: "attachments.0",
			`{"agentId":"root","text":"a","attachments":[{"name":"a","data":"?"}]}`:             "attachments.0.data",
			`{"agentId":"root","text":"a","attachments":[{"text":"a"}]}`:                        "name",
			`{"agentId":"root","text":"a","attachments":[{"name":"a","data":"AAE="}]}`:          "neither a text in UTF-8",
		} {
			if got := s.serve(s.request(http.MethodPost, "/api/send", body)); got.code != http.StatusBadRequest || !strings.Contains(string(got.body), want) {
				t.Errorf("%s is answered with %d %s, want %q", body, got.code, got.body, want)
			}
		}
	})
}
