package society

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// organised returns a society with a role "worker", and root in its turn.
func organised(t fatal) *world {
	w := newWorld(t, DefaultLimits())
	w.send(Root, "get it done")
	w.calling(Root, w.call("create_role", object{
		"name": "worker", "rolePrompt": "Work.", "interfaceSpec": object{"services": "works", "examples": []string{"do"}},
	}))
	return w
}

func (w *world) spawns(by AgentID, role RoleID, task any) conversation.Call {
	w.t.Helper()
	call := w.call("spawn_agent", object{"roleId": role, "taskBrief": task})
	w.calling(by, call)
	return call
}

// made returns the agent that the last command made.
func (w *world) made() *AgentMade {
	for _, e := range w.last {
		if e, ok := e.(AgentMade); ok {
			return &e
		}
	}
	return nil
}

// All that is missing is listed at once, and nothing is made: no agent, message, contact
// or number (SPEC.md, decisions 16, 19).
func TestS002P1ASpawnWithoutAFullBriefListsAllThatIsMissingAndMakesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := organised(t)
		task, missing := brief(), []string{}
		for _, field := range []string{"objective", "constraints", "inputs", "outputs", "completion_criteria"} {
			switch rapid.IntRange(0, 5).Draw(t, field) {
			case 0:
				delete(task, field)
			case 1:
				task[field] = nil
			case 2:
				task[field] = ""
			default:
				continue
			}
			missing = append(missing, field)
		}
		numbers := w.s.Numbers()
		contacts := len(w.agent(Root).Contacts)
		call := w.spawns(Root, "role-worker", task)
		if len(missing) == 0 {
			if w.made() == nil {
				t.Fatalf("nothing was made: %s", w.result(Root, call).Text)
			}
			return
		}
		var got protocol.BriefError
		if err := json.Unmarshal([]byte(w.result(Root, call).Text), &got); err != nil {
			t.Fatalf("%v", err)
		}
		slices.Sort(got.MissingFields)
		slices.Sort(missing)
		if got.Code != string(InvalidTaskBrief) || !slices.Equal(got.MissingFields, missing) {
			t.Fatalf("%+v, missing are %v", got, missing)
		}
		if w.made() != nil || len(w.s.Agents()) != 1 || len(w.agent(Root).Contacts) != contacts || !reflect.DeepEqual(w.s.Numbers(), numbers) {
			t.Fatalf("something was made")
		}
	})
}

func TestEveryOtherRefusedSpawnMakesNothingEither(t *testing.T) {
	t.Parallel()
	dead := func(w *world) AgentID {
		id := w.spawn(Root)
		w.must(Terminate{Agent: id, By: User})
		w.halted()
		return id
	}
	for name, c := range map[string]struct {
		args func(w *world, task object) object
		code Code
	}{
		"an unknown role":             {func(_ *world, b object) object { return object{"roleId": "role-x", "taskBrief": b} }, InvalidArguments},
		"constraints of a wrong type": {func(_ *world, b object) object { b["constraints"] = "none"; return object{"taskBrief": b} }, InvalidTaskBrief},
		"no brief":                    {func(*world, object) object { return object{} }, InvalidTaskBrief},
		"an unknown collaborator": {func(_ *world, b object) object {
			b["collaborators"] = []object{{"agentId": "nobody-1"}}
			return object{"taskBrief": b}
		}, InvalidTaskBrief},
		"a terminated collaborator": {func(w *world, b object) object {
			b["collaborators"] = []object{{"agentId": dead(w)}}
			return object{"taskBrief": b}
		}, InvalidTaskBrief},
		"an initial message that is none": {func(_ *world, b object) object {
			return object{"taskBrief": b, "initialMessage": 7}
		}, InvalidMessageFormat},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := organised(t)
			args := c.args(w, brief())
			if args["roleId"] == nil {
				args["roleId"] = "role-worker"
			}
			n := len(w.s.Agents())
			call := w.call("spawn_agent", args)
			w.calling(Root, call)
			if got := w.answer(Root, call)["error"]; got != string(c.code) || len(w.s.Agents()) != n {
				t.Errorf("%s", w.result(Root, call).Text)
			}
		})
	}
}

// The brief is kept whole for the child's system prompt, with every field that was given,
// and its first message sets it to work (SPEC.md, decision 19).
func TestS002P2TheChildIsGivenTheWholeBrief(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := organised(t)
		text := rapid.StringMatching(`[ -~\n]{1,40}`)
		task := object{
			"objective": text.Draw(t, "objective"), "constraints": rapid.SliceOfN(text, 0, 3).Draw(t, "constraints"),
			"inputs": text.Draw(t, "inputs"), "outputs": text.Draw(t, "outputs"), "completion_criteria": text.Draw(t, "criteria"),
		}
		if rapid.Bool().Draw(t, "more") {
			task["references"], task["priority"], task["deadline"] = []string{text.Draw(t, "reference")}, "high", text.Draw(t, "deadline")
		}
		call := w.spawns(Root, "role-worker", task)
		made := w.made()
		if made == nil || made.Brief == nil {
			t.Fatalf("%s", w.result(Root, call).Text)
		}
		var given, kept object
		if err := json.Unmarshal([]byte(encoded(t, task)), &given); err != nil {
			t.Fatalf("%v", err)
		}
		if err := json.Unmarshal([]byte(encoded(t, made.Brief)), &kept); err != nil {
			t.Fatalf("%v", err)
		}
		if !reflect.DeepEqual(given, kept) {
			t.Fatalf("given %v, kept %v", given, kept)
		}
		first := w.letter[made.Agent.ID]
		if len(first) != 1 {
			t.Fatalf("%d messages", len(first))
		}
		for _, d := range first {
			if d.mail.Type != protocol.TaskAssignment || d.mail.From != Root || d.taken != 1 {
				t.Fatalf("%+v", d)
			}
		}
		w.thinks(made.Agent.ID)
	})
}

func TestAnInitialMessageStandsForTheUsualOne(t *testing.T) {
	t.Parallel()
	w := organised(t)
	call := w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief(), "initialMessage": "Read the brief twice."})
	w.calling(Root, call)
	id := w.made().Agent.ID
	for _, d := range w.letter[id] {
		if want := "[Message from organiser (root)]\nRead the brief twice.\n"; d.text[:len(want)] != want {
			t.Errorf("%q", d.text)
		}
	}
	if !slices.Equal(w.agent(id).Owes, []AgentID{Root}) || !slices.Equal(w.agent(Root).Asked, []AgentID{id}) {
		t.Errorf("owes %v, asked %v", w.agent(id).Owes, w.agent(Root).Asked)
	}
}

// A new agent knows its parent, its parent knows it, and both know the preset
// collaborators; root knows the user.
func TestS002P3P4P6ANewAgentKnowsItsParentAndItsCollaborators(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := organised(t)
		for range rapid.IntRange(1, 5).Draw(t, "people") {
			w.spawn(w.anyAgent(t))
		}
		if c := w.agent(Root).Contacts.Of(User); c.Source != protocol.System {
			t.Fatalf("root knows the user as %+v", c)
		}
		by := w.anyAgent(t)
		if w.agent(by).Depth == w.s.limits.Depth {
			return
		}
		w.reads(by)
		task := brief()
		preset := rapid.SliceOfNDistinct(rapid.SampledFrom(w.s.Agents()), 0, 3, rapid.ID[AgentID]).Draw(t, "collaborators")
		list := []object{}
		for _, id := range preset {
			list = append(list, object{"agentId": id, "role": "made up", "description": "ask it"})
		}
		task["collaborators"] = list
		call := w.spawns(by, "role-worker", task)
		if w.made() == nil {
			t.Fatalf("%s", w.result(by, call).Text)
		}
		id := w.made().Agent.ID
		child := w.agent(id)
		if c := child.Contacts.Of(by); c.Source != protocol.Parent || c.Role != w.s.RoleName(by) {
			t.Fatalf("it knows its parent as %+v", c)
		}
		if c := w.agent(by).Contacts.Of(id); c.Source != protocol.Child || c.Role != "worker" || c.InterfaceSpec == nil {
			t.Fatalf("its parent knows it as %+v", c)
		}
		want := len(preset) + 1
		if slices.Contains(preset, by) {
			want--
		}
		if len(child.Contacts) != want {
			t.Fatalf("it knows %v", child.Contacts)
		}
		for _, other := range preset {
			c := child.Contacts.Of(other)
			if other != by && (c.Source != protocol.Preset || c.Role != w.s.RoleName(other)) {
				t.Fatalf("it knows %s as %+v", other, c)
			}
			tell := w.tells(other, "", "I am new")
			w.calling(id, tell)
			if got := w.answer(id, tell); got["ok"] != true || got["contactKnown"] != true {
				t.Fatalf("to %s: %v", other, got)
			}
			w.reads(id)
		}
	})
}

// SPEC.md, decision 38: an id is the role's letters and digits and a number that is never
// used again, not after termination or restart (mirror checks that no history uses one
// twice).
func TestAnIDIsNeverUsedAgain(t *testing.T) {
	t.Parallel()
	w := organised(t)
	for _, name := range []string{"Go programmer!", "程序员", "Agent", "x/1"} {
		w.calling(Root, w.call("create_role", object{"name": name, "rolePrompt": "Work."}))
	}
	ids := func() (list []AgentID) {
		for _, role := range w.s.Roles()[1:] {
			w.spawns(Root, role.ID, object{
				"objective": "x", "constraints": []string{}, "inputs": role.Name + encoded(t, w.calls), "outputs": "x", "completion_criteria": "x",
			})
			list = append(list, w.made().Agent.ID)
		}
		return list
	}
	if got := ids(); !slices.Equal(got, []AgentID{"worker-1", "goprogrammer-1", "agent-1", "agent-2", "x1-1"}) {
		t.Errorf("%v", got)
	}
	for _, id := range w.s.Agents()[1:] {
		w.must(Terminate{Agent: id, By: User})
	}
	w.halted()
	w.restart(false)
	if got := ids(); !slices.Equal(got, []AgentID{"worker-2", "goprogrammer-2", "agent-3", "agent-4", "x1-2"}) {
		t.Errorf("%v", got)
	}
}

func TestListRolesCountsTheAgentsOfEachRole(t *testing.T) {
	t.Parallel()
	w := organised(t)
	w.spawn(w.spawn(Root))
	w.calling(Root, w.call("create_role", object{"name": "tester", "rolePrompt": "Test."}))
	list := w.call("list_roles", object{})
	w.calling(Root, list)
	got := map[any]any{}
	for _, r := range w.answer(Root, list)["roles"].([]any) {
		got[r.(object)["name"]] = r.(object)["agents"]
	}
	if want := map[any]any{"organiser": 1.0, "worker": 2.0, "tester": 0.0}; !maps.Equal(got, want) {
		t.Errorf("list_roles counts %v, want %v", got, want)
	}
}

func TestARoleIsMadeOnceAndFoundByItsName(t *testing.T) {
	t.Parallel()
	w := organised(t)
	again := w.call("create_role", object{"name": "worker", "rolePrompt": "Work otherwise."})
	find, list := w.call("find_role", object{"query": "WORK"}), w.call("list_roles", object{})
	w.calling(Root, again, find, list)
	if got := w.answer(Root, again)["roleId"]; got != "role-worker-2" {
		t.Errorf("%v", got)
	}
	if got := w.answer(Root, find)["roles"].([]any); len(got) != 2 {
		t.Errorf("%v", got)
	}
	if got := w.answer(Root, list)["roles"].([]any); len(got) != 3 {
		t.Errorf("%v", got)
	}
	for _, args := range []object{
		{"name": "", "rolePrompt": "x"}, {"name": "a】b", "rolePrompt": "x"}, {"name": "user", "rolePrompt": "x"}, {"name": "fine", "rolePrompt": " "},
	} {
		call := w.call("create_role", args)
		w.calling(Root, call)
		if got := w.answer(Root, call)["error"]; got != string(InvalidArguments) {
			t.Errorf("%v: %v", args, got)
		}
	}
}
