package conversation

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// readLimit bounds the JSON that is read for people.
const readLimit = 256 << 10

// A Member is a name and a value of a JSON object.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Members reads a JSON object, in the order of the text; nil if text is none, or too long
// to be read for people.
func Members(text string) []Member {
	if len(text) > readLimit {
		return nil
	}
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	list := []Member{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		s, _ := name.(string)
		list = append(list, Member{s, value})
	}
	return list
}

// Fields parts what an agent said into its text and the fields behind it: an object in
// JSON on the last line (protocol.Payload.Body). A body without one is all text.
func Fields(body string) (text string, fields []Member) {
	text, last := "", body
	if i := strings.LastIndexByte(body, '\n'); i >= 0 {
		text, last = body[:i], body[i+1:]
	}
	if !strings.HasPrefix(last, "{") || !json.Valid([]byte(last)) {
		return body, nil
	}
	if fields = Members(last); len(fields) == 0 {
		return body, nil
	}
	return text, fields
}

// The arguments that best identify a call, in order of preference: the object of the
// call, and its text.
var (
	targets = []string{"to", "agentId", "roleId", "path", "file", "url", "query", "pattern", "command", "name", "id"}
	whoms   = []string{"to", "agentId"}
	roles   = []string{"roleId"}
	agents  = []string{"agentId"}
	wording = []string{"payload", "initialMessage", "taskBrief", "message", "text", "summary", "reason", "content", "description"}
	inner   = []string{"text", "objective", "message", "question", "content"}
)

// wordBytes limits an argument that identifies a call.
const wordBytes = 1 << 10

// About returns what a call is about in a few words, as the agent wrote them: who or what
// its arguments name, and their text. Of a role it is the agent that was made in it, which
// result says once the call has ended well. name returns the name of an agent.
func About(arguments, result string, name func(id string) string) string {
	args := Members(arguments)
	if args == nil {
		if arguments == "null" {
			return ""
		}
		return few(arguments)
	}
	var words []string
	target := First(args, targets)
	switch target {
	case "":
	case First(args, whoms):
		target = named(target, name)
	case First(args, roles):
		line, _, _ := strings.Cut(result, "\n")
		if made := First(Members(line), agents); made != "" {
			target = name(made)
		}
	}
	if target != "" {
		words = append(words, target)
	}
	if said := First(args, wording); said != "" {
		words = append(words, `"`+said+`"`)
	}
	if len(words) == 0 && len(args) > 0 {
		words = append(words, brief(args[0].Value))
	}
	return strings.Join(words, " ")
}

// named returns a list of agents by their names. The user is no agent.
func named(ids string, name func(id string) string) string {
	list := strings.Split(ids, ", ")
	for i, id := range list {
		if id != "user" {
			list[i] = name(id)
		}
	}
	return strings.Join(list, ", ")
}

// Shorten returns a call's arguments: short ones as they are, of a longer object some
// members, with their values cut, which is enough to say what the call is about. It returns
// "" for a long text that is no object, or that is too long to be read for people.
func Shorten(arguments string) string {
	const (
		short = 1 << 10
		most  = 8 // members
		value = 200
	)
	if len(arguments) <= short {
		return arguments
	}
	kept := map[string]any{}
	for _, m := range Members(arguments) {
		var text string
		switch {
		case len(kept) == most || len(m.Name) > value:
		case json.Unmarshal(m.Value, &text) == nil:
			kept[m.Name] = text[:beginning(text, value)]
		case len(m.Value) <= value:
			kept[m.Name] = m.Value
		}
	}
	if len(kept) == 0 {
		return ""
	}
	written, err := json.Marshal(kept)
	if err != nil {
		return ""
	}
	return string(written)
}

// First returns in a few words the first of names that is among the members.
func First(list []Member, names []string) string {
	for _, name := range names {
		i := slices.IndexFunc(list, func(m Member) bool { return m.Name == name })
		if i < 0 {
			continue
		}
		if said := brief(list[i].Value); strings.TrimSpace(said) != "" {
			return said
		}
	}
	return ""
}

// brief writes a value in a few words: of an object the text in it.
func brief(value json.RawMessage) string {
	var text string
	var several []string
	switch {
	case json.Unmarshal(value, &text) == nil:
		return few(text)
	case json.Unmarshal(value, &several) == nil:
		return few(strings.Join(several, ", "))
	case len(value) > 0 && value[0] == '{':
		return First(Members(string(value)), inner)
	}
	return few(string(value))
}

// few returns the beginning of a text.
func few(text string) string {
	return strings.TrimSpace(text[:beginning(text, wordBytes)])
}

// beginning returns how many of the first most bytes of a text are whole characters.
func beginning(text string, most int) int {
	n := min(len(text), most)
	for n > 0 && n < len(text) && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// Plain writes a JSON object as names and values, each value as it would be read. Any
// other text stays as it is.
func Plain(text string) string {
	if Members(text) == nil {
		return strings.TrimSpace(text)
	}
	return Outline(json.RawMessage(text))
}

// Outline writes a JSON value as a list in plain text: an item of a list or a member of an
// object in a line each, and what it holds indented below it.
func Outline(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text // of null, too
	}
	var lines []string
	if list := Members(string(value)); list != nil {
		for _, m := range list {
			lines = append(lines, m.Outline())
		}
		return strings.Join(lines, "\n")
	}
	var items []json.RawMessage
	if json.Unmarshal(value, &items) == nil {
		for _, item := range items {
			lines = append(lines, "- "+Hang(Outline(item)))
		}
		return strings.Join(lines, "\n")
	}
	return string(value)
}

// Outline writes the member as one of an object.
func (m Member) Outline() string {
	inside := Outline(m.Value)
	if strings.Contains(inside, "\n") || inside != "" && (m.Value[0] == '{' || m.Value[0] == '[') {
		return m.Name + ":\n  " + Hang(strings.TrimRight(inside, "\n"))
	}
	return m.Name + ": " + inside
}

// Hang indents all lines but the first.
func Hang(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }
