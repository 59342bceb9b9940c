package attach

import (
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/attachapi"
	"society-tui/runtime/society"
)

// remembered is of how many agents texts are kept: more than are watched, so that one that
// is watched again shows at once what was known of it.
const remembered = 2 * attachapi.MostWatched

// A mirror holds the answers in flight as they were last told: the heads of all, and the
// texts of agents that are watched.
type mirror struct {
	drafts map[society.AgentID]*draft
	recent []society.AgentID // that the screen asked for, the last first; the first are watched
	lacks  []society.AgentID // watched ones whose texts do not fit
}

type draft struct {
	head    api.Draft // without texts
	upto    attachapi.Offset
	text    strings.Builder
	thought strings.Builder
}

func newMirror() *mirror { return &mirror{drafts: map[society.AgentID]*draft{}} }

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

// ask notes that the screen asked for an agent. It returns true if another set is watched
// now.
func (m *mirror) ask(id society.AgentID) bool {
	i := slices.Index(m.recent, id)
	if i >= 0 {
		m.recent = slices.Delete(m.recent, i, i+1)
	}
	m.recent = slices.Insert(m.recent, 0, id)
	if len(m.recent) > remembered {
		if d := m.drafts[m.recent[remembered]]; d != nil {
			d.forget()
		}
		m.recent = m.recent[:remembered]
	}
	return i < 0 || i >= attachapi.MostWatched
}

func (m *mirror) watched() []society.AgentID {
	return m.recent[:min(len(m.recent), attachapi.MostWatched)]
}

// watches returns what is watched, and forgets what it lacks.
func (m *mirror) watches() attachapi.Watched {
	w := attachapi.Watched{Agents: slices.Clone(m.watched()), Whole: m.lacks}
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

// extend brings a draft forward. It returns true if that does not fit what is known.
func (m *mirror) extend(d *draft, t *attachapi.Draft) (lacks bool) {
	if t.Begun.IsZero() { // not watched
		if t.Bytes < d.head.Bytes { // another one
			d.forget()
		}
		d.head.Agent, d.head.Bytes, d.head.Aborted = t.Agent, t.Bytes, t.Aborted
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
