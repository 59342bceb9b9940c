// Package docs holds the reference: a Markdown text in English for each topic.
// README links to them, "society-tui help TOPIC" prints them.
//
// Tables of keys, commands, symbols and settings are generated from the program
// by "go test ./tui -update". To add a topic, add a file: a heading, a sentence
// about it, then the text, one sentence a line.
package docs

import (
	"embed"
	"strings"
)

//go:embed *.md
var files embed.FS

// A Topic is one text.
type Topic struct {
	Name  string // such as "keys", as users type it
	About string // one sentence
	Text  string // Markdown with its heading
}

// Topics returns all topics, ordered by name.
func Topics() []Topic {
	found, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are embedded
	}
	topics := make([]Topic, len(found))
	for i, file := range found {
		topics[i], _ = Find(strings.TrimSuffix(file.Name(), ".md"))
	}
	return topics
}

// Find returns the topic of a name.
func Find(name string) (topic Topic, ok bool) {
	source, err := files.ReadFile(name + ".md")
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
