package protocol

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// Arguments are the arguments of a tool call, as a model wrote them. Each method reads
// one of them; Wrong returns the problems of all that were read. null and "" count as
// left out. Where an object, a list or a number is needed, a string that holds its JSON
// is accepted.
type Arguments struct {
	fields object
	wrong  problems
}

// ReadArguments reads the arguments of a call; lang is the language of what is wrong with
// them.
func ReadArguments(lang Lang, raw string) *Arguments {
	fields, ok := readObject(unwrapped(json.RawMessage(raw)))
	a := &Arguments{fields, problems{lang: lang}}
	if !ok {
		a.wrong.wrong(NoArguments, KindOf(json.RawMessage(raw)))
	}
	return a
}

// Wrong returns why the arguments do not fit the tool, nil if they do.
func (a *Arguments) Wrong(tool string) *Reason {
	if !a.wrong.any() {
		return nil
	}
	return Because(BadArguments, tool, a.wrong.all())
}

// Raw returns an argument as it was written, nil if there is none.
func (a *Arguments) Raw(name string) json.RawMessage { return a.fields.get(name) }

// Required reads a string that must be there.
func (a *Arguments) Required(name string) string { return a.wrong.required(a.fields, "", name) }

// Filled reads a string that must be there and not be blank.
func (a *Arguments) Filled(name string) string {
	s := a.Required(name)
	if s != "" && strings.TrimSpace(s) == "" {
		a.wrong.missing = append(a.wrong.missing, name)
	}
	return s
}

// Text reads a string that may be left out.
func (a *Arguments) Text(name string) string { return a.wrong.optional(a.fields, "", name) }

// Texts reads a list of strings. It is nil if it was left out.
func (a *Arguments) Texts(name string) []string { return a.wrong.texts(a.fields, "", name) }

// Fields are those of one object of a list.
type Fields struct {
	fields object
	prefix string
	wrong  *problems
}

// Objects reads a list of objects that must be there, and calls read with each of them.
func (a *Arguments) Objects(name string, read func(Fields)) {
	raw := a.fields.get(name)
	if absent(raw) {
		a.wrong.missing = append(a.wrong.missing, name)
		return
	}
	items, _ := a.wrong.list(raw, name, KindObjects)
	for i, item := range items {
		if o, ok := a.wrong.object(item, at(name, i)); ok {
			read(Fields{o, at(name, i) + ".", &a.wrong})
		}
	}
}

// AtMost reports that a list has more items than it may have.
func (a *Arguments) AtMost(name string, most, is int) { a.wrong.wrong(TooManyItems, name, most, is) }

// Filled reads a string that must be there, not be blank, and have at most so many bytes.
func (f Fields) Filled(name string, most int) string {
	s := f.wrong.required(f.fields, f.prefix, name)
	switch {
	case s != "" && strings.TrimSpace(s) == "":
		f.wrong.missing = append(f.wrong.missing, f.prefix+name)
	case len(s) > most:
		f.wrong.wrong(TooLong, f.prefix+name, most, len(s))
	}
	return s
}

// OneOf reads a string that must be there and be one of several.
func (f Fields) OneOf(name string, values []string) string {
	s := f.wrong.required(f.fields, f.prefix, name)
	if s != "" && !slices.Contains(values, s) {
		f.wrong.wrong(MustBeOneOf, f.prefix+name, Names(values), s)
	}
	return s
}

// InterfaceSpec reads an interface specification that may be left out.
func (a *Arguments) InterfaceSpec() *InterfaceSpec { return a.wrong.interfaceSpec(a.fields, "") }

// Recipients reads a list of ids, or a single id in its place.
func (a *Arguments) Recipients(name string) []string {
	raw := unwrapped(a.fields.get(name))
	if absent(raw) {
		a.wrong.missing = append(a.wrong.missing, name)
		return nil
	}
	if id, ok := text(raw); ok {
		return []string{id}
	}
	var items []json.RawMessage
	ids := []string{}
	if json.Unmarshal(raw, &items) == nil {
		for _, item := range items {
			if id, ok := text(item); ok && id != "" {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 || len(ids) < len(items) {
		a.wrong.wrong(MustBeRecipients, name)
	}
	return ids
}

// Whole reads a whole number from 0 to most; most 0 is no bound. ok is false
// if it was left out.
func (a *Arguments) Whole(name string, most int64) (n int64, ok bool) {
	raw := a.fields.get(name)
	if absent(raw) {
		return 0, false
	}
	number := raw
	if s, ok := text(raw); ok {
		number = json.RawMessage(s)
	}
	var f float64 // 1e3 is whole too
	err := json.Unmarshal(number, &f)
	switch {
	case err == nil && f == math.Trunc(f) && f >= 0 && (most == 0 || f <= float64(most)):
		return int64(min(f, 1<<53)), true
	case most == 0:
		a.wrong.wrong(MustBeWhole, name, short(raw))
	default:
		a.wrong.wrong(MustBeUpTo, name, most, short(raw))
	}
	return 0, true
}

// short returns a value of a few characters as it was written, and any other by
// what it is.
func short(raw json.RawMessage) any {
	const most = 20
	if len(raw) <= most {
		return string(raw)
	}
	return KindOf(raw)
}
