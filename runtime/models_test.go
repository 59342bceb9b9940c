package runtime_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// A staff is a template of roles, n agents each, below root. It asks for a model
// as "big", for a capability as "=fast".
func staff(n int, asks ...string) func(protocol.Lang) society.AddTeam {
	task, err := json.Marshal(brief)
	if err != nil {
		panic(err)
	}
	p := society.AddTeam{Template: "staff", Once: true}
	for _, ask := range asks {
		role := society.TeamRole{Name: "on " + strings.TrimPrefix(ask, "="), Prompt: "Work."}
		if capability, ok := strings.CutPrefix(ask, "="); ok {
			role.Capability = capability
		} else {
			role.Model = ask
		}
		p.Roles = append(p.Roles, role)
		for i := range n {
			p.Agents = append(p.Agents, society.TeamAgent{As: fmt.Sprintf("%s-%d", role.Name, i), Role: role.Name, Brief: task})
		}
	}
	return func(protocol.Lang) society.AddTeam { return p }
}

// among gives a society these models, the default first.
func among(t *testing.T, entries ...registry.Entry) func(*runtime.Config) {
	t.Helper()
	models, err := registry.New(entries...)
	if err != nil {
		t.Fatal(err)
	}
	return func(cfg *runtime.Config) { cfg.Model, cfg.Models = nil, models }
}

// askedOf counts the requests that a model was sent, by agent.
func askedOf(m *llmtest.Scripted) map[string]int {
	n := map[string]int{}
	for _, r := range m.Requests() {
		n[identity(r.Request.System)]++
	}
	return n
}

func TestAgentsOfEachRoleAskTheModelThatItNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		big, small := llmtest.Func("gpt-x", llmtest.Say("big speaks")), llmtest.Func("gpt-y", llmtest.Say("small speaks"))
		s := run(t, newCast(), memdb.New(), among(t,
			registry.Entry{Name: "big", Model: big, Endpoint: "a", Window: 100_000},
			registry.Entry{Name: "small", Model: small, Endpoint: "b", Window: 5000, Capabilities: []string{"fast"}},
		), func(cfg *runtime.Config) { cfg.FirstTeam = staff(1, "big", "small", "=fast") })
		for _, id := range []society.AgentID{"root", "onbig-1", "onsmall-1", "onfast-1"} {
			s.do(society.Send{To: id, Text: "go"})
		}
		time.Sleep(time.Minute)
		if got := askedOf(big); len(got) != 2 || got["root"] != 1 || got["onbig-1"] != 1 {
			t.Errorf("big was asked by %v", got)
		}
		if got := askedOf(small); len(got) != 2 || got["onsmall-1"] != 1 || got["onfast-1"] != 1 {
			t.Errorf("small was asked by %v", got)
		}
		for id, want := range map[society.AgentID]string{"root": "big 100000", "onbig-1": "big 100000", "onsmall-1": "small 5000", "onfast-1": "small 5000"} {
			row := s.rows()[id]
			if got := fmt.Sprint(row.Model, " ", row.Window); got != want || row.Stranded {
				t.Errorf("%s is shown with %s, want %s", id, got, want)
			}
			if said := s.said(id); said[len(said)-1].Model != row.Model {
				t.Errorf("the answer of %s is of %q", id, said[len(said)-1].Model)
			}
		}
		// Agents are offered both, for the roles that they make.
		for _, spec := range big.Requests()[0].Request.Tools {
			if text := string(spec.Parameters); spec.Name == "create_role" && !strings.Contains(text, "big; small (fast)") {
				t.Errorf("create_role offers no models: %s", text)
			}
		}
	})
}

// Each endpoint has room of its own, models at one endpoint share it, and a bound
// of its own holds for a model beside that.
func TestAFullEndpointKeepsNobodyFromAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var models []*llmtest.Scripted
		for range 4 {
			models = append(models, llmtest.Func("m", llmtest.Hang()))
		}
		s := run(t, newCast(), memdb.New(), among(t,
			registry.Entry{Name: "slow", Model: models[0], Endpoint: "a"},
			registry.Entry{Name: "beside", Model: models[1], Endpoint: "a"},
			registry.Entry{Name: "other", Model: models[2], Endpoint: "b"},
			registry.Entry{Name: "narrow", Model: models[3], Endpoint: "c", Calls: 1},
		), func(cfg *runtime.Config) {
			cfg.ModelCalls, cfg.FirstTeam = 3, staff(5, "slow", "beside", "other", "narrow")
		})
		begin := func(role string) {
			for i := range 5 {
				s.do(society.Send{To: society.AgentID(fmt.Sprintf("%s-%d", role, i+1)), Text: "go"})
			}
			synctest.Wait()
		}
		begin("onslow")
		begin("onbeside") // waits behind the others
		begin("onnarrow")
		begin("onother")
		running := func() (n []int) {
			for _, m := range models {
				n = append(n, m.Running())
			}
			return n
		}
		if got := running(); !slices.Equal(got, []int{3, 0, 3, 1}) {
			t.Fatalf("%v calls run", got)
		}
		queued := 0
		for _, row := range s.rows() {
			if row.Queued {
				queued++
			}
		}
		if queued != 20-7 {
			t.Errorf("%d are shown to wait for a slot", queued)
		}
		// A slot that comes free goes to who waited longest, whatever its model.
		for i := range 5 {
			s.do(society.Stop{Agent: society.AgentID(fmt.Sprintf("onslow-%d", i+1))})
		}
		synctest.Wait()
		if got := running(); !slices.Equal(got, []int{0, 3, 3, 1}) {
			t.Errorf("%v calls run", got)
		}
		s.do(society.Stop{Agent: society.Root})
		if got := running(); !slices.Equal(got, []int{0, 0, 0, 0}) {
			t.Errorf("after the stop %v calls run", got)
		}
	})
}

// A model that has gone from the settings costs nothing but the turn: it fails
// with words, the others go on, and with another model the turn goes on too.
func TestAModelThatHasGoneFailsTheTurnWithWordsAndLosesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		first := llmtest.Func("gpt-x", llmtest.Say("well"))
		s := run(t, newCast(), store, among(t,
			registry.Entry{Name: "big", Model: first},
			registry.Entry{Name: "small", Model: llmtest.Func("gpt-y", llmtest.Say("small speaks")), Capabilities: []string{"fast"}},
		), func(cfg *runtime.Config) { cfg.FirstTeam = staff(1, "small", "=fast") })
		s.do(society.Send{To: "onsmall-1", Text: "before"})
		s.do(society.AssignModel{Agent: "root", Model: "small"})
		time.Sleep(time.Minute)
		s.quit()

		again := llmtest.Func("gpt-x", llmtest.Say("big speaks"))
		s = run(t, newCast(), store, among(t, registry.Entry{Name: "big", Model: again}))
		var stranded []string
		for _, want := range s.r.MissingModels() {
			stranded = append(stranded, want.Model)
		}
		if !slices.Equal(stranded, []string{"small", "fast", "small"}) {
			t.Errorf("stranded are %v", stranded)
		}
		s.do(society.Send{To: "root", Text: "after"})
		time.Sleep(time.Minute)
		if row := s.rows()["root"]; !strings.Contains(row.Error, `The agent root alone was given the model "small", which is not set up`) {
			t.Errorf("root says %q", row.Error)
		}
		s.do(society.AssignModel{Agent: "root"})
		for id, asks := range map[society.AgentID]string{"onsmall-1": "small", "onfast-1": "fast"} {
			if row := s.rows()[id]; !row.Stranded || row.Model != asks || row.Window != 0 {
				t.Errorf("%s is shown as %+v", id, row)
			}
			s.do(society.Send{To: id, Text: "after"})
		}
		time.Sleep(time.Hour)
		for id, words := range map[society.AgentID]string{
			"onsmall-1": `asks for the model "small", which is not set up (there is big)`,
			"onfast-1":  `asks for a model with the capability "fast", and none that is set up has it`,
		} {
			if row := s.rows()[id]; !strings.Contains(row.Error, words) {
				t.Errorf("%s says %q", id, row.Error)
			}
		}
		if got := askedOf(again); got["onsmall-1"]+got["onfast-1"] != 0 {
			t.Errorf("the default was asked in their place: %v", got)
		}
		w := s.r.Watch()
		defer w.Close()
		c, err := w.Next(s.ctx)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Health; got["big"] != "ok" || len(got) != 1 {
			t.Errorf("health %v", got) // root has heard of it, and answered
		}

		change := s.do(society.ChooseModel{Role: "role-onsmall", Model: "big"}).(society.RoleChange)
		if !change.Changed || change.Agents != 1 {
			t.Errorf("%+v", change)
		}
		s.do(society.Resume{Agent: "onsmall-1"})
		time.Sleep(time.Minute)
		if row := s.rows()["onsmall-1"]; row.Stranded || row.Model != "big" || row.Error != "" {
			t.Errorf("%+v", row)
		}
		var heard []string
		for _, e := range s.said("onsmall-1") {
			heard = append(heard, e.Body+e.Text)
		}
		for _, want := range []string{"before", "small speaks", "after", "big speaks"} {
			if !slices.ContainsFunc(heard, func(s string) bool { return strings.Contains(s, want) }) {
				t.Errorf("%q was lost: %q", want, heard)
			}
		}
		if _, err := s.r.Do(s.ctx, society.ChooseModel{Role: "role-onfast", Model: "small"}); !refusedAs(err, society.InvalidArguments) || !strings.Contains(err.Error(), "there is big") {
			t.Errorf("what is not set up was taken: %v", err)
		}
	})
}

// The window is that of the agent's own model: it is warned, compressed and told
// its status by that.
func TestTheWindowIsThatOfTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const room = 8000
		wide := llmtest.Func("wide", llmtest.Say("well"))
		narrow := llmtest.Func("narrow", llmtest.Window(room, tooLong, summing(llmtest.Say("SUMMARY"), llmtest.Say("well"))))
		s := run(t, newCast(), memdb.New(), among(t,
			registry.Entry{Name: "wide", Model: wide, Window: 1_000_000},
			registry.Entry{Name: "narrow", Model: narrow, Window: room},
		), func(cfg *runtime.Config) { cfg.FirstTeam = staff(1, "wide", "narrow") })
		warned := map[society.AgentID]bool{}
		for i := range 20 {
			for _, id := range []society.AgentID{"onwide-1", "onnarrow-1"} {
				s.do(society.Send{To: id, Text: fmt.Sprint("question ", i, " ", long(400))})
				time.Sleep(time.Minute)
				p, err := s.r.Profile(s.ctx, id)
				if err != nil {
					t.Fatal(err)
				}
				warned[id] = warned[id] || strings.Contains(p.System, "# Context warning")
			}
		}
		if warned["onwide-1"] || !warned["onnarrow-1"] {
			t.Errorf("warned were %v", warned)
		}
		rows := s.rows()
		if a, b := rows["onwide-1"], rows["onnarrow-1"]; a.Messages != 40 || b.Messages >= 40 || b.Tokens > room || a.Tokens < room || a.Error+b.Error != "" {
			t.Errorf("wide: %d messages, %d tokens; narrow: %d, %d; %q", a.Messages, a.Tokens, b.Messages, b.Tokens, a.Error+b.Error)
		}
	})
}

// A role's other model is asked from the next request on. It is not sent what only
// the endpoint of the first understands.
func TestAnotherModelIsAskedFromTheNextRequestOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		secret := json.RawMessage(`{"thought_signature":"of a"}`)
		signed := llmtest.Chunks(llm.Chunk{Text: "first"}, llm.Chunk{Done: true, Finish: llm.FinishStop, Extra: secret})
		a, b := llmtest.Func("m-a", signed), llmtest.Func("m-b", llmtest.Say("second"))
		s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "a", Model: a}, registry.Entry{Name: "b", Model: b}))
		tell := func(text string) {
			s.do(society.Send{To: society.Root, Text: text})
			time.Sleep(time.Minute)
		}
		tell("one")
		tell("two")
		s.do(society.ChooseModel{Role: s.rows()[society.Root].RoleID, Model: "b"})
		if row := s.rows()[society.Root]; row.Model != "b" {
			t.Errorf("root is shown with %q", row.Model)
		}
		tell("three")
		tell("four")
		if len(a.Requests()) != 2 || len(b.Requests()) != 2 {
			t.Fatalf("%d and %d requests", len(a.Requests()), len(b.Requests()))
		}
		extras := func(m *llmtest.Scripted) (n int) {
			for _, said := range m.Requests()[1].Request.Messages {
				if said.Extra != nil {
					n++
				}
			}
			return n
		}
		if extras(a) != 1 || extras(b) != 0 {
			t.Errorf("a was sent %d of its own, b %d of a's", extras(a), extras(b))
		}
	})
}

// A node of a graph asks the model that it names, and the others that of the role.
// One that is set up no more fails the turn with words.
func TestS004ANodeAsksTheModelThatItNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := llmtest.Func("a", llmtest.Say("a speaks")), llmtest.Func("b", llmtest.Say("b speaks"))
		steps := graph.Definition{
			Name:  "relay",
			Nodes: []graph.Node{{Key: "one", Prompt: "Begin."}, {Key: "two", Prompt: "Go on.", Model: "b"}, {Key: "three", Model: "gone"}},
			Edges: []graph.Edge{{From: "one", To: "two"}, {From: "two", To: "three"}}, Entries: []string{"one"}, EndNodes: []string{"three"},
		}
		store, entries := memdb.New(), []registry.Entry{{Name: "a", Model: a}, {Name: "b", Model: b}}
		library := func(cfg *runtime.Config) {
			cfg.Graphs = func(protocol.Lang) []graph.Definition { return []graph.Definition{steps} }
		}
		s := run(t, newCast(), store, among(t, append(entries, registry.Entry{Name: "gone", Model: a})...), library)
		s.do(society.ChooseGraph{Role: "role-root", Graph: "relay"})
		s.quit()
		s = run(t, newCast(), store, among(t, entries...), library)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Minute)
		for m, step := range map[*llmtest.Scripted]string{a: "one", b: "two"} {
			asked := m.Requests()
			if len(asked) != 1 || !strings.Contains(asked[0].Request.System, "# Your present step: "+step+"\n") {
				t.Errorf("%s was asked %d times", m.Name(), len(asked))
			}
		}
		if row := s.rows()[society.Root]; !strings.Contains(row.Error, `The step "three" of the graph of the role root asks for the model "gone"`) || !strings.Contains(row.Error, "/models") {
			t.Errorf("root failed with %q", row.Error)
		}
	})
}

// MissingModels lists what nodes of graphs ask for and is not there, with the graph: for
// the settings' graphs, and for those of living agents' roles.
func TestS004WhatNodesAskForAndIsNotThereIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := func(name, node, model string, tools ...string) graph.Definition {
			return graph.Definition{
				Name: name, Nodes: []graph.Node{{Key: node, Model: model, Tools: tools}}, Entries: []string{node}, EndNodes: []string{node},
			}
		}
		graphs := []graph.Definition{one("kept", "read", "small", "get_org"), one("sound", "write", "big")}
		store := memdb.New()
		library := func(cfg *runtime.Config) {
			cfg.Graphs = func(protocol.Lang) []graph.Definition { return graphs }
		}
		big := registry.Entry{Name: "big", Model: llmtest.Func("gpt-x", llmtest.Say("well"))}
		s := run(t, newCast(), store, among(t, big, registry.Entry{Name: "small", Model: llmtest.Func("gpt-y", llmtest.Say("well"))}), library)
		s.do(society.ChooseGraph{Role: "role-root", Graph: "kept"})
		if got := s.r.MissingModels(); len(got) > 0 {
			t.Errorf("stranded are %+v", got)
		}
		s.quit()
		graphs = []graph.Definition{one("new", "fly", "huge", "look", "fly"), one("sound", "write", "big")}
		var log bytes.Buffer
		s = run(t, newCast(), store, among(t, big), library, func(cfg *runtime.Config) { cfg.Log = slog.New(slog.NewTextHandler(&log, nil)) })
		want := []api.MissingModel{
			{Role: "root", Graph: "kept"}, // the settings have it no more
			{Graph: "new", Node: "fly", Model: "huge"},
			{Graph: "new", Node: "fly", Tool: "look"},
			{Graph: "new", Node: "fly", Tool: "fly"},
			{Graph: "kept", Node: "read", Model: "small"},
		}
		if got := s.r.MissingModels(); !slices.Equal(got, want) {
			t.Errorf("stranded are %+v", got)
		}
		synctest.Wait() // it still writes to the log
		if n := strings.Count(log.String(), "model, tool or graph missing"); n != len(want) {
			t.Errorf("%d lines of the log say so", n)
		}
	})
}

// An adaptable model has adapted until it forgets.
type adaptable struct {
	llm.Model

	forgot atomic.Bool
}

func (a *adaptable) ForgetAdapted() { a.forgot.Store(true) }

func (a *adaptable) Adapted() []string {
	if a.forgot.Load() {
		return nil
	}
	return []string{llm.AdaptedNoEffort}
}

func TestWhatAnEndpointRefusedIsForgottenOfOneModelOrOfAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entry := func(name, endpoint, id string) registry.Entry {
			return registry.Entry{Name: name, Endpoint: endpoint, Model: &adaptable{Model: llmtest.Func(id, llmtest.Say("hi"))}}
		}
		s := run(t, newCast(), memdb.New(), among(t, entry("one", "a", "x"), entry("two", "a", "y"), entry("same", "a", "x"), entry("far", "b", "x")))
		for _, c := range []struct{ forget, adapted string }{{"none", "one two same far"}, {"one", "two far"}, {"", ""}} {
			if err := s.r.ForgetRefusals(t.Context(), c.forget); err != nil {
				t.Fatal(err)
			}
			var adapted []string
			for _, m := range s.r.Models() {
				if m.Adapted != nil {
					adapted = append(adapted, m.Name)
				}
			}
			if got := strings.Join(adapted, " "); got != c.adapted {
				t.Errorf("after forgetting %q adapted are %q, want %q", c.forget, got, c.adapted)
			}
		}
	})
}

func TestModelsThatAreTakenAnswerTheNextRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second, small := llmtest.Func("offline", llmtest.Say("first")), llmtest.Func("gpt-x", llmtest.Say("second")), llmtest.Func("gpt-y", llmtest.Say("small"))
		offline, little := registry.Entry{Name: "offline", Model: first, Endpoint: "a"}, registry.Entry{Name: "small", Model: small, Endpoint: "c", Calls: 1}
		s := run(t, newCast(), memdb.New(), among(t, offline, little), func(cfg *runtime.Config) { cfg.FirstTeam = staff(1, "small") })
		take := func(entries ...registry.Entry) {
			t.Helper()
			models, err := registry.New(entries...)
			if err == nil {
				err = s.r.TakeModels(t.Context(), models, runtime.ModelChange{})
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		take(offline)
		s.do(society.Send{To: "root", Text: "go"})
		s.do(society.Send{To: "onsmall-1", Text: "go"})
		time.Sleep(time.Minute)
		if got := s.r.MissingModels(); len(got) != 1 || got[0].Model != "small" {
			t.Errorf("missing %v", got)
		}
		take(registry.Entry{Name: "big", Model: second, Endpoint: "b", Window: 9000}, little, offline)
		if got := s.r.Models(); len(got) != 3 || got[0].Name != "big" || len(s.r.MissingModels()) != 0 {
			t.Errorf("models %v, missing %v", got, s.r.MissingModels())
		}
		s.do(society.Send{To: "root", Text: "again"})
		s.do(society.Send{To: "onsmall-1", Text: "again"})
		time.Sleep(time.Minute)
		if a, b, c := askedOf(first), askedOf(second), askedOf(small); a["root"] == 0 || b["root"] != 1 || c["onsmall-1"] != 1 || len(b)+len(c) != 2 {
			t.Errorf("asked: before %v, now %v and %v", a, b, c)
		}
	})
}

// Who names a model names it under its new name, and asks for the usual one when it is removed;
// how models that are as they were have answered is still known.
func TestRolesAndAgentsFollowAModelThatIsRenamedOrRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entry := func(name string) registry.Entry {
			return registry.Entry{Name: name, Model: llmtest.Func(name, llmtest.Say(name)), Endpoint: name}
		}
		first, small := entry("first"), entry("small")
		s := run(t, newCast(), memdb.New(), among(t, first, small), func(cfg *runtime.Config) { cfg.FirstTeam = staff(1, "small") })
		s.do(society.AssignModel{Agent: "root", Model: "small"})
		take := func(change runtime.ModelChange, entries ...registry.Entry) {
			t.Helper()
			models, err := registry.New(entries...)
			if err == nil {
				err = s.r.TakeModels(t.Context(), models, change)
			}
			if missing := s.r.MissingModels(); err != nil || len(missing) > 0 {
				t.Fatalf("%v; missing %v", err, missing)
			}
		}
		ask := func(want string) {
			t.Helper()
			s.do(society.Send{To: "root", Text: "go"})
			s.do(society.Send{To: "onsmall-1", Text: "go"})
			time.Sleep(time.Minute)
			for _, id := range []society.AgentID{"root", "onsmall-1"} {
				if row := s.rows()[id]; row.Model != want || row.Stranded || row.Error != "" || row.OwnModel != (id == "root" && want != "first") {
					t.Errorf("%s thinks with %s, want %s; own %t, error %q", id, row.Model, want, row.OwnModel, row.Error)
				}
			}
		}
		health := func() map[string]string {
			w := s.r.Watch()
			defer w.Close()
			c, err := w.Next(s.ctx)
			if err != nil {
				t.Fatal(err)
			}
			return c.Health
		}
		ask("small")
		take(runtime.ModelChange{Same: []string{"first", "small"}}, first, small)
		if now := health(); now["small"] != "ok" {
			t.Errorf("of a model that is as it was is known %v", now)
		}
		little := entry("little")
		take(runtime.ModelChange{Same: []string{"first"}, Before: "small", Now: "little"}, first, little)
		if now := health(); len(now) > 0 {
			t.Errorf("of a model that has changed is known %v", now)
		}
		ask("little")
		take(runtime.ModelChange{Same: []string{"first"}, Before: "little"}, first)
		ask("first")
	})
}

// Nodes follow too, in the graph of a role, in a turn that is in the middle of it, and in the
// library.
func TestNodesFollowAModelThatIsRenamedOrRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, small := llmtest.Func("first", llmtest.Say("first speaks")), llmtest.Func("small", llmtest.Say("small speaks"))
		slow := llmtest.Func("slow", llmtest.After(time.Minute, llmtest.Say("well")))
		steps := graph.Definition{
			Name: "relay",
			Nodes: []graph.Node{
				{Key: "one", Model: "slow"},
				{Key: "two", Graph: &graph.Definition{Name: "inner", Nodes: []graph.Node{{Key: "in", Model: "small"}}, Entries: []string{"in"}, EndNodes: []string{"in"}}},
			},
			Edges: []graph.Edge{{From: "one", To: "two"}}, Entries: []string{"one"}, EndNodes: []string{"two"},
		}
		if err := steps.Validate(graph.Funcs{}); err != nil {
			t.Fatal(err)
		}
		library := func(cfg *runtime.Config) {
			cfg.Graphs = func(protocol.Lang) []graph.Definition { return []graph.Definition{steps} }
		}
		entry := func(name string, m llm.Model) registry.Entry {
			return registry.Entry{Name: name, Model: m, Endpoint: name}
		}
		s := run(t, newCast(), memdb.New(), among(t, entry("first", first), entry("small", small), entry("slow", slow)), library)
		s.do(society.ChooseGraph{Role: "role-root", Graph: "relay"})
		take := func(change runtime.ModelChange, entries ...registry.Entry) {
			t.Helper()
			models, err := registry.New(entries...)
			if err == nil {
				err = s.r.TakeModels(t.Context(), models, change)
			}
			if missing := s.r.MissingModels(); err != nil || len(missing) > 0 {
				t.Fatalf("%v; missing %v", err, missing)
			}
		}
		s.do(society.Send{To: "root", Text: "go"})
		synctest.Wait() // the first node thinks
		take(runtime.ModelChange{Before: "small", Now: "little"}, entry("first", first), entry("little", small), entry("slow", slow))
		time.Sleep(10 * time.Minute)
		if row := s.rows()["root"]; len(small.Requests()) != 1 || row.Error != "" {
			t.Fatalf("renamed in the middle: the model was asked %d times, the error is %q", len(small.Requests()), row.Error)
		}
		s.do(society.ChooseGraph{Role: "role-root"})
		s.do(society.ChooseGraph{Role: "role-root", Graph: "relay"}) // of the library
		take(runtime.ModelChange{Before: "little"}, entry("first", first), entry("slow", slow))
		s.do(society.Send{To: "root", Text: "go"})
		time.Sleep(10 * time.Minute)
		if row := s.rows()["root"]; len(first.Requests()) != 1 || row.Error != "" {
			t.Errorf("removed: the default was asked %d times, the error is %q", len(first.Requests()), row.Error)
		}
	})
}

// An agent that failed on a refused key goes on when it is asked to, with the repaired model.
func TestAnAgentGoesOnAfterItsKeyIsRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refused := llmtest.Func("gpt-x", llmtest.Fail(&llm.Error{Class: llm.Auth, Status: 401, Text: "no such key"}))
		s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "a", Model: refused, Endpoint: "a"}))
		s.do(society.Send{To: "root", Text: "go"})
		time.Sleep(time.Minute)
		if row := s.rows()["root"]; row.ErrorClass != "auth" || row.Model != "a" {
			t.Fatalf("root failed with %q on %s", row.ErrorClass, row.Model)
		}
		models, err := registry.New(registry.Entry{Name: "a", Model: llmtest.Func("gpt-x", llmtest.Say("well")), Endpoint: "a"})
		if err == nil {
			err = s.r.TakeModels(t.Context(), models, runtime.ModelChange{Before: "a", Now: "a"})
		}
		if err != nil {
			t.Fatal(err)
		}
		s.do(society.Resume{Agent: "root"})
		time.Sleep(time.Minute)
		if row := s.rows()["root"]; row.Error != "" || !row.Report {
			t.Errorf("after the retry root has the error %q, a report %t", row.Error, row.Report)
		}
	})
}

// A learner is a model that has learnt from refusals.
type learner struct {
	llm.Model
	adapted []string
}

func (l learner) Adapted() []string { return l.adapted }
func (learner) ForgetAdapted()      {}

// What an endpoint has refused is better known than what a list says.
func TestModelsTellTheEffortsThatTheyTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listed := llm.Facts{Efforts: llm.Fact[[]string]{Value: []string{"low", "high"}, Source: llm.FromCatalogue}}
		var entries []registry.Entry
		for name, m := range map[string]registry.Entry{
			"a": {Facts: listed, Model: llmtest.Func("a", nil)},
			"b": {Facts: listed, Model: learner{llmtest.Func("b", nil), []string{"no_top_p", "efforts:low, medium"}}},
			"c": {Facts: listed, Model: learner{llmtest.Func("c", nil), []string{"no_effort"}}},
			"d": {Model: learner{llmtest.Func("d", nil), []string{"no_top_p"}}},
		} {
			m.Name = name
			entries = append(entries, m)
		}
		s := run(t, newCast(), memdb.New(), among(t, entries...))
		got := map[string]string{}
		for _, m := range s.r.Models() {
			got[m.Name] = fmt.Sprintf("%q %t", m.Efforts, m.Efforts == nil)
		}
		want := map[string]string{"a": `["low" "high"] false`, "b": `["low" "medium"] false`, "c": "[] false", "d": "[] true"}
		if !maps.Equal(got, want) {
			t.Errorf("efforts are %v, want %v", got, want)
		}
	})
}
