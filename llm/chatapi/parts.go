package chatapi

import "strings"

// deepest limits how far parts may be nested.
const deepest = 4

// parts is the text of a content that came as parts, and the thoughts among
// them. Other kinds of parts, such as references, are left out.
func parts(v value) (text, thoughts string) {
	var said, thought strings.Builder
	gather(v, &said, &thought, deepest)
	return said.String(), thought.String()
}

func gather(v value, said, thought *strings.Builder, depth int) {
	if depth == 0 {
		return
	}
	if v.isString() {
		said.WriteString(v.str())
		return
	}
	if v.isArray() {
		list := v.members()
		for _, part, more := list.next(); more; _, part, more = list.next() {
			gather(part, said, thought, depth-1)
		}
		return
	}
	if !v.isObject() {
		return
	}
	switch v.member("type").str() {
	case "text", "output_text", "":
		said.WriteString(v.member("text").str())
	case "thinking", "reasoning":
		for _, name := range []string{"thinking", "reasoning", "text"} {
			if inner := v.member(name); !inner.isNull() {
				gather(inner, thought, thought, depth-1)
				return
			}
		}
	}
}

// detailText is the part of reasoning_details that people can read.
func detailText(v value) string {
	var text strings.Builder
	list := v.members()
	for _, detail, more := list.next(); more; _, detail, more = list.next() {
		for _, name := range []string{"text", "summary"} {
			if member := detail.member(name); member.isString() {
				text.WriteString(member.str())
			}
		}
	}
	return text.String()
}
