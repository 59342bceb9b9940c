package chatapi

import (
	"strconv"
)

// A callDelta is the part of one chunk that concerns one tool call.
type callDelta struct {
	id       string
	name     string
	args     value // nil for none
	extra    value // extra_content
	index    int64
	numbered bool // index was there and could be read
}

func (c *callDelta) isEmpty() bool {
	return c.id == "" && c.name == "" && len(c.args) <= len(`""`) && c.extra.isNull()
}

// A slot is one tool call of the answer.
type slot struct {
	place int // among the calls of the answer
	id    string
	name  string
	index int64 // as first given by the endpoint
	had   bool  // an index was given
	args  nesting
	chunk int  // the last chunk that spoke of it
	again bool // its name came again when its arguments were whole
}

// nesting follows arguments as they grow, to know when they are whole without
// reading them again for each piece.
type nesting struct {
	length   int
	depth    int
	quoted   bool // within a string
	escaped  bool // after a backslash there
	isObject bool
	whole    bool // the object has ended
}

func (n *nesting) add(text string) {
	for i := range len(text) {
		c := text[i]
		switch {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.escaped = c == '\\'
			n.quoted = c != '"'
		case c == '"':
			n.quoted = true
		case c == '{' || c == '[':
			n.isObject = n.isObject || (n.depth == 0 && c == '{')
			n.depth++
		case c == '}' || c == ']':
			n.depth--
			n.whole = n.whole || (n.depth == 0 && n.isObject)
		}
	}
	n.length += len(text)
}

// slots finds the call that a delta belongs to. An id is better evidence than an index,
// which many endpoints leave out or always give as 0, but neither is reliable.
type slots struct {
	all     []*slot
	byIndex map[int64]*slot  // the latest with that index
	byID    map[string]*slot // the latest with that id
	chunk   int
}

func (s *slots) place(d *callDelta) *slot {
	at := s.find(d)
	if at != nil && at.name != "" && at.args.whole {
		switch hasArgs := len(d.args) > len(`""`); {
		case d.name != "" && !hasArgs:
			at.again = true // perhaps only repeated; the next delta decides
		case at.again && hasArgs:
			d.name, at.again = at.name, false
			at = nil
		}
	}
	if at == nil {
		at = &slot{place: len(s.all), index: d.index, had: d.numbered}
		s.all = append(s.all, at)
	}
	if s.byIndex == nil {
		s.byIndex, s.byID = make(map[int64]*slot), make(map[string]*slot)
	}
	if d.numbered {
		s.byIndex[d.index] = at
	}
	if d.id != "" && (at.id == "" || at.id == d.id) {
		s.byID[d.id] = at
	}
	at.chunk = s.chunk
	return at
}

// find returns the call that d continues, or nil if it begins one.
func (s *slots) find(d *callDelta) *slot {
	here := s.byIndex[d.index]
	if !d.numbered {
		here = nil
	}
	if d.id != "" {
		if known := s.byID[d.id]; known != nil {
			if s.begins(d, known) || (d.name != "" && d.numbered && known.had && here == nil) {
				return nil // the id is used twice
			}
			return known
		}
		return s.underNewID(d, here)
	}
	candidate := here
	if candidate == nil && (!d.numbered || d.name == "") {
		candidate = s.last()
	}
	if candidate != nil && d.name != "" && candidate.name != "" && (d.name != candidate.name || s.begins(d, candidate)) {
		return nil
	}
	return candidate
}

// underNewID is for an id that was not seen before: it begins a call, unless
// nothing else does, for then the endpoint makes up an id for each chunk.
func (s *slots) underNewID(d *callDelta, here *slot) *slot {
	if d.name == "" {
		if here == nil && !d.numbered {
			return s.last()
		}
		return here
	}
	if here != nil && here.id == "" && here.chunk != s.chunk && (here.name == "" || here.name == d.name) && here.args.length == 0 {
		return here // its id comes late
	}
	return nil
}

// begins reports whether d, which has the id or index of known, is another call
// nevertheless.
func (s *slots) begins(d *callDelta, known *slot) bool {
	if d.name == "" || known.name == "" {
		return false
	}
	return known.chunk == s.chunk || (len(d.args) > len(`""`) && known.args.whole)
}

func (s *slots) last() *slot {
	if len(s.all) == 0 {
		return nil
	}
	return s.all[len(s.all)-1]
}

// legacyIndex keeps function_call apart from tool_calls.
const legacyIndex = -1 << 62

// writeCalls writes what d says about calls.
func (m *streamNormalizer) writeCalls(w *writer, d *delta) {
	m.calls.chunk++
	members := w.members
	list := d.calls.members()
	for _, v, more := list.next(); more; _, v, more = list.next() {
		c := parseCall(v)
		m.writeCall(w, &c, w.members == members)
	}
	if list.broken {
		m.unreadable()
	}
	if d.function.isObject() {
		c := callDelta{index: legacyIndex, numbered: true}
		c.function(d.function)
		m.writeCall(w, &c, w.members == members)
	}
	if w.members > members {
		w.out = append(w.out, ']')
	}
}

func parseCall(v value) callDelta {
	var c callDelta
	fields := v.members()
	for key, member, more := fields.next(); more; key, member, more = fields.next() {
		switch string(key) {
		case "index":
			if n, ok := member.number(); ok {
				c.index, c.numbered = int64(n), true
			}
		case "id":
			c.id = member.str()
		case "extra_content":
			c.extra = member
		case "function":
			c.function(member)
		case "name", "arguments":
			c.set(string(key), member)
		}
	}
	return c
}

func (c *callDelta) function(v value) {
	fields := v.members()
	for key, member, more := fields.next(); more; key, member, more = fields.next() {
		c.set(string(key), member)
	}
}

func (c *callDelta) set(key string, member value) {
	switch {
	case key == "name" && member.isString():
		c.name = member.str()
	case key == "arguments" && !member.isNull():
		c.args = member
	}
}

// writeCall writes one delta with the index of its slot. Id and name are
// written once, however often they come.
func (m *streamNormalizer) writeCall(w *writer, c *callDelta, isFirst bool) {
	if c.isEmpty() {
		return // a ghost
	}
	at := m.calls.place(c)
	inner := m.repaired("call"+strconv.Itoa(at.place), c.args)
	at.args.add(unescape(inner))
	if isFirst {
		w.begin("tool_calls")
		w.out = append(w.out, '[')
	} else {
		w.out = append(w.out, ',')
	}
	w.out = append(w.out, `{"index":`...)
	w.out = strconv.AppendInt(w.out, int64(at.place), 10)
	if at.id == "" && c.id != "" {
		at.id = c.id
		w.out = append(append(w.out, `,"id":`...), quote(c.id)...)
	}
	w.out = append(w.out, `,"type":"function","function":{`...)
	named := at.name == "" && c.name != ""
	if named {
		at.name = c.name
		w.out = append(append(w.out, `"name":`...), quote(c.name)...)
	}
	m.count(len(c.id) + len(c.name))
	if len(inner) > 0 {
		if named {
			w.out = append(w.out, ',')
		}
		w.out = append(append(append(w.out, `"arguments":"`...), inner...), '"')
	}
	w.out = append(w.out, '}')
	if c.extra.isObject() {
		nested := writer{out: w.out, members: 1}
		m.writeExtra(&nested, "extra_content", c.extra, value.isObject)
		w.out = nested.out
	}
	w.out = append(w.out, '}')
}
