package chatapi_test

import (
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/chatapi"
)

// deserted is where nobody listens: a port that was free a moment ago may by now be
// another test's.
const deserted = "127.0.0.1:1"

func TestAnEndpointThatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	model, err := chatapi.New(chatapi.Config{BaseURL: "http://" + deserted + "/v1", Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	for _, err := range model.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}) {
		e := llm.AsError(err)
		if e.Class != llm.Network || !strings.HasPrefix(e.Text, deserted+" cannot be reached: ") || strings.Contains(e.Text, "connect:") {
			t.Fatalf("it is told as %v", e)
		}
		return
	}
	t.Fatal("nobody answered, and no error came")
}
