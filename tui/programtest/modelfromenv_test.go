package programtest

import (
	"strings"
	"testing"
)

// Without key_env and base_url an error names the variables that were set.
func TestAModelOfTheEnvironmentIsExplainedByItsVariables(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "OPENAI_BASE_URL=http://127.0.0.1:1/v1", "OPENAI_API_KEY=sk-canary-0123456789", "SOCIETY_MODEL=x")
	got := h.run("models")
	if got.code != 1 || !strings.Contains(got.err, "check OPENAI_BASE_URL") || strings.Contains(got.out+got.err, "base_url") {
		t.Errorf("models = %+v", got)
	}
}
