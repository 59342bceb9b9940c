package chatapi

import (
	"testing"

	"go.uber.org/goleak"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestModelKeepsThePromisesOfAModel(t *testing.T) {
	t.Parallel()
	llmtest.RunScripted(t, func(t *testing.T, answer llmtest.Answer) llm.Model {
		server := llmtest.StartStrict(t, llmtest.Strict{Answer: answer, Key: "sk-conformance"})
		t.Cleanup(func() {
			for _, violation := range server.Violations() {
				t.Errorf("the strict server refused a request: %s", violation)
			}
		})
		return open(t, Config{BaseURL: server.URL, Key: "sk-conformance"})
	})
}

// open makes a model that is closed after the test.
func open(t testing.TB, config Config) *Model {
	t.Helper()
	if config.Model == "" {
		config.Model = "a-model"
	}
	m, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}
