// Package docs holds the reference: a Markdown text for each topic, in English
// and, in the folder zh, in Chinese. README links to them, "society-tui help
// TOPIC" prints them.
//
// Tables of keys, commands, symbols and settings are generated from the program
// by "go test ./tui -update". To add a topic, add a file in each language: a
// heading, a sentence about it, then the text, one sentence a line.
package docs

import (
	"embed"
	"strings"

	"society-tui/runtime/protocol"
)

//go:embed *.md zh/*.md
var files embed.FS

// A Topic is one text.
type Topic struct {
	Name  string // such as "keys", as users type it
	About string // one sentence
	Text  string // Markdown with its heading
}

// Topics returns all topics in a language, ordered by name.
func Topics(lang protocol.Lang) []Topic {
	found, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are embedded
	}
	var topics []Topic
	for _, file := range found {
		if name, ok := strings.CutSuffix(file.Name(), ".md"); ok {
			topic, _ := Find(lang, name)
			topics = append(topics, topic)
		}
	}
	return topics
}

// Find returns the topic of a name in a language.
func Find(lang protocol.Lang, name string) (topic Topic, ok bool) {
	folder := ""
	if lang == protocol.Chinese {
		folder = "zh/"
	}
	source, err := files.ReadFile(folder + name + ".md")
	if err != nil {
		return Topic{}, false
	}
	var text strings.Builder
	for line := range strings.Lines(string(source)) {
		if !strings.HasPrefix(line, "<!--") {
			text.WriteString(line)
		}
	}
	topic = Topic{Name: name, Text: text.String()}
	_, body, _ := strings.Cut(topic.Text, "\n\n")
	topic.About, _, _ = strings.Cut(body, "\n")
	return topic, true
}
