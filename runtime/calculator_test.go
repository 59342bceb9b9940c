package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/boltdb"
)

// A hand is a model that does literally what the prompts say. It remembers
// nothing: what it does next it reads from the request alone, so that a message
// which comes in between, or an answer that is dropped, does not confuse it.
type hand struct{ llm.Request }

// A heard message is one that a hand was told, as it reads it.
type heard struct{ first, from, body string }

var calculatorHeader = regexp.MustCompile(`^(?:【来自用户的消息】|\[Message from the user\]|【来自 (.+)（(.+)）的消息】|\[Message from (.+) \((.+)\)\])$`)

// heard reads the messages: the first line of each says who it is from, and only
// that line.
func (h hand) heard() []heard {
	var all []heard
	for _, m := range h.Messages {
		if m.Role != llm.User {
			continue
		}
		first, rest, _ := strings.Cut(m.Text, "\n")
		said := heard{first: first}
		if who := calculatorHeader.FindStringSubmatch(first); who != nil {
			said.from = who[2] + who[4]
		}
		said.body = rest[:max(strings.LastIndex(rest, "\n"), 0)] // less the hint
		all = append(all, said)
	}
	return all
}

// from returns the body of the first message of somebody that holds a text.
func (h hand) from(id, holds string) (string, bool) {
	for _, m := range h.heard() {
		if m.from == id && strings.Contains(m.body, holds) {
			return m.body, true
		}
	}
	return "", false
}

// made reports whether the history holds a call whose arguments hold a text.
func (h hand) made(tool, holds string) bool { _, ok := h.result(tool, holds); return ok }

// result returns the result of the first such call.
func (h hand) result(tool, holds string) (result object, ok bool) {
	for _, m := range h.Messages {
		for _, c := range m.Calls {
			if c.Name != tool || !strings.Contains(c.Arguments, holds) {
				continue
			}
			for _, r := range h.Messages {
				if r.CallID == c.ID && json.Unmarshal([]byte(r.Text), &result) == nil && result["ok"] == true {
					return result, true
				}
			}
		}
	}
	return nil, false
}

var contactLine = regexp.MustCompile(`(?m)^- (\S+) \((.+)\), (\w+)$`)

// contact returns the contact that the prompt lists with a source.
func (h hand) contact(source protocol.Source) string {
	for _, c := range contactsIn(h.System) {
		if strings.HasSuffix(c, " "+string(source)) {
			return strings.Fields(c)[0]
		}
	}
	return ""
}

// contactsIn reads the list of contacts in a system prompt: "id source" each.
func contactsIn(system string) []string {
	var all []string
	_, list, _ := strings.Cut(system, "# 联系人")
	if list == "" {
		_, list, _ = strings.Cut(system, "# Contacts")
	}
	for _, c := range contactLine.FindAllStringSubmatch(list, -1) {
		all = append(all, c[1]+" "+c[3])
	}
	return all
}

func (h hand) tells(to, kind string, payload object) llmtest.Answer {
	return llmtest.CallTools(call("send_message", object{"to": to, "message_type": kind, "payload": payload}))
}

// plays is what the agent does next.
func (h hand) plays() llmtest.Answer {
	id := identity(h.System)
	switch {
	case id == "root":
		return h.root()
	case strings.HasPrefix(id, "programmer-"):
		return h.programmer(id)
	case strings.HasPrefix(id, "uidesigner-"):
		return h.helper("What do you need designed?", "colours", "Design: a grid of 4 by 5 keys, dark on light, the display on top.")
	case strings.HasPrefix(id, "tester-"):
		return h.helper("I am ready to test.", `"cases"`, "Test report: 4 of 4 cases pass.")
	}
	return llmtest.Fail(&llm.Error{Class: llm.Invalid, Status: 400, Text: "nobody plays " + id})
}

func (h hand) root() llmtest.Answer {
	designing := object{"services": "designs interfaces", "input_format": "text: purpose and colours", "output_format": "text"}
	if !h.made("create_role", "tester") {
		return llmtest.CallTools(
			call("create_role", object{"name": "programmer", "rolePrompt": "You program. Ask a UI designer for the looks."}),
			call("create_role", object{"name": "UI designer", "rolePrompt": "You design interfaces.", "interfaceSpec": designing}),
			call("create_role", object{"name": "tester", "rolePrompt": "You test.", "interfaceSpec": testersForm}),
		)
	}
	task := func(objective string, with ...object) object {
		return object{
			"objective": objective, "constraints": []string{"HTML and JavaScript", "a static page, no server", "add, subtract, multiply, divide"},
			"inputs": "numbers and operators that a person types", "outputs": "calculator.html as text", "completion_criteria": "all four operations are right",
			"collaborators": with, "references": []string{"the calculators there are"}, "priority": "high",
		}
	}
	designer, ok := h.result("spawn_agent", "uidesigner")
	if !ok {
		return llmtest.CallTools(
			call("spawn_agent", object{"roleId": "role-uidesigner", "taskBrief": task("advise on the looks of a calculator")}),
			call("spawn_agent", object{"roleId": "role-tester", "taskBrief": task("test a calculator once it is handed to you")}),
		)
	}
	tester, _ := h.result("spawn_agent", "role-tester")
	programmer, ok := h.result("spawn_agent", "role-programmer")
	if !ok {
		return llmtest.CallTools(call("spawn_agent", object{"roleId": "role-programmer", "taskBrief": task("write a simple calculator", object{
			"agentId": designer["agentId"], "role": "UI designer", "description": "ask it for the looks", "interfaceSpec": designing,
		})}))
	}
	who := programmer["agentId"].(string)             //nolint:forcetypeassert // spawn_agent's result
	if !h.made("send_message", "will write to you") { // the earlier is sent the id of the later
		return h.tells(designer["agentId"].(string), "status_report", object{"text": who + " will write to you about the looks."})
	}
	if _, asked := h.from(who, "required_capability"); asked && !h.made("send_message", "usage_hint") {
		return h.tells(who, "introduction_response", object{
			"target":     object{"id": tester["agentId"], "role": "tester", "interfaceSpec": testersForm},
			"usage_hint": "hand it the code with the cases that matter",
		})
	}
	if result, done := h.from(who, "calculator.html"); done {
		return llmtest.Say("Your calculator:\n" + result)
	}
	return llmtest.Say("It is being written.")
}

var testersForm = object{
	"services": "tests programs", "input_format": `object: "code", "cases"`, "output_format": "a report",
	"examples": []string{`{"code":"1+1","cases":["is it 2"]}`},
}

func (h hand) programmer(id string) llmtest.Answer {
	parent, designer, tester := h.contact(protocol.Parent), h.contact(protocol.Preset), h.contact(protocol.Introduction)
	introduction := "I am " + id + ", programmer, responsible for a calculator. I write to you because "
	design, designed := h.from(designer, "Design:")
	answer, introduced := h.from(parent, "usage_hint")
	report, tested := h.from(tester, "Test report")
	switch {
	case tested:
		return llmtest.Say("calculator.html, after this design and with this report:\n" + design + "\n" + report)
	case introduced && !h.made("send_message", "cases"):
		var said struct{ Target struct{ ID string } }
		if json.Unmarshal([]byte(answer), &said) != nil || said.Target.ID != tester {
			return llmtest.Say("I was told of " + said.Target.ID + ", but know " + tester)
		}
		return h.tells(tester, "collaboration_request", object{
			"text": introduction + "root named you as who can test it.", "code": "1+1", "cases": []string{"1+1 is 2"},
		})
	case designed && !h.made("send_message", "required_capability"):
		return h.tells(parent, "introduction_request", object{"reason": "it is written and not tested", "required_capability": "testing"})
	case !h.made("send_message", "colours"):
		return h.tells(designer, "collaboration_request", object{"text": introduction + "my brief names you.\npurpose: a calculator\ncolours: yours to choose"})
	}
	return llmtest.Say("I have asked.")
}

// helper answers what it was asked, once it was asked in its own form.
func (h hand) helper(before, form, result string) llmtest.Answer {
	if _, asked := h.from("programmer-1", form); asked {
		return llmtest.Say(result)
	}
	return llmtest.Say(before)
}

// The example of S002, with a model that follows the prompts literally: a calculator with
// a designer named in the brief, and a tester introduced by root; over the wire, on disk,
// in both languages.
func TestS002ExampleOfTheCalculatorRunsEndToEnd(t *testing.T) {
	t.Parallel()
	for _, lang := range protocol.Langs() {
		t.Run(string(lang), func(t *testing.T) {
			t.Parallel()
			server := llmtest.StartStrict(t, llmtest.Strict{Answer: func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
				return hand{req}.plays()(ctx, req)
			}})
			model, err := chatapi.New(chatapi.Config{BaseURL: server.URL, Model: "strict"})
			if err != nil {
				t.Fatal(err)
			}
			defer model.Close()
			path, begun := filepath.Join(t.TempDir(), "society.db"), time.Now()
			store, r, leave := opened(t, path, model, lang)
			if _, err := r.Do(t.Context(), society.Send{To: society.Root, Text: "Make me a calculator."}); err != nil {
				t.Fatal(err)
			}
			checkAnswer(t, quiet(t, r))
			checkTalk(t, lang, server)
			known := checkContacts(t, r, begun)
			leave()
			if err := runtime.Check(store); err != nil {
				t.Errorf("the store is not sound: %v", err)
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			store, r, leave = opened(t, path, model, lang) // S002 2.7: contacts outlive the process
			if again := checkContacts(t, r, begun); again != known {
				t.Errorf("after a restart they know\n%s\nnot\n%s", again, known)
			}
			leave()
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// opened runs a society on a file until it is left.
func opened(t *testing.T, path string, model llm.Model, lang protocol.Lang) (storage.Store, *runtime.Runtime, func()) {
	t.Helper()
	store, err := boltdb.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := runtime.Open(runtime.Config{Store: store, Model: model, Lang: lang, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	return store, r, func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// checkAnswer checks that the user is given one answer, the last thing said.
func checkAnswer(t *testing.T, inbox []api.InboxMessage) {
	t.Helper()
	last := inbox[len(inbox)-1]
	for _, want := range []string{"calculator.html", "a grid of 4 by 5 keys", "4 of 4 cases pass"} {
		if last.Note || last.From != society.Root || !strings.Contains(last.Body, want) {
			t.Errorf("the answer has no %q: %+v", want, last)
		}
	}
	for _, m := range inbox[:len(inbox)-1] {
		if !m.Note || m.From != society.Root {
			t.Errorf("before the answer the person is given %+v", m)
		}
	}
}

// checkTalk holds what each agent was told, by the last request of each, and that
// the contacts grew step by step.
func checkTalk(t *testing.T, lang protocol.Lang, server *llmtest.StrictServer) {
	t.Helper()
	if v := server.Violations(); len(v) > 0 {
		t.Errorf("the server refuses histories: %v", v)
	}
	last, steps := map[string]hand{}, []string{}
	for _, served := range server.Requests() {
		id := identity(served.Request.System)
		last[id] = hand{served.Request}
		if id != "programmer-1" {
			continue
		}
		if now := strings.Join(contactsIn(served.Request.System), ", "); len(steps) == 0 || steps[len(steps)-1] != now {
			steps = append(steps, now)
		}
	}
	if want := []string{"root parent, uidesigner-1 preset", "root parent, tester-1 introduction, uidesigner-1 preset"}; !slices.Equal(steps, want) {
		t.Errorf("the programmer knew %q, not %q", steps, want)
	}
	from := map[protocol.Lang]string{protocol.English: "[Message from %s (%s)]", protocol.Chinese: "【来自 %s（%s）的消息】"}[lang]
	line := func(role, id string) string { return fmt.Sprintf(from, role, id) }
	root, programmer := line("root", "root"), line("programmer", "programmer-1")
	for id, want := range map[string][]string{
		"programmer-1": {root, line("UI designer", "uidesigner-1"), root, line("tester", "tester-1")},
		"tester-1":     {root, programmer},
		"uidesigner-1": {root, root, programmer},
	} {
		var got []string
		for _, m := range last[id].heard() {
			got = append(got, m.first)
		}
		if id == "uidesigner-1" { // which of the two is there first is not said
			slices.Sort(got)
			slices.Sort(want)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s is told by %q, not %q", id, got, want)
		}
	}
	for _, id := range []string{"tester-1", "uidesigner-1"} { // S002 5.3
		if said, ok := last[id].from("programmer-1", "I am programmer-1, programmer"); !ok || !strings.HasPrefix(said, "I am programmer-1, programmer") {
			t.Errorf("the first message to %s does not say who writes: %q", id, said)
		}
	}
	if said, _ := last["programmer-1"].from("root", "usage_hint"); !strings.Contains(said, `"input_format"`) {
		t.Errorf("S002 4.3: the introduction is without the interface: %s", said)
	}
}

// checkContacts checks all contacts at the end, with source, introducer and time, and
// returns them.
func checkContacts(t *testing.T, r *runtime.Runtime, begun time.Time) string {
	t.Helper()
	all := map[string][]protocol.Contact{}
	for id, want := range map[string][]string{
		"root":         {"programmer-1 child", "tester-1 child", "uidesigner-1 child", "user system"},
		"programmer-1": {"root parent", "tester-1 introduction root", "uidesigner-1 preset"},
		"tester-1":     {"programmer-1 first_message", "root parent"},
		"uidesigner-1": {"programmer-1 first_message", "root parent"},
		"user":         {"root system"},
	} {
		p, err := r.Profile(t.Context(), society.AgentID(id))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range p.Contacts {
			got = append(got, strings.TrimSpace(c.ID+" "+string(c.Source)+" "+c.IntroducedBy))
			if c.AddedAt.Before(begun.Add(-time.Second)) || c.AddedAt.After(time.Now()) {
				t.Errorf("%s knows %s since %s", id, c.ID, c.AddedAt)
			}
			if (c.ID == "tester-1" || c.ID == "uidesigner-1") && (c.InterfaceSpec == nil || c.InterfaceSpec.InputFormat == "") {
				t.Errorf("%s knows %s without its interface", id, c.ID)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s knows %q, not %q", id, got, want)
		}
		all[id] = p.Contacts
	}
	raw, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
