package society

import (
	"strings"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
)

// A role names a graph of the library or of its template, and what is refused
// leaves nothing.
func TestS004ARoleNamesAGraphThatThereIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "make roles")
	make := func(graph string) object {
		call := w.call(org.CreateRole, object{"name": "maker " + graph, "rolePrompt": "Make.", "graph": graph})
		w.calling(Root, call)
		return w.answer(Root, call)
	}
	id, _ := make("review")["roleId"].(string)
	if r := w.s.Role(RoleID(id)); r == nil || r.Graph == nil || r.Graph.Name != "review" {
		t.Fatalf("made is %+v", r)
	}
	before := len(w.s.Roles())
	if said, _ := make("nosuch")["message"].(string); !strings.Contains(said, "limits, review, side by side, views") {
		t.Errorf("refused with %q", said)
	}
	if got := len(w.s.Roles()); got != before {
		t.Errorf("there are %d roles after a refusal, want %d", got, before)
	}
	list := w.call(org.ListRoles, object{})
	w.calling(Root, list)
	if said := w.result(Root, list).Text; !strings.Contains(said, `"graph":"review"`) {
		t.Errorf("agents are told %s", said)
	}
	w.refused(ChooseGraph{Role: "role-root", Graph: "nosuch"}, InvalidArguments)
	w.refused(ChooseGraph{Role: "role-nobody"}, InvalidArguments)
	for i, c := range []struct {
		graph   string
		changed bool
	}{{"", false}, {"views", true}, {"views", false}, {"", true}} {
		if got := w.must(ChooseGraph{Role: "role-root", Graph: c.graph}).(RoleChange); got.Changed != c.changed {
			t.Errorf("%d: %+v", i, got)
		}
	}

	own := library()[0]
	own.Name, own.Nodes[0].Prompt = "own", "Begin."
	w.must(AddTeam{Template: "t", Graphs: []graph.Definition{own}, Roles: []TeamRole{
		{Name: "one", Prompt: "Work.", Graph: "own"}, {Name: "two", Prompt: "Work.", Graph: "views"}, {Name: "three", Prompt: "Work."},
	}})
	for id, want := range map[RoleID]string{"role-one": "own", "role-two": "views"} {
		if g := w.s.Role(id).Graph; g == nil || g.Name != want {
			t.Errorf("%s has %+v", id, g)
		}
	}
	if g := w.s.Role("role-three").Graph; g != nil {
		t.Errorf("role-three has %+v", g)
	}
	bad := own
	bad.Edges = nil
	_, err := w.try(AddTeam{Template: "u", Graphs: []graph.Definition{bad}, Roles: []TeamRole{{Name: "four", Prompt: "Work.", Graph: "gone"}}})
	for _, want := range []string{"graphs[0]", "no way", "roles[0].graph", `no graph "gone"`} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("refused with %v, want %q", err, want)
		}
	}
}

// Of several who are resumed at once, one that fails at that tells those who wait for it:
// they are resumed with what waits for them and with that, and nothing is lost.
func TestAResumeLosesNoMessageOfOneThatFails(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	child := w.spawn(Root)
	w.says(child, "ready")
	w.says(Root, "well")
	for w.agent(Root).Status != Idle {
		w.says(Root, "well")
	}
	w.must(ChooseGraph{Role: "role-worker", Graph: "review"})
	w.must(ChooseGraph{Role: "role-root", Graph: "review"})
	w.send(child, "go")
	w.calling(child, w.tells(Root, "", "what is it?")) // root owes it an answer
	w.send(child, "one more thing")
	w.must(Interrupt{Agent: child})
	w.must(Interrupt{Agent: Root})
	w.must(ChooseGraph{Role: "role-root", Graph: "views"}) // so that root cannot go on
	w.must(Resume{Agent: Root})
	if a := w.agent(Root); a.Error == "" {
		t.Fatalf("root has not failed: %+v", a)
	}
	w.agrees(w.s)
	heard := ""
	for _, e := range w.history(child) {
		if e.Kind == conversation.Inbound {
			heard += e.Text
		}
	}
	for _, want := range []string{"one more thing", "graph"} {
		if !strings.Contains(heard, want) {
			t.Errorf("%s has not heard %q in %q", child, want, heard)
		}
	}
}

// A graph that a template brings is not replaced by another of the same name.
func TestS004ATemplateKeepsItsOwnGraph(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	own := library()[0]
	own.Nodes[0].Prompt = "Write in rhyme."
	w.must(AddTeam{Template: "t", Graphs: []graph.Definition{own}, Roles: []TeamRole{
		{Name: "poet", Prompt: "Work.", Graph: "review"}, {Name: "two", Prompt: "Work.", Graph: "views"},
	}})
	w.load()
	other := library()
	other[1].Nodes[0].Prompt = "Begin."
	w.s.SetGraphs(other)
	w.must(Restart{})
	if got := w.s.Role("role-poet").Graph.Nodes[0].Prompt; got != "Write in rhyme." {
		t.Errorf("the template's graph begins with %q", got)
	}
	if got := w.s.Role("role-two").Graph.Nodes[0].Prompt; got != "Begin." {
		t.Errorf("the graph of the settings begins with %q", got)
	}
	w.must(ChooseGraph{Role: "role-poet", Graph: "review"})
	if got := w.s.Role("role-poet").Graph.Nodes[0].Prompt; got != "Write." {
		t.Errorf("the chosen graph begins with %q", got)
	}
}

// A graph whose nodes ask for models or tools that there are not is refused wherever
// a role names it, with every node named; a role that has it keeps it.
func TestS004WhatTheNodesOfAGraphAskForIsThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	inner := graph.Definition{
		Name: "inner", Nodes: []graph.Node{{Key: "read", Tools: []string{"fly", "look"}}}, Entries: []string{"read"}, EndNodes: []string{"read"},
	}
	odd := graph.Definition{
		Name:    "odd",
		Nodes:   []graph.Node{{Key: "write", Model: "huge"}, {Key: "deep", Graph: &inner}, {Key: "end", Tools: []string{"get_org", "compress_context"}}},
		Edges:   []graph.Edge{{From: "write", To: "deep"}, {From: "deep", To: "end"}},
		Entries: []string{"write"}, EndNodes: []string{"end"},
	}
	w.s.SetGraphs(append(library(), odd))
	wants := []string{`"odd"`, `node "write": the model "huge" is not set up`, `node "deep/read": there is no tool "fly"`}
	said := func(how, text string) {
		for _, want := range wants {
			if !strings.Contains(text, want) || strings.Contains(text, "look") || strings.Contains(text, `"end"`) {
				t.Errorf("%s it is said %q, want %q", how, text, want)
			}
		}
	}
	_, err := w.try(ChooseGraph{Role: "role-root", Graph: "odd"})
	said("to the person", err.Error())
	_, err = w.try(AddTeam{Template: "t", Graphs: []graph.Definition{odd}, Roles: []TeamRole{{Name: "one", Prompt: "Work.", Graph: "odd"}}})
	said("of a template", err.Error())
	_, err = w.try(AddTeam{Template: "t", Roles: []TeamRole{{Name: "one", Prompt: "Work.", Graph: "odd"}}})
	said("of a template that names it", err.Error())
	w.send(Root, "make roles")
	call := w.call(org.CreateRole, object{"name": "one", "rolePrompt": "Work.", "graph": "odd"})
	w.calling(Root, call)
	text, _ := w.answer(Root, call)["message"].(string)
	said("to an agent", text)
	w.s.SetModels([]string{"huge"}, nil)
	w.s.risks["fly"] = tool.Reads
	w.must(ChooseGraph{Role: "role-root", Graph: "odd"})
	w.load()
	w.s.SetGraphs(append(library(), odd))
	w.must(Restart{})
	if got := w.s.Role("role-root").Graph; got == nil || got.Name != "odd" {
		t.Errorf("a role that had it has %+v", got)
	}
}
