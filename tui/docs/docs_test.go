package docs

import (
	"strings"
	"testing"
)

func TestEveryTopicHasADescription(t *testing.T) {
	t.Parallel()
	topics := Topics()
	if len(topics) < 10 {
		t.Errorf("%d topics", len(topics))
	}
	for _, topic := range topics {
		if !strings.HasPrefix(topic.Text, "# ") || !strings.HasSuffix(topic.About, ".") || strings.Contains(topic.Text, "<!--") {
			t.Errorf("%s: about %q, text\n%.200s", topic.Name, topic.About, topic.Text)
		}
		if found, ok := Find(topic.Name); !ok || found != topic {
			t.Errorf("Find(%q) = %v, %v", topic.Name, found, ok)
		}
	}
	if _, ok := Find("../docs/keys"); ok {
		t.Error("Find(../docs/keys): ok = true, want false")
	}
}
