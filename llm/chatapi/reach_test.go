package chatapi_test

import (
	"net"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/chatapi"
)

func TestAnEndpointThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	model, err := chatapi.New(chatapi.Config{BaseURL: "http://" + addr + "/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	for _, err := range model.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}) {
		e := llm.AsError(err)
		if e.Class != llm.Overload || !strings.HasPrefix(e.Text, addr+" cannot be reached: ") || strings.Contains(e.Text, "connect:") {
			t.Fatalf("it is told as %v", e)
		}
		return
	}
	t.Fatal("nobody answered, and no error came")
}
