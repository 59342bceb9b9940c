package mind

import (
	"slices"
	"testing"
)

func TestAnAgentIsCalledAsThePersonSeesIt(t *testing.T) {
	t.Parallel()
	l := &leader{me: self{lang: Chinese}, crew: []*member{{id: "agent-1", role: "计数员"}, {id: "agent-12", role: "计数员"}, {id: "editor-3", role: "Editor"}, {id: "agent-4"}}}
	for id, want := range map[string]string{
		"agent-12": "计数员-12", "editor-3": "editor-3",
		"agent-4": "agent-4", // its role is not known
		"agent-9": "agent-9", rootID: rootID,
	} {
		if got := l.called(id); got != want {
			t.Errorf("%s is called %s, want %s", id, got, want)
		}
	}
	for said, want := range map[string][]string{
		"请终止 计数员-12": {"agent-12"}, "请终止 agent-1": {"agent-1"}, "请终止计数员": {"agent-1", "agent-12"},
	} {
		if got := l.targets(said); !slices.Equal(got, want) {
			t.Errorf("%q means %v, want %v", said, got, want)
		}
	}
}
