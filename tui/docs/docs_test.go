package docs

import (
	"regexp"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
)

func TestEveryTopicHasADescription(t *testing.T) {
	t.Parallel()
	for lang, end := range map[protocol.Lang]string{protocol.English: ".", protocol.Chinese: "。"} {
		topics := Topics(lang)
		if len(topics) < 10 {
			t.Errorf("%d topics", len(topics))
		}
		for _, topic := range topics {
			if !strings.HasPrefix(topic.Text, "# ") || !strings.HasSuffix(topic.About, end) || strings.Contains(topic.Text, "<!--") {
				t.Errorf("%s in %s: about %q, text\n%.200s", topic.Name, lang, topic.About, topic.Text)
			}
			if found, ok := Find(lang, topic.Name); !ok || found != topic {
				t.Errorf("Find(%q) = %v, %v", topic.Name, found, ok)
			}
		}
	}
	if _, ok := Find(protocol.English, "../docs/keys"); ok {
		t.Error("Find(../docs/keys): ok = true, want false")
	}
}

var (
	// code matches what stands the same in every language.
	code = regexp.MustCompile("`[^`\n]*`|(?m)^    .*$")
	row  = regexp.MustCompile(`(?m)^\|.*$`)
)

// A language has every topic with the same headings, tables and code.
func TestTopicsAreAlikeInBothLanguages(t *testing.T) {
	t.Parallel()
	for _, en := range Topics(protocol.English) {
		zh, ok := Find(protocol.Chinese, en.Name)
		if !ok {
			t.Errorf("%s: no text in Chinese", en.Name)
			continue
		}
		for what, pattern := range map[string]*regexp.Regexp{"headings": regexp.MustCompile("(?m)^#+ "), "rows": row} {
			if a, b := len(pattern.FindAllString(en.Text, -1)), len(pattern.FindAllString(zh.Text, -1)); a != b {
				t.Errorf("%s has %d %s in English and %d in Chinese", en.Name, a, what, b)
			}
		}
	}
}

// sentence matches words that stand together as in an English sentence.
var sentence = regexp.MustCompile(`\b[A-Za-z]+ [a-z]+ [a-z]+\b`)

func TestTopicsInChineseHaveNoEnglishSentences(t *testing.T) {
	t.Parallel()
	for _, topic := range Topics(protocol.Chinese) {
		for _, said := range sentence.FindAllString(code.ReplaceAllString(topic.Text, ""), -1) {
			t.Errorf("%s: %q", topic.Name, said)
		}
	}
}
