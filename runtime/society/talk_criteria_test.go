package society

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool/org"
)

// contactsOf are who each agent knows.
type contactsOf = map[AgentID]map[AgentID]protocol.Contact

// A talk is a random history in which the criteria of S002 are held.
type talk struct {
	*world
	t *rapid.T
	// known are all contacts, from the events alone.
	known contactsOf
	later map[DelayedRef]Delayed // what was ever kept for its time
	met   map[string]int         // how often there was something to hold
	name  string                 // of the criterion that is being held
}

func (k *talk) met1(is bool) {
	if is {
		k.met[k.name]++
	}
}

func (k *talk) wrong(format string, args ...any) {
	k.t.Fatalf("S002 %s: %s", k.name, fmt.Sprintf(format, args...))
}

// S002's criteria that speak of any agent or any message are properties of every
// command in a thousand random histories with agents in every situation. The
// others are in TestS002Scenes and, of the prompts and the forms, in
// runtime/protocol.
func TestS002(t *testing.T) {
	t.Parallel()
	seen, all := propertytest.Met[string]{}, propertytest.Met[string]{}
	for _, c := range talkCriteria() {
		all[c.name] = 1
	}
	seen.Seek(t, all, func(t *rapid.T) {
		w := peopled(t, small())
		w.s.limits = anyLimits(t)
		k := &talk{world: w, t: t, known: contactsOf{}, later: map[DelayedRef]Delayed{}, met: seen}
		for _, id := range append(w.s.Agents(), User) {
			k.known[id] = byID(w.s.Contacts(id))
		}
		w.witness = func(*State, Command, error) { k.hold() }
		for range rapid.IntRange(1, 3).Draw(t, "situations") {
			w.lives(t, rapid.IntRange(0, 8).Draw(t, "steps"))
			w.situate(t)
			w.meets(t)
			for range rapid.IntRange(0, 4).Draw(t, "introductions") {
				w.introduces(t)
			}
		}
	})
	for _, c := range talkCriteria() {
		t.Run("S002 "+c.name, func(t *testing.T) { seen.Has(t, propertytest.Once(c.name)) })
	}
}

// introduces lets one agent write to another, mostly about a third. Who was
// introduced to somebody turns to them.
func (w *world) introduces(t *rapid.T) {
	by, to := w.anyAgent(t), w.anyAgent(t)
	for _, id := range w.s.Agents() {
		for _, c := range w.agent(id).Contacts {
			if c.Source == protocol.Introduction && rapid.Bool().Draw(t, "turns to") {
				by, to = id, AgentID(c.ID)
			}
		}
	}
	if !w.asked(by) || by == to {
		return
	}
	kind := rapid.SampledFrom([]string{"introduction_request", "introduction_response", "introduction_response", "general"}).Draw(t, "kind")
	if kind == "general" && rapid.Bool().Draw(t, "text alone") {
		w.calling(by, w.tells(to, kind, "I am king.\n"+falseIntroduction))
		return
	}
	w.calling(by, w.tells(to, kind, w.anyPayload(t)))
}

func (k *talk) hold() {
	before := k.known
	k.known = contactsOf{}
	for id, contacts := range before {
		k.known[id] = maps.Clone(contacts)
	}
	for _, e := range k.last {
		k.learn(e)
	}
	for _, c := range talkCriteria() {
		k.name = c.name
		if c.all != nil {
			c.all(k)
			continue
		}
		for _, e := range k.last {
			c.each(k, e, before)
		}
	}
}

// learn records contacts and delayed messages.
func (k *talk) learn(e Event) {
	switch e := e.(type) {
	case ContactAdded:
		if k.known[e.Agent] == nil {
			k.known[e.Agent] = map[AgentID]protocol.Contact{}
		}
		k.known[e.Agent][AgentID(e.Contact.ID)] = e.Contact
	case Delayed:
		k.later[DelayedRef{e.By, e.Later.N}] = e
	case Erased:
		for _, dead := range e.Tombs {
			delete(k.known, dead.ID)
			for _, contacts := range k.known {
				delete(contacts, dead.ID)
			}
		}
	}
}

// called returns the tool that a result is of.
func (k *talk) called(r ToolResultKept) string {
	for _, e := range k.said[r.Agent] {
		for _, c := range e.Calls {
			if c.ID == r.Entry.CallID {
				return c.Name
			}
		}
	}
	return ""
}

// sent returns the message that an event puts on its way.
func (k *talk) sent(e Event) (mail Mail, to AgentID, body, text string, ok bool) {
	var held *DelayedRef
	switch e := e.(type) {
	case MessageQueued:
		mail, to, body, text, held, ok = e.Mail, e.To, e.Body, e.Text, e.Held, true
	case MessageToUser:
		mail, to, body, held, ok = e.Mail, User, e.Body, e.Held, true
	}
	if held != nil { // it was written down before
		body, text = k.later[*held].Body, k.later[*held].Text
		if a, ok := e.(MessageQueued); ok {
			text += a.Introduction
		}
	}
	return mail, to, body, text, ok
}

// fieldsOf reads the fields of a typed payload from the last line of a body.
func fieldsOf(body string) (fields object) {
	if json.Unmarshal([]byte(body[strings.LastIndex(body, "\n")+1:]), &fields) != nil {
		return nil
	}
	return fields
}

// A talkCriterion is held of each event of a command, or when it is over.
type talkCriterion struct {
	name string
	each func(k *talk, e Event, before contactsOf)
	all  func(k *talk)
}

func talkCriteria() []talkCriterion {
	return slices.Concat(contactCriteria(), introductionCriteria(), senderCriteria())
}

func byID(contacts Contacts) map[AgentID]protocol.Contact {
	known := map[AgentID]protocol.Contact{}
	for _, c := range contacts {
		known[AgentID(c.ID)] = c
	}
	return known
}

func contactCriteria() []talkCriterion {
	return []talkCriterion{
		{name: "each agent, and the user, has contacts of its own, those that were added and have not died", all: func(k *talk) {
			for _, id := range append(k.s.Agents(), User) {
				if c := k.s.Contacts(id); len(c) != len(k.known[id]) || len(c) > 0 && !reflect.DeepEqual(byID(c), k.known[id]) {
					k.wrong("%s knows %v, but was told of %v", id, c, k.known[id])
				}
				k.met1(true)
			}
		}},
		{name: "whoever was made knows who made it", all: func(k *talk) {
			for _, id := range k.s.Agents()[1:] {
				p := k.agent(id).Parent
				if c := k.agent(id).Contacts.Of(p); c.ID != string(p) || c.Source != protocol.Parent {
					k.wrong("%s knows its parent as %+v", id, c)
				}
				k.met1(true)
			}
		}},
		{name: "root knows the user from the beginning", all: func(k *talk) {
			if c := k.agent(Root).Contacts.Of(User); c.ID != string(User) || c.Source != protocol.System {
				k.wrong("it knows %+v", c)
			}
			k.met1(true)
		}},
		{name: "the user knows root from the beginning", all: func(k *talk) {
			if c := k.s.Contacts(User).Of(Root); c.ID != string(Root) || c.Source != protocol.System {
				k.wrong("the user knows %+v", c)
			}
			k.met1(true)
		}},
		{name: "who has made an agent knows it", all: func(k *talk) {
			for _, id := range k.s.Agents()[1:] {
				if c := k.agent(k.agent(id).Parent).Contacts.Of(id); c.ID != string(id) || c.Source != protocol.Child {
					k.wrong("the parent of %s knows it as %+v", id, c)
				}
				k.met1(true)
			}
		}},
		{name: "no message is refused because its recipient is unknown, and its sender is told so", each: func(k *talk, e Event, before contactsOf) {
			r, ok := e.(ToolResultKept)
			if !ok || k.called(r) != org.SendMessage {
				return
			}
			var said struct {
				Error   Code
				AgentID AgentID
				OK      bool
				Known   *bool `json:"contactKnown"`
			}
			line, _, _ := strings.Cut(r.Entry.Text, "\n")
			if json.Unmarshal([]byte(line), &said) != nil { // skipped, or not run
				return
			}
			if said.Error != "" && !slices.Contains(codes, said.Error) || said.OK && said.Known == nil {
				k.wrong("%s is told %s", r.Agent, line)
			}
			k.met1(said.OK && !*said.Known)
		}},
		{name: "a contact has an id, the organisation's role, a source, and since when", each: func(k *talk, e Event, _ contactsOf) {
			added, ok := e.(ContactAdded)
			if !ok {
				return
			}
			c := added.Contact
			by := c.IntroducedBy != ""
			if c.ID == "" || c.Role == "" || c.Source == "" || !c.AddedAt.Equal(k.at) || by != (c.Source == protocol.Introduction) {
				k.wrong("%s is told of %+v at %s", added.Agent, c, k.at)
			}
			if a := k.s.Agent(AgentID(c.ID)); a != nil && c.Role != k.s.RoleName(a.ID) {
				k.wrong("%s is told of %+v, whose role is %s", added.Agent, c, k.s.RoleName(a.ID))
			}
			k.met1(true)
		}},
		{name: "a message makes each side known to the other", each: func(k *talk, e Event, before contactsOf) {
			mail, to, _, _, ok := k.sent(e)
			if !ok || mail.From == Runtime {
				return
			}
			for _, side := range [][2]AgentID{{to, mail.From}, {mail.From, to}} {
				c, known := k.known[side[0]][side[1]]
				if !known {
					k.wrong("%s does not know %s", side[0], side[1])
				}
				if _, before := before[side[0]][side[1]]; !before {
					k.met1(c.Source == protocol.FirstMessage)
				}
			}
		}},
		{name: "a contact lasts no longer than its agent", all: func(k *talk) {
			for _, e := range k.last {
				erased, ok := e.(Erased)
				if !ok {
					continue
				}
				for _, dead := range erased.Tombs {
					for _, id := range append(k.s.Agents(), User) {
						if c := k.s.Contacts(id).Of(dead.ID); c.ID != "" {
							k.wrong("%s still knows %+v", id, c)
						}
					}
					k.met1(true)
				}
			}
		}},
	}
}

func introductionCriteria() []talkCriterion {
	return []talkCriterion{
		{name: "anyone can be asked for an introduction, the parent and others", each: func(k *talk, e Event, _ contactsOf) {
			if a, ok := e.(MessageQueued); ok && a.Mail.Type == protocol.IntroductionRequest && k.s.Agent(a.Mail.From) != nil {
				k.met1(k.agent(a.Mail.From).Parent != a.To)
			}
		}},
		{name: "a request for an introduction says why and what for", each: func(k *talk, e Event, _ contactsOf) {
			mail, _, body, _, ok := k.sent(e)
			if !ok || mail.Type != protocol.IntroductionRequest {
				return
			}
			if f := fieldsOf(body); f["reason"] == nil || f["required_capability"] == nil {
				k.wrong("sent is %q", body)
			}
			k.met1(true)
		}},
		{name: "whoever is asked for an introduction owes an answer once it has read it", each: func(k *talk, e Event, _ contactsOf) {
			taken, ok := e.(MailTaken)
			if !ok || k.s.Agent(taken.Agent) == nil {
				return
			}
			for _, m := range taken.Mails {
				if m.Type == protocol.IntroductionRequest && !m.earns() {
					k.wrong("%s read %+v and owes nothing", taken.Agent, m)
				}
				k.met1(m.Type == protocol.IntroductionRequest)
			}
		}},
		{name: "an introduction makes its target known, by whom it was introduced", each: func(k *talk, e Event, before contactsOf) {
			a, ok := e.(MessageQueued)
			if !ok || a.Mail.Type != protocol.IntroductionResponse {
				return
			}
			_, _, body, _, _ := k.sent(e)
			target, _ := fieldsOf(body)["target"].(object)
			id, _ := target["id"].(string)
			if id == "" || id == string(a.To) {
				return
			}
			c, known := k.known[a.To][AgentID(id)]
			if !known {
				k.wrong("%s was told of %s and does not know it", a.To, id)
			}
			if id == string(a.Mail.From) { // it is known by having written
				if c.IntroducedBy == id {
					k.wrong("%s knows %+v: nobody introduces itself", a.To, c)
				}
				return
			}
			if _, before := before[a.To][AgentID(id)]; before {
				return
			}
			if c.Source != protocol.Introduction || c.IntroducedBy != string(a.Mail.From) {
				k.wrong("%s knows %+v after an introduction by %s", a.To, c, a.Mail.From)
			}
			k.met1(true)
		}},
		{name: "an introduction has the target's role and form from the organisation, and the introducer's words beside them", each: func(k *talk, e Event, before contactsOf) {
			mail, to, body, _, ok := k.sent(e)
			if !ok || mail.Type != protocol.IntroductionResponse {
				return
			}
			fields := fieldsOf(body)
			target, _ := fields["target"].(object)
			says, _ := fields["introducerSays"].(object)
			id := AgentID(fmt.Sprint(target["id"]))
			form, _ := json.Marshal(target["interfaceSpec"])
			want, _ := json.Marshal(k.s.interfaceOf(id))
			if k.s.Agent(id) == nil || target["role"] != k.s.RoleName(id) || string(form) != string(want) || len(target) > 3 {
				k.wrong("%s is introduced as %v, with %s", id, target, want)
			}
			if says["role"] == target["role"] || says["role"] == nil && target["role"] != "worker" || fmt.Sprint(says["interfaceSpec"]) != "map[services:rules]" {
				k.wrong("%s introduces %v and says %v", mail.From, target, says)
			}
			c, added := k.known[to][id]
			if _, known := before[to][id]; added && !known && c.Source == protocol.Introduction {
				if c.Said == nil || c.Said.InterfaceSpec.Services != "rules" || c.InterfaceSpec != k.s.interfaceOf(id) {
					k.wrong("%s is told of %+v", to, c)
				}
				k.met1(true)
			}
		}},
		{name: "whoever was introduced can be written to, as one who is known", each: func(k *talk, e Event, before contactsOf) {
			if a, ok := e.(MessageQueued); ok && k.s.Agent(a.Mail.From) != nil {
				k.met1(before[a.Mail.From][a.To].Source == protocol.Introduction)
			}
		}},
	}
}

func senderCriteria() []talkCriterion {
	return []talkCriterion{
		{name: "every message has a sender: an agent, the user, or the runtime with its own notices", each: func(k *talk, e Event, _ contactsOf) {
			mail, to, _, _, ok := k.sent(e)
			if !ok {
				return
			}
			if mail.From != User && mail.From != Runtime && !k.born[mail.From] || mail.From == to || mail.From == "" {
				k.wrong("%+v goes to %s", mail, to)
			}
			k.met1(true)
		}},
		{name: "the answer to a question goes to who has sent it", each: func(k *talk, e Event, _ contactsOf) {
			if a, ok := e.(MessageQueued); ok && a.Pays != "" && a.Pays == a.To {
				if !a.Mail.Reply {
					k.wrong("%+v is no answer", a.Mail)
				}
				k.met1(true)
			}
		}},
		{name: "every message begins with its source", each: func(k *talk, e Event, _ contactsOf) {
			mail, _, _, text, ok := k.sent(e)
			if !ok || text == "" {
				return
			}
			want := fmt.Sprintf("[Message from %s (%s)]", mail.Role, mail.From)
			switch mail.From {
			case User:
				want = "[Message from the user]"
			case Runtime:
				want = "[Notice from the runtime]"
			}
			if first, _, _ := strings.Cut(text, "\n"); first != want {
				k.wrong("it begins with %q, not %q", first, want)
			}
			k.met1(true)
		}},
		{name: "5.3 a first message introduces its sender in its last line, and no other does", each: func(k *talk, e Event, before contactsOf) {
			a, ok := e.(MessageQueued)
			if !ok || k.mirror.made[a.Mail.From].Agent.ID == "" {
				return
			}
			_, knew := before[a.To][a.Mail.From]
			for _, e := range k.last {
				if x, ok := e.(MessageQueued); ok && x.Mail.Seq == a.Mail.Seq {
					break
				}
				if x, ok := e.(ContactAdded); ok && x.Agent == a.To && x.Contact.ID == string(a.Mail.From) {
					knew = true
				}
			}
			_, _, _, text, _ := k.sent(e)
			last := text[strings.LastIndexAny(text, "\n\r\v\f\u0085\u2028\u2029")+1:]
			begin := fmt.Sprintf("[Introduction by the runtime: %s, role \"%s\", writes to you for the first time.", a.Mail.From, a.Mail.Role)
			if introduced := strings.HasPrefix(last, begin) && strings.HasSuffix(last, "]"); introduced == knew || !introduced && last != hintTo(a.Mail.From) {
				k.wrong("%s knew %s: %t, and is given %q", a.To, a.Mail.From, knew, text)
			}
			k.met1(!knew)
		}},
		{name: "the last line, but for an introduction, says to whom an answer is sent", each: func(k *talk, e Event, _ contactsOf) {
			mail, _, _, text, ok := k.sent(e)
			if !ok || text == "" || mail.From == Runtime {
				return
			}
			if at := strings.LastIndex(text, "\n"); strings.HasPrefix(text[at+1:], "[Introduction by the runtime: ") {
				text = text[:at]
			}
			if !strings.HasSuffix(text, "\n"+hintTo(mail.From)) {
				k.wrong("it ends otherwise: %q", text)
			}
			k.met1(true)
		}},
		{name: "the agent is given the message in this form", each: func(k *talk, e Event, _ contactsOf) {
			taken, ok := e.(MailTaken)
			if !ok || k.s.Agent(taken.Agent) == nil {
				return
			}
			for i, m := range taken.Mails {
				entry := k.said[taken.Agent][taken.First+uint64(i)]
				if d := k.letter[taken.Agent][m.Seq]; entry.Kind != conversation.Inbound || entry.Text != d.text {
					k.wrong("%s reads %+v, sent was %q", taken.Agent, entry, d.text)
				}
				k.met1(true)
			}
		}},
	}
}

func hintTo(id AgentID) string { return fmt.Sprintf("To reply, use send_message(to='%s', ...)", id) }

// team returns a society with three agents, the last with an interface in its role, all
// in their turn and known to root only.
func team(t fatal) (w *world, a, b, c AgentID) {
	w = newWorld(t, DefaultLimits())
	a, b = w.spawn(Root), w.spawn(Root)
	w.calling(Root, w.call("create_role", object{"name": "tester", "rolePrompt": "Test.", "interface_spec": testersForm}))
	call := w.call("spawn_agent", object{"roleId": "role-tester", "taskBrief": brief()})
	w.calling(Root, call)
	id, _ := w.answer(Root, call)["agentId"].(string)
	return w, a, b, AgentID(id)
}

var testersForm = object{
	"services": "tests", "input_format": "code and cases", "output_format": "a report", "examples": []any{"test 1+1"},
}

func sameForm(spec *protocol.InterfaceSpec) bool {
	return reflect.DeepEqual(spec, &protocol.InterfaceSpec{
		Services: "tests", InputFormat: "code and cases", OutputFormat: "a report", Examples: []string{"test 1+1"},
	})
}

// S002's criteria that tell of one course of things.
func TestS002Scenes(t *testing.T) {
	t.Parallel()
	for name, scene := range map[string]func(t *testing.T){
		"spawn_agent without a brief makes nobody": func(t *testing.T) {
			w := organised(t)
			call := w.call("spawn_agent", object{"roleId": "role-worker"})
			w.calling(Root, call)
			if got := w.answer(Root, call); got["error"] != string(InvalidTaskBrief) || len(w.s.Agents()) != 1 {
				t.Errorf("%v", got)
			}
		},
		"the optional fields are in the first message and in the brief": func(t *testing.T) {
			w, a, _, _ := team(t)
			task := brief()
			task["collaborators"] = []object{{"agentId": a, "description": "ask it"}}
			task["references"], task["priority"] = []string{"the book"}, "high"
			w.spawns(Root, "role-worker", task)
			made := w.made()
			if b := made.Brief; len(b.Collaborators) != 1 || !slices.Equal(b.References, []string{"the book"}) || b.Priority != "high" {
				t.Errorf("%+v", b)
			}
			for _, d := range w.letter[made.Agent.ID] {
				for _, want := range []string{`"references":["the book"]`, `"priority":"high"`, `"collaborators":[{"agentId":"worker-1"`} {
					if !strings.Contains(d.text, want) {
						t.Errorf("%s is not in %q", want, d.text)
					}
				}
			}
		},
		"in a new society root knows only the user, and the user can write to root alone": func(t *testing.T) {
			w := newWorld(t, DefaultLimits())
			if got := w.agent(Root).Contacts; len(got) != 1 || got.Of(User).Source != protocol.System || got.Of(User).Role != "user" {
				t.Errorf("root knows %+v", got)
			}
			if got := w.s.Agents(); !slices.Equal(got, []AgentID{Root}) || w.s.Agent(User) != nil {
				t.Errorf("there are %v", got)
			}
			w.send(Root, "hello")
		},
		"an introduction comes with role, interface and advice": func(t *testing.T) {
			w, a, _, c := team(t)
			w.calling(a, w.tells(Root, "introduction_request", object{"reason": "it is done", "required_capability": "testing"}))
			w.reads(Root)
			w.calling(Root, w.tells(a, "introduction_response", object{
				"target": object{"id": c, "role": "tester", "interfaceSpec": testersForm}, "usage_hint": "hand it the code",
			}))
			got := w.lastAccepted()[0]
			for _, want := range []string{`"id":"tester-1"`, `"role":"tester"`, `"services":"tests"`, `"examples":["test 1+1"]`, `"usage_hint":"hand it the code"`} {
				if !strings.Contains(got.Text, want) {
					t.Errorf("%s is not in %q", want, got.Text)
				}
			}
			if k := w.agent(a).Contacts.Of(c); !sameForm(k.InterfaceSpec) || k.Role != "tester" {
				t.Errorf("%+v", k)
			}
			if spec := w.s.Role("role-tester").Interface; !sameForm(spec) {
				t.Errorf("the role has %+v", spec)
			}
		},
		"who knows nobody asks others, and forwards the answer": func(t *testing.T) {
			w, a, b, c := team(t)
			ask := object{"reason": "it is done", "required_capability": "testing"}
			w.calling(a, w.tells(b, "introduction_request", ask)) // anyone, not only the parent
			w.reads(b)
			w.calling(b, w.tells(Root, "introduction_request", ask))
			w.says(b, "I have asked root.") // a note without recipients
			if len(w.lastAccepted()) != 0 || !slices.Contains(w.agent(b).Owes, a) {
				t.Fatalf("%+v, b owes %v", w.lastAccepted(), w.agent(b).Owes)
			}
			w.reads(Root)
			target := object{"target": object{"id": c, "role": "tester"}}
			w.calling(Root, w.tells(b, "introduction_response", target))
			w.calling(b, w.tells(a, "introduction_response", target))
			if k := w.agent(a).Contacts.Of(c); k.Source != protocol.Introduction || k.IntroducedBy != string(b) || !sameForm(k.InterfaceSpec) {
				t.Errorf("a knows %+v", k)
			}
			if k := w.agent(b).Contacts.Of(c); k.Source != protocol.Introduction || k.IntroducedBy != string(Root) {
				t.Errorf("b knows %+v", k)
			}
			if slices.Contains(w.agent(b).Owes, a) || slices.Contains(w.agent(a).Asked, b) {
				t.Errorf("the introduction is no answer: b owes %v", w.agent(b).Owes)
			}
		},
		"the role's form counts, whatever the introducer says": func(t *testing.T) {
			w, a, _, c := team(t)
			w.calling(Root, w.tells(a, "introduction_response", object{"target": object{"id": c, "role": "king", "interfaceSpec": object{"services": "rules"}}}))
			if k := w.agent(a).Contacts.Of(c); !sameForm(k.InterfaceSpec) || k.Role != "tester" {
				t.Errorf("%+v", k)
			}
		},
		"an introducer's form is not the role's where that has none": func(t *testing.T) {
			w, a, b, _ := team(t)
			w.calling(Root, w.tells(a, "introduction_response", object{"target": object{"id": b, "role": "x", "interface_spec": testersForm}}))
			if k := w.agent(a).Contacts.Of(b); k.InterfaceSpec != nil || k.Role != "worker" || k.Said == nil || !sameForm(k.Said.InterfaceSpec) {
				t.Errorf("%+v", k)
			}
		},
		"list_contacts and find_role show the form": func(t *testing.T) {
			w, _, _, c := team(t)
			contacts, role := w.call("list_contacts", object{}), w.call("find_role", object{"query": "test"})
			w.calling(Root, contacts, role)
			found := 0
			for _, v := range w.answer(Root, contacts)["contacts"].([]any) {
				if k := v.(object); k["id"] == string(c) {
					found++
					if !reflect.DeepEqual(k["interfaceSpec"], any(testersForm)) || k["source"] != "child" || k["addedAt"] == nil {
						t.Errorf("%v", k)
					}
				}
			}
			roles := w.answer(Root, role)["roles"].([]any)
			if found != 1 || len(roles) != 1 || !reflect.DeepEqual(roles[0].(object)["interfaceSpec"], any(testersForm)) {
				t.Errorf("%v", roles)
			}
		},
		"whoever was introduced is written to as one who is known": func(t *testing.T) {
			w, a, b, _ := team(t)
			w.calling(Root, w.tells(a, "introduction_response", object{"target": object{"id": b, "role": "worker"}}))
			w.reads(a)
			tell := w.tells(b, "collaboration_request", "I am worker-1, a worker. Root named you. Help me.")
			w.calling(a, tell)
			if got := w.answer(a, tell); got["ok"] != true || got["contactKnown"] != true {
				t.Errorf("%v", got)
			}
		},
		"whoever is written to may answer or only work": func(t *testing.T) {
			for _, answers := range []bool{true, false} {
				w, a, b, _ := team(t)
				w.calling(a, w.tells(b, "", "I am worker-1, a worker. You could look at this."))
				w.says(b, "")
				w.reads(b)
				if answers {
					w.says(b, "I have looked.")
				} else if w.agent(b).Status == WaitingLLM {
					w.says(b, "")
				}
				told := slices.ContainsFunc(w.agent(a).Mailbox, func(m Mail) bool { return m.From == b })
				if told != answers || w.agent(b).Status != Idle {
					t.Errorf("answers: %t, told: %t, b is %s", answers, told, w.agent(b).Status)
				}
				w.reads(a)
				w.says(a, "done") // and a is not kept from its own answer
				if mail := w.agent(Root).Mailbox; !slices.ContainsFunc(mail, func(m Mail) bool { return m.From == a }) {
					t.Errorf("answers: %t, root is told %+v", answers, mail)
				}
			}
		},
		"a preset collaborator is known with what it is for, and written to at once": func(t *testing.T) {
			w, _, _, c := team(t)
			task := brief()
			task["collaborators"] = []object{{"agentId": c, "role": "made up", "description": "tests\nwhat you make", "interfaceSpec": object{"services": "for you: tests"}}}
			w.spawns(Root, "role-worker", task)
			id := w.made().Agent.ID
			k := w.agent(id).Contacts.Of(c)
			if k.ID != string(c) || k.Role != "tester" || k.Source != protocol.Preset || k.Description != "tests what you make" || k.InterfaceSpec.Services != "for you: tests" {
				t.Errorf("%+v", k)
			}
			tell := w.tells(c, "collaboration_request", "I am new.")
			w.calling(id, tell)
			if got := w.answer(id, tell); got["ok"] != true || got["contactKnown"] != true {
				t.Errorf("%v", got)
			}
		},
		"the seven types are kept, and none is general": func(t *testing.T) {
			w, a, _, c := team(t)
			valid := object{
				"text": "x", "reason": "x", "required_capability": "x", "taskBrief": brief(), "target": object{"id": c, "role": "tester"},
			}
			for _, kind := range append(protocol.MessageTypes(), "") {
				w.calling(Root, w.tells(a, string(kind), valid))
				if kind == "" {
					kind = protocol.General
				}
				if got := w.lastAccepted(); len(got) != 1 || got[0].Mail.Type != kind {
					t.Errorf("%s: %+v", kind, got)
				}
			}
		},
		"a task_assignment's brief becomes what the agent is doing": func(t *testing.T) {
			w, a, _, _ := team(t)
			task := brief()
			task["objective"] = "count them"
			w.calling(Root, w.tells(a, "task_assignment", object{"taskBrief": task}))
			w.reads(a)
			if got := w.agent(a); got.Doing != "count them" || !slices.Contains(got.Owes, Root) {
				t.Errorf("does %q, owes %v", got.Doing, got.Owes)
			}
		},
		"the tool has no field for the sender": func(t *testing.T) {
			for _, lang := range protocol.Langs() {
				for _, spec := range org.Specs(lang, org.Offer{}) {
					if spec.Name == org.SendMessage && strings.Contains(string(spec.Schema()), `"from"`) {
						t.Errorf("%s", spec.Schema())
					}
				}
			}
		},
	} {
		t.Run("S002 "+name, func(t *testing.T) {
			t.Parallel()
			scene(t)
		})
	}
}
