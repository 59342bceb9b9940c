package protocol

import "encoding/json"

// A Payload is the content of a message, read by ParsePayload.
type Payload struct {
	// Text is the sender's text, verbatim.
	Text string `json:"text,omitempty"`
	// Fields are the remaining fields of an object payload: one JSON object on
	// one line, in the sender's order, nil if there are none.
	Fields json.RawMessage `json:"fields,omitempty"`
	// Brief is set for a task_assignment, Target for an introduction_response.
	Brief  *Brief  `json:"brief,omitempty"`
	Target *Target `json:"target,omitempty"`
}

// A FormatError lists all that is wrong with a payload. It is the tool's result as it
// stands. Paths begin at the payload: "taskBrief.objective".
type FormatError struct {
	Code          string      `json:"error"` // invalid_message_format
	MessageType   MessageType `json:"message_type"`
	MissingFields []string    `json:"missing_fields"`
	Errors        []string    `json:"errors,omitempty"`
	Message       string      `json:"message"` // what to do, one line
	// Nobody is the id of a target that does not exist; "" unless that is the only
	// mistake.
	Nobody string `json:"-"`
}

func (e *FormatError) Error() string { return e.Message }

// ParsePayload reads the payload of a message of type t and checks it against that type. A
// string is the text, verbatim; introduction_request, introduction_response and
// task_assignment need an object. Everything that is wrong is reported at once, in lang.
// live reports whether an agent can be named; a nil live accepts every id. raw is not
// changed.
func ParsePayload(lang Lang, t MessageType, raw json.RawMessage, live func(id string) bool) (Payload, *FormatError) {
	p := problems{lang: lang}
	payload := p.payload(t, raw, live)
	if !p.any() {
		return payload, nil
	}
	e := &FormatError{
		Code: "invalid_message_format", MessageType: t, MissingFields: p.missing, Errors: p.errors,
		Message: Sentence(lang, PayloadUnfit, t, p.all()),
	}
	if e.MissingFields == nil {
		e.MissingFields = []string{}
		if len(p.errors) == 1 {
			e.Nobody = p.nobody
		}
	}
	return Payload{}, e
}

func (p *problems) payload(t MessageType, raw json.RawMessage, live func(id string) bool) Payload {
	if absent(raw) {
		p.missing = append(p.missing, "payload")
		return Payload{}
	}
	if s, ok := text(raw); ok && !t.needsObject() {
		return Payload{Text: s}
	}
	o, ok := readObject(unwrapped(raw))
	switch {
	case !ok && t.needsObject():
		p.mustBe(KindObject, "payload", raw)
		p.typed(t, nil, &Payload{}, live)
		return Payload{}
	case !ok:
		p.mustBe(KindStringOrObject, "payload", raw)
		return Payload{}
	}
	payload := Payload{Text: p.optional(o, "", "text"), Fields: o.without("text").raw()}
	p.typed(t, o, &payload, live)
	return payload
}

// typed checks the fields that the type demands.
func (p *problems) typed(t MessageType, o object, payload *Payload, live func(id string) bool) {
	switch t {
	case TaskAssignment:
		raw := o.get("taskBrief")
		if absent(raw) {
			p.missing = append(p.missing, "taskBrief")
			return
		}
		b := p.brief(raw, "taskBrief.", live)
		payload.Brief = &b
	case IntroductionRequest:
		p.required(o, "", "reason")
		p.required(o, "", "required_capability")
	case IntroductionResponse:
		payload.Target = p.target(o.get("target"), live)
		if hint := p.optional(o, "", "usage_hint"); payload.Target != nil {
			payload.Target.UsageHint = hint
		}
	default:
		if absent(o.get("text")) && payload.Fields == nil {
			p.missing = append(p.missing, "text")
		}
	}
}

func (p *problems) target(raw json.RawMessage, live func(id string) bool) *Target {
	if absent(raw) {
		p.missing = append(p.missing, "target")
		return nil
	}
	o, ok := p.object(raw, "target")
	if !ok {
		return nil
	}
	t := &Target{
		ID:            p.required(o, "target.", "id"),
		Role:          p.required(o, "target.", "role"),
		InterfaceSpec: p.interfaceSpec(o, "target."),
	}
	if t.ID != "" && live != nil && !live(t.ID) {
		p.wrong(UnknownAgentAt, "target.id", t.ID)
		p.nobody = t.ID
	}
	return t
}

// Assignment returns the payload of the first message to an agent whose parent wrote none:
// an agent without a message would never begin.
func Assignment(lang Lang, b Brief) Payload {
	return Payload{
		Text:   Sentence(lang, BeginTask, b.Objective),
		Fields: object{{"taskBrief", encode(b)}}.raw(),
		Brief:  &b,
	}
}

// Body returns what the sender wrote, without header and hint: the text, then the remaining
// fields on a line of their own.
func (p Payload) Body() string {
	if len(p.Fields) == 0 {
		return p.Text
	}
	if p.Text == "" {
		return string(p.Fields)
	}
	return p.Text + "\n" + string(p.Fields)
}
