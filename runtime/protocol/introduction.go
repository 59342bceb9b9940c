package protocol

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"
)

// A Target is the agent that an introducer names, and what it says of it. It is
// a stored record: fields are added, never renamed.
type Target struct {
	ID            string         `json:"id,omitempty"`
	Role          string         `json:"role,omitempty"`
	InterfaceSpec *InterfaceSpec `json:"interfaceSpec,omitempty"`
	UsageHint     string         `json:"usage_hint,omitempty"`
}

// IntroductionLine returns the line that the runtime adds to the first message of an agent
// to one that does not know it: what the sender is for, from Description, and how to work
// with it. It is the last line of the message, after the reply hint, where no body can
// come.
func IntroductionLine(lang Lang, sender Contact) string {
	f := frameIn(lang)
	line := fmt.Sprintf(f.introduced, oneLine(sender.ID), quotable(sender.Role))
	say := func(form, text string) {
		if said := quotable(text); said != "" {
			line += fmt.Sprintf(form, said)
		}
	}
	say(f.purpose, sender.Description)
	if s := sender.InterfaceSpec; s != nil {
		say(f.services, s.Services)
		say(f.input, s.InputFormat)
		say(f.output, s.OutputFormat)
	}
	return line + f.closing
}

// quotable returns a text as a phrase that ends neither the quotation nor the line
// in which it stands.
func quotable(text string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case '"', '“', '”':
			return '\''
		}
		return unbracketed(r)
	}, phrase(text))
}

// introducerSays is the field of an introduction that holds what the introducer
// wrote of the target.
const introducerSays = "introducerSays"

// Completed returns the payload of an introduction with the target's role and interface
// from the organisation's records. Differing words of the sender are kept beside them,
// marked as the sender's, so that nobody is misrepresented.
func (p Payload) Completed(role string, spec *InterfaceSpec) Payload {
	fields, _ := readObject(p.Fields)
	wrote, _ := readObject(unwrapped(fields.get("target")))
	said := wrote.without("id")
	if p.Target.Role == role {
		said = said.without("role")
	}
	if p.Target.InterfaceSpec == nil || reflect.DeepEqual(p.Target.InterfaceSpec, spec) {
		said = said.without("interfaceSpec", "interface_spec")
	}
	completed := object{{"target", encode(Target{ID: p.Target.ID, Role: role, InterfaceSpec: spec})}}
	if len(said) > 0 {
		completed = append(completed, field{introducerSays, said.raw()})
	}
	p.Fields = append(completed, fields.without("target", introducerSays)...).raw()
	return p
}

// Said returns what the introducer says of the target where it differs from the
// organisation's records, short enough for a list of contacts; nil for nothing.
func (t Target) Said(role string, spec *InterfaceSpec) *Target {
	if t.Role == role {
		t.Role = ""
	}
	if reflect.DeepEqual(t.InterfaceSpec, spec) {
		t.InterfaceSpec = nil
	}
	if t.Role == "" && t.InterfaceSpec == nil && t.UsageHint == "" {
		return nil
	}
	return t.short()
}

// short returns what is said of the target in phrases.
func (t Target) short() *Target {
	return &Target{Role: phrase(t.Role), InterfaceSpec: t.InterfaceSpec.short(), UsageHint: phrase(t.UsageHint)}
}

// maxExamples limits the listed examples of an interface.
const maxExamples = 3

// short returns the specification in phrases, with its first examples.
func (s *InterfaceSpec) short() *InterfaceSpec {
	if s == nil {
		return nil
	}
	short := InterfaceSpec{Services: phrase(s.Services), InputFormat: phrase(s.InputFormat), OutputFormat: phrase(s.OutputFormat)}
	for _, example := range s.Examples[:min(len(s.Examples), maxExamples)] {
		short.Examples = append(short.Examples, phrase(example))
	}
	return &short
}

// longestPhrase is the most bytes of a phrase, before the sign that it goes on.
const longestPhrase = 240

// phrase returns a text as one short line.
func phrase(text string) string {
	line := strings.Join(strings.Fields(oneLine(clip(text, 4*longestPhrase))), " ")
	if len(line) <= longestPhrase && len(text) <= 4*longestPhrase {
		return line
	}
	return clip(line, longestPhrase) + "…"
}

// clip returns at most n bytes of a text, cut between runes.
func clip(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
