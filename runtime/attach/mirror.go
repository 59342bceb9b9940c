package attach

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/society"
)

// For some actions the screen asks for the drafts of thousands at once, and goes on with the
// conversation that it shows. So an agent that was asked for stays for a moment, and the
// last ones whose conversations were read stay whatever drafts are asked for.
const (
	holdFor  = 100 * time.Millisecond
	mostRead = attachapi.MostWatched * 3 / 4
)

// A mirror holds the answers in flight as they were last told: the heads of all, and the
// texts of the agents that are watched. Those are the ones that the screen last asked for.
type mirror struct {
	drafts  map[society.AgentID]*draft
	outputs map[society.AgentID][]attachapi.Written // of watched ones that have any
	watched []asked                                 // the last first
	lacks   []society.AgentID                       // watched ones whose texts do not fit
}

// asked is when the screen asked for an agent, and whether it read the conversation.
type asked struct {
	agent society.AgentID
	at    time.Time
	read  bool
}

type draft struct {
	head    api.Draft // without texts
	upto    attachapi.Offset
	text    strings.Builder
	thought strings.Builder
}

func newMirror() *mirror {
	return &mirror{drafts: map[society.AgentID]*draft{}, outputs: map[society.AgentID][]attachapi.Written{}}
}

// draft returns an agent's draft.
func (m *mirror) draft(id society.AgentID) (api.Draft, bool) {
	d := m.drafts[id]
	if d == nil {
		return api.Draft{}, false
	}
	head := d.head
	head.Text, head.Thought = d.text.String(), d.thought.String()
	return head, true
}

// ask notes that the screen asked for an agent's draft, or read its conversation. It returns
// true if another set is watched from now on.
func (m *mirror) ask(id society.AgentID, read bool) bool {
	now := asked{id, time.Now(), read}
	i := slices.IndexFunc(m.watched, func(a asked) bool { return a.agent == id })
	switch {
	case i >= 0:
		now.read = read || m.watched[i].read
		m.watched = slices.Delete(m.watched, i, i+1)
	case len(m.watched) == attachapi.MostWatched && !m.makeRoom(now):
		return false
	}
	m.watched = slices.Insert(m.watched, 0, now)
	n := 0
	for i := range m.watched {
		if m.watched[i].read {
			n++
		}
		m.watched[i].read = m.watched[i].read && n <= mostRead
	}
	return i < 0
}

// makeRoom removes the agent that was asked for first, unless none may go.
func (m *mirror) makeRoom(next asked) bool {
	for i, a := range slices.Backward(m.watched) {
		if !a.read && (next.read || next.at.Sub(a.at) >= holdFor) {
			if d := m.drafts[a.agent]; d != nil {
				d.forget()
			}
			delete(m.outputs, a.agent)
			m.watched = slices.Delete(m.watched, i, i+1)
			return true
		}
	}
	return false
}

// list returns the agents that are watched, separated by commas.
func (m *mirror) list() string {
	ids := make([]string, len(m.watched))
	for i, a := range m.watched {
		ids[i] = string(a.agent)
	}
	return strings.Join(ids, ",")
}

// watches returns what is watched, and forgets what it lacks.
func (m *mirror) watches() attachapi.Watched {
	w := attachapi.Watched{Whole: m.lacks}
	for _, a := range m.watched {
		w.Agents = append(w.Agents, a.agent)
	}
	m.lacks = nil
	return w
}

// take takes drafts. It returns the agents whose drafts have changed, and whether texts do
// not fit. With all there are no others.
func (m *mirror) take(told []attachapi.Draft, all bool) (streaming []society.AgentID, lacks bool) {
	if all {
		for id := range m.drafts {
			if !slices.ContainsFunc(told, func(d attachapi.Draft) bool { return d.Agent == id }) {
				delete(m.drafts, id)
				streaming = append(streaming, id)
			}
		}
	}
	for i := range told {
		t := &told[i]
		streaming = append(streaming, t.Agent)
		switch d := m.drafts[t.Agent]; {
		case t.Gone:
			delete(m.drafts, t.Agent)
		case d == nil:
			d = &draft{}
			m.drafts[t.Agent] = d
			lacks = m.extend(d, t) || lacks
		default:
			lacks = m.extend(d, t) || lacks
		}
	}
	return streaming, lacks
}

// takeOutputs takes the outputs of running calls. It returns the agents whose have changed.
// With all there are no others.
func (m *mirror) takeOutputs(told []attachapi.Output, all bool) (streaming []society.AgentID) {
	before := m.outputs
	if all {
		m.outputs = make(map[society.AgentID][]attachapi.Written, len(told))
		for id := range before {
			streaming = append(streaming, id)
		}
	}
	for _, t := range told {
		for i := range t.Calls {
			joinOutput(before[t.Agent], &t.Calls[i])
		}
		streaming = append(streaming, t.Agent)
		if m.outputs[t.Agent] = t.Calls; len(t.Calls) == 0 {
			delete(m.outputs, t.Agent)
		}
	}
	return streaming
}

// joinOutput prepends the known part of an output to a new piece that continues it.
func joinOutput(before []attachapi.Written, told *attachapi.Written) {
	for i := range before {
		b := &before[i]
		if b.Call != told.Call || b.Step != told.Step || !b.Begun.Equal(told.Begun) || b.Upto != told.Start {
			continue
		}
		told.Text, told.Start = b.Text+told.Text, b.Start
		if over := len(told.Text) - api.OutputKept; over > 0 {
			for over < len(told.Text) && !utf8.RuneStart(told.Text[over]) {
				over++
			}
			told.Text, told.Start = told.Text[over:], told.Start+int64(over)
		}
		return
	}
}

// extend brings a draft forward. It returns true if that does not fit what is known.
func (m *mirror) extend(d *draft, t *attachapi.Draft) (lacks bool) {
	if t.Begun.IsZero() { // the program does not know that it is watched
		d.forget()
		d.head = t.Draft
		return false
	}
	if t.From == (attachapi.Offset{}) {
		d.forget()
	} else if t.From != d.upto || !d.head.Begun.Equal(t.Begun) {
		d.forget()
		m.lacks = append(m.lacks, t.Agent)
		lacks = true
	}
	head := t.Draft
	head.Text, head.Thought = "", ""
	d.head = head
	if !lacks {
		d.text.WriteString(t.Text)
		d.thought.WriteString(t.Thought)
		d.upto = t.Upto
	}
	return lacks
}

// forget drops the texts.
func (d *draft) forget() {
	d.text, d.thought, d.upto = strings.Builder{}, strings.Builder{}, attachapi.Offset{}
}
