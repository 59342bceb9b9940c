package chatapi

import (
	"bytes"
	"encoding/json"
)

// details puts the pieces of reasoning_details or thinking_blocks together. The endpoint
// wants back, whole and in order, what it sent in pieces.
type details struct {
	field string
	items []map[string]json.RawMessage
	texts []map[string]*bytes.Buffer // of each item, the fields that grow
}

// growing are the fields of a detail that arrive in pieces.
var growing = []string{"text", "summary", "data", "thinking"}

func (d *details) add(list value) {
	var pieces []map[string]json.RawMessage
	if json.Unmarshal(list, &pieces) != nil {
		return // not of the form that is known; the normalizer has let it pass as JSON
	}
	for _, piece := range pieces {
		if len(piece) == 0 {
			continue
		}
		if n := len(d.items); n == 0 || !continues(d.items[n-1], piece) {
			d.items = append(d.items, make(map[string]json.RawMessage))
			d.texts = append(d.texts, make(map[string]*bytes.Buffer))
		}
		d.extend(len(d.items)-1, piece)
	}
}

// continues reports whether piece belongs to item: it is of the same type and
// index, and does not begin with an id or data of its own.
func continues(item, piece map[string]json.RawMessage) bool {
	same := func(name string) bool { return bytes.Equal(item[name], piece[name]) }
	if !same("type") || !same("index") {
		return false
	}
	if signed := value(item["signature"]); signed.isString() && signed.str() != "" && !value(piece["thinking"]).isNull() {
		return false // a block of thoughts ends with its signature
	}
	id := value(piece["id"])
	return (id.isNull() || same("id")) && !bytes.Contains(piece["type"], []byte("encrypted")) && !bytes.Contains(piece["type"], []byte("redacted"))
}

func (d *details) extend(at int, piece map[string]json.RawMessage) {
	for name, v := range piece {
		if isGrowing(name) && value(v).isString() {
			text := d.texts[at][name]
			if text == nil {
				text = new(bytes.Buffer)
				d.texts[at][name] = text
			}
			text.WriteString(value(v).str())
			continue
		}
		if _, there := d.items[at][name]; !there || !value(v).isNull() && string(v) != `""` {
			d.items[at][name] = v
		}
	}
}

func isGrowing(name string) bool {
	for _, g := range growing {
		if g == name {
			return true
		}
	}
	return false
}

// with is extra with the details as a field, if there are any.
func (d *details) with(extra json.RawMessage) json.RawMessage {
	if len(d.items) == 0 {
		return extra
	}
	for i, item := range d.items {
		for name, text := range d.texts[i] {
			item[name] = json.RawMessage(quote(text.String()))
		}
	}
	all := map[string]json.RawMessage{}
	if len(extra) > 0 && json.Unmarshal(extra, &all) != nil {
		return extra
	}
	list, err := json.Marshal(d.items)
	if err != nil {
		return extra
	}
	all[d.field] = list
	text, err := json.Marshal(all)
	if err != nil {
		return extra
	}
	return text
}
