package httpapi_test

import (
	"net/http"
	"testing"
	"testing/synctest"
)

// A program goes back in a conversation, reads what was set aside with its mark, and copies
// an agent.
func TestAConversationIsRewoundAndForked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		if code, reply := s.ask(http.MethodPost, "/api/agents/root/rewind", ""); code != http.StatusBadRequest {
			t.Errorf("a rewind of nothing = %d %v", code, reply)
		}
		if code, reply := s.ask(http.MethodPost, "/api/send", `{"agentId":"root","text":"hang"}`); code >= 300 {
			t.Fatalf("%d %v", code, reply)
		}
		synctest.Wait()
		code, reply := s.ask(http.MethodPost, "/api/agents/root/rewind", `{}`)
		if code != http.StatusOK || reply["text"] != "hang" || reply["interrupted"] != true || reply["setAside"] != 1.0 {
			t.Errorf("the rewind = %d %v", code, reply)
		}
		_, read := s.ask(http.MethodGet, "/api/agents/root/conversation", "")
		first, _ := read["entries"].([]any)[0].(map[string]any)
		if first["messageId"] != reply["messageId"] || first["setAsideAt"] == nil {
			t.Errorf("the first entry is %v, the message %v", first, reply["messageId"])
		}
		if code, reply := s.ask(http.MethodPost, "/api/agents/root/rewind", `{"messageId":"`+first["messageId"].(string)+`"}`); code != http.StatusBadRequest { //nolint:forcetypeassert // as just compared
			t.Errorf("a rewind to what is set aside = %d %v", code, reply)
		}
		code, copied := s.ask(http.MethodPost, "/api/agents/root/fork", "")
		if code != http.StatusCreated || copied["agentId"] == "" {
			t.Errorf("the fork = %d %v", code, copied)
		}
		if code, _ := s.ask(http.MethodGet, "/api/agents/"+copied["agentId"].(string), ""); code != http.StatusOK { //nolint:forcetypeassert // as just compared
			t.Errorf("the copy = %d", code)
		}
	})
}
