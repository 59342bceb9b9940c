// Package docs holds the reference of the program: a text in Markdown for each topic,
// in English. README leads to them, "society-tui help TOPIC" prints them.
//
// Tables of keys, commands, symbols and settings are made of the program itself, by
// "go test ./tui -update". To add a topic, add a file: a heading, a sentence about
// it, then the text, a sentence a line.
package docs

import (
	"embed"
	"strings"
)

//go:embed *.md
var files embed.FS

// A Topic is one text.
type Topic struct {
	Name  string // "keys", as users type it
	About string // what it is about, in a sentence
	Text  string // in Markdown, with its heading
}

// Topics returns all of them, by name.
func Topics() []Topic {
	found, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the files are part of the program
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
