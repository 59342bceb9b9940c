package protocol

import (
	"encoding/json"
	"fmt"
)

// A Brief is an agent's task. Agents write its JSON names.
type Brief struct {
	Objective          string         `json:"objective"`
	Constraints        []string       `json:"constraints"`
	Inputs             string         `json:"inputs"`
	Outputs            string         `json:"outputs"`
	CompletionCriteria string         `json:"completion_criteria"`
	Collaborators      []Collaborator `json:"collaborators,omitempty"`
	References         []string       `json:"references,omitempty"`
	Priority           string         `json:"priority,omitempty"`
	// More holds all other fields that the parent wrote, as one JSON object in its order,
	// nil for none. In JSON they stand beside the others, so that nothing that was meant
	// for the child is lost.
	More json.RawMessage `json:"-"`
}

// A Collaborator is another agent that the brief names to work with.
type Collaborator struct {
	AgentID       string         `json:"agentId"`
	Role          string         `json:"role,omitempty"`
	Description   string         `json:"description,omitempty"`
	InterfaceSpec *InterfaceSpec `json:"interfaceSpec,omitempty"`
}

// An InterfaceSpec is how to work with an agent or a role.
type InterfaceSpec struct {
	Services     string   `json:"services,omitempty"`
	InputFormat  string   `json:"input_format,omitempty"`
	OutputFormat string   `json:"output_format,omitempty"`
	Examples     []string `json:"examples,omitempty"`
}

// A BriefError lists all that is wrong with a brief. It is the tool's result as it stands.
type BriefError struct {
	Code          string   `json:"error"` // invalid_task_brief
	MissingFields []string `json:"missing_fields"`
	Errors        []string `json:"errors,omitempty"`
	Message       string   `json:"message"` // what to do, one line
}

func (e *BriefError) Error() string { return e.Message }

// briefFields are the names that a Brief knows.
var briefFields = []string{
	"objective", "constraints", "inputs", "outputs", "completion_criteria",
	"collaborators", "references", "priority",
}

// ParseBrief reads a brief and reports everything that is wrong with it at once, in
// a language. Absent, null and "" are missing; blanks are present; a
// wrong type is an error, and so is a collaborator for which live returns false. A nil live
// accepts every id. raw is not changed.
func ParseBrief(lang Lang, raw json.RawMessage, live func(id string) bool) (Brief, *BriefError) {
	p := problems{lang: lang}
	b := p.brief(raw, "", live)
	if !p.any() {
		return b, nil
	}
	e := &BriefError{
		Code: "invalid_task_brief", MissingFields: p.missing, Errors: p.errors,
		Message: Sentence(lang, BriefIncomplete, p.all()),
	}
	if e.MissingFields == nil {
		e.MissingFields = []string{}
	}
	return Brief{}, e
}

func (p *problems) brief(raw json.RawMessage, prefix string, live func(id string) bool) Brief {
	var o object
	if !absent(raw) {
		o, _ = p.object(raw, "taskBrief")
	}
	b := Brief{Objective: p.required(o, prefix, "objective")}
	if absent(o.get("constraints")) {
		p.missing = append(p.missing, prefix+"constraints")
	} else {
		b.Constraints = p.texts(o, prefix, "constraints")
	}
	b.Inputs = p.required(o, prefix, "inputs")
	b.Outputs = p.required(o, prefix, "outputs")
	b.CompletionCriteria = p.required(o, prefix, "completion_criteria")
	b.Collaborators = p.collaborators(o.get("collaborators"), prefix+"collaborators", live)
	b.References = p.texts(o, prefix, "references")
	b.Priority = p.optional(o, prefix, "priority")
	b.More = o.without(briefFields...).raw()
	return b
}

func (p *problems) collaborators(raw json.RawMessage, path string, live func(id string) bool) []Collaborator {
	if absent(raw) {
		return nil
	}
	items, _ := p.list(raw, path, KindObjects)
	var list []Collaborator
	for i, item := range items {
		o, ok := p.object(item, at(path, i))
		if !ok {
			continue
		}
		prefix := at(path, i) + "."
		c := Collaborator{
			AgentID:       p.required(o, prefix, "agentId"),
			Role:          p.optional(o, prefix, "role"),
			Description:   p.optional(o, prefix, "description"),
			InterfaceSpec: p.interfaceSpec(o, prefix),
		}
		if c.AgentID != "" && live != nil && !live(c.AgentID) {
			p.wrong(UnknownAgentAt, prefix+"agentId", c.AgentID)
		}
		list = append(list, c)
	}
	return list
}

// MarshalJSON writes More's fields beside the others.
func (b Brief) MarshalJSON() ([]byte, error) {
	type plain Brief
	if b.Constraints == nil {
		b.Constraints = []string{}
	}
	raw := encode(plain(b))
	if more, ok := readObject(b.More); ok {
		known, _ := readObject(raw)
		raw = append(known, more.without(briefFields...)...).raw()
	}
	return raw, nil
}

// UnmarshalJSON reads what MarshalJSON wrote. It checks only the types; what an
// agent wrote goes through ParseBrief.
func (b *Brief) UnmarshalJSON(raw []byte) error {
	type plain Brief
	var read plain
	o, ok := readObject(raw)
	if !ok {
		return fmt.Errorf("task brief: it is %s, not an object", KindOf(raw).In(English))
	}
	// encoding/json would take "Objective" for "objective"; here it is more.
	known, more := o.split(briefFields...)
	if len(known) > 0 {
		if err := json.Unmarshal(known.raw(), &read); err != nil {
			return fmt.Errorf("task brief: %w", err)
		}
	}
	read.More = more.raw()
	*b = Brief(read)
	return nil
}
