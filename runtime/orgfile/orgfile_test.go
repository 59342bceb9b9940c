package orgfile_test

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/archive/archivetest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/orgfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func written(t *testing.T, store storage.Store) string {
	t.Helper()
	return archivetest.Written(t, store, func(w io.Writer, tx storage.Tx) error {
		return orgfile.Write(w, tx, func(text string) string { return text })
	})
}

// organised is a lively society in which every field that an organisation has says
// something.
func organised(t *testing.T) *archivetest.Society {
	p := archivetest.Lively(t, 60)
	p.State.SetModels([]string{"swift"}, []string{"cheap"})
	made := p.Do(society.MakeRole{
		Name: "tester", Prompt: "Test.", Tools: []tool.Group{}, Interface: &protocol.InterfaceSpec{Services: "tests", Examples: []string{"1+1"}},
	}).(society.RoleChange) //nolint:forcetypeassert // MakeRole's reply
	p.Do(society.ChooseModel{Role: made.Role, Model: "swift"})
	p.Do(society.AddTeam{Template: "plan", Roles: []society.TeamRole{{Name: "planner", Prompt: "Plan."}}})
	p.Do(society.ChooseModel{Role: "role-planner", Capability: "cheap"})
	p.Do(society.Terminate{Agent: "worker-9", By: society.User, Reason: "done"})
	p.Do(society.Halted{Agents: []society.AgentID{"worker-9"}})
	tester := p.Do(society.Spawn{Parent: "worker-30", Role: made.Role, Text: "Watch."}).(society.Spawned).Agent //nolint:forcetypeassert // Spawn's reply
	p.Do(society.Rename{Agent: tester, Name: "the watch"})
	p.Do(society.Answered{Work: p.Thinks("worker-10"), Calls: []conversation.Call{
		{ID: "i", Name: "send_message", Arguments: `{"to":"worker-2","message_type":"introduction_response","payload":{"target":{"id":"` + string(tester) + `","role":"king"},"usage_hint":"kneel"}}`},
		{ID: "u", Name: "send_message", Arguments: `{"to":"user","payload":"it is introduced"}`},
	}})
	return p
}

// An organisation that is written and read again equals that of the society: roles,
// agents, terminations and contacts, the user's too.
func TestWriteAndReadLoseNothingOfAnOrganisation(t *testing.T) {
	t.Parallel()
	p := organised(t)
	text := written(t, p.Store)
	again := archivetest.Imported(t, orgfile.Read(strings.NewReader(text), protocol.English, noon))
	if got := written(t, again); got != text {
		t.Errorf("it is another one:\n%s\nand was\n%s", got, text)
	}
	s := archivetest.Load(t, again)
	if was, is := skeleton(t, p.State), skeleton(t, s); was != is {
		t.Errorf("it is\n%s\nand was\n%s", is, was)
	}
	ended := 0
	for _, id := range []society.AgentID{"worker-8", "worker-9"} {
		was, is := p.State.Tombstone(id), s.Tombstone(id)
		a, b := *was, *is
		a.Order, a.Usage = b.Order, b.Usage // it says nothing of what was spent
		if !reflect.DeepEqual(a, b) {
			t.Errorf("what stays of %s is %+v and was %+v", id, b, a)
		}
		ended++
	}
	known := s.Contacts(society.User)
	if ended != 2 || len(known) != len(p.State.Contacts(society.User)) || !known.Knows("worker-10") || !known.Knows("worker-2") || known.Knows("worker-8") {
		t.Errorf("the user knows %+v", known)
	}
}

func TestNoNameIsGivenAgainAfterAnOrganisationIsReadIn(t *testing.T) {
	t.Parallel()
	p := archivetest.New(t, 5)
	p.End("worker-4")
	store := archivetest.Imported(t, orgfile.Read(strings.NewReader(written(t, p.Store)), protocol.English, p.At))
	if made := archivetest.Continue(t, store, p.At.Add(time.Hour)).Spawns("role-worker"); made != "worker-5" {
		t.Errorf("the next agent is %s, and worker-4 has been", made)
	}
}

// skeleton writes down what of a society its organisation holds, field by field.
func skeleton(t *testing.T, s *society.State) string {
	t.Helper()
	var b strings.Builder
	write := func(v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "%s\n", raw)
	}
	for _, r := range s.Roles() {
		role := *r
		role.Order = 0 // roles stand before agents
		write(role)
	}
	for _, id := range s.Agents() {
		a := s.Agent(id)
		write([]any{a.ID, a.Role, a.Parent, a.Depth, a.Children(), a.Created.UTC(), a.Name, a.Purpose, a.Template})
		write(a.Contacts)
		write(s.ListContacts(id))
	}
	write(s.Contacts(society.User))
	return b.String()
}

// fromElsewhere is an organisation as another program writes it, with its own
// ids of another program, a child before its parent, and no root.
const fromElsewhere = `{
  "roles": [
    {"id": "6b1d5a1e-0000-4000-8000-000000000001", "name": "程序员", "rolePrompt": "写程序。", "interface_spec": {"services": "写代码"}, "createdBy": "root", "createdAt": "2026-01-05T12:00:00.000+08:00"}
  ],
  "agents": [
    {"id": "agent-yyy", "roleId": "6b1d5a1e-0000-4000-8000-000000000001", "parentAgentId": "agent-xxx", "createdAt": "2026-01-05T12:00:02.000+08:00", "terminatedAt": null, "status": "active"},
    {"id": "agent-xxx", "roleId": "6b1d5a1e-0000-4000-8000-000000000001", "parentAgentId": "root", "createdAt": "2026-01-05T12:00:01.000+08:00", "terminatedAt": null, "status": "active"},
    {"id": "agent-7", "roleId": "6b1d5a1e-0000-4000-8000-000000000001", "parentAgentId": "agent-xxx", "createdAt": "2026-01-05T12:00:01.000+08:00", "terminatedAt": "2026-01-05T13:00:00.000+08:00", "status": "terminated"}
  ],
  "terminations": [
    {"agentId": "agent-7", "terminatedBy": "agent-xxx", "terminatedAt": "2026-01-05T13:00:00.000+08:00", "reason": "完成"}
  ],
  "contactRegistries": {
    "user": [
      {"id": "root", "role": "root", "source": "system"},
      {"source": "first_message", "id": "agent-yyy", "role": "程序员", "addedAt": "2026-01-05T12:40:00.000+08:00"},
      {"id": "agent-7", "role": "程序员", "source": "first_message", "addedAt": "2026-01-05T12:30:00.000+08:00"}
    ],
    "agent-xxx": [
      {"id": "agent-yyy", "role": "程序员", "interfaceSpec": {"services": "代码", "input_format": "路径", "output_format": "报告"}, "source": "introduction", "introducedBy": "agent-7", "addedAt": "2026-01-05T12:30:00.000+08:00"},
      {"id": "agent-7", "role": "程序员", "source": "preset", "addedAt": "2026-01-05T12:30:00.000+08:00"}
    ]
  }
}`

func TestReadTakesAFileOfAnotherProgram(t *testing.T) {
	t.Parallel()
	store := archivetest.Imported(t, orgfile.Read(strings.NewReader(fromElsewhere), protocol.Chinese, noon))
	s := archivetest.Load(t, store)
	y, tomb := s.Agent("agent-yyy"), s.Tombstone("agent-7")
	switch {
	case len(s.Agents()) != 3 || y == nil || y.Parent != "agent-xxx" || y.Depth != 2 || s.Agent("agent-xxx").Parent != society.Root:
		t.Errorf("there are %v", s.Agents())
	case tomb == nil || tomb.TerminatedBy != "agent-xxx" || tomb.Reason != "完成" || tomb.RoleName != "程序员":
		t.Errorf("what stays of the ended one: %+v", tomb)
	case len(s.Agent("agent-xxx").Contacts) != 1 || s.Agent("agent-xxx").Contacts.Of("agent-yyy").InterfaceSpec.Services != "代码":
		t.Errorf("contacts: %v", s.Agent("agent-xxx").Contacts)
	case s.Numbers().Names["agent"] != 7:
		t.Errorf("the next agent would be number %d", s.Numbers().Names["agent"]+1)
	case s.Agent(society.Root).Contacts.Of(society.User).Source != protocol.System:
		t.Errorf("root knows %+v, want the user", s.Agent(society.Root).Contacts)
	case s.Role(y.Role).Interface == nil || s.Role(y.Role).Interface.Services != "写代码":
		t.Errorf("the role is %+v", s.Role(y.Role))
	}
	known, at := s.Contacts(society.User), time.Date(2026, 1, 5, 4, 40, 0, 0, time.UTC)
	if len(known) != 2 || known.Of(society.Root).Source != protocol.System || !known.Of("agent-yyy").AddedAt.Equal(at) {
		t.Errorf("the user knows %+v", known)
	}
}

func TestReadNamesTheRecordThatItRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, new, says string }{
		"a field of an agent":           {`"status": "active"}`, `"status": "active", "mood": 1}`, `agents, record 1: json: unknown field "mood"`},
		"a list":                        {`"roles"`, `"rolls"`, "rolls"},
		"a status":                      {`"status": "active"`, `"status": "asleep"`, `agents "agent-yyy": its status is "asleep"`},
		"a parent who is below":         {`"parentAgentId": "root"`, `"parentAgentId": "agent-yyy"`, `its parent`},
		"a parent who is not there":     {`"parentAgentId": "agent-xxx"`, `"parentAgentId": "agent-z"`, `agents "agent-yyy": its parent "agent-z"`},
		"a role":                        {`"roleId": "6b1d5a1e`, `"roleId": "7b1d5a1e`, `agents "agent-yyy": its role`},
		"a name of a role":              {`"name": "程序员"`, `"name": "a】b"`, `roles "6b1d5a1e`},
		"a contact who is not there":    {`{"id": "agent-yyy", "role"`, `{"id": "agent-z", "role"`, `contactRegistries "agent-xxx" "agent-z"`},
		"a source":                      {`"source": "introduction"`, `"source": "hearsay"`, `hearsay`},
		"contacts of nobody":            {`"agent-xxx": [`, `"agent-z": [`, `contactRegistries "agent-z"`},
		"one whom the user cannot know": {`"first_message", "id": "agent-yyy", "role": "程序员"`, `"first_message", "id": "user", "role": "user"`, `contactRegistries "user" "user"`},
		"a name of an agent":            {`"status": "active"}`, `"status": "active", "name": "a】b"}`, `agents "agent-yyy": its name`},
		"a graph":                       {`"interface_spec"`, `"graph": {"name": "g"}, "interface_spec"`, `its graph`},
		"an end of nobody":              {`"agentId": "agent-7"`, `"agentId": "agent-8"`, `terminations "agent-8"`},
		"twice the same":                {`"id": "agent-xxx", "roleId"`, `"id": "agent-yyy", "roleId"`, `"agent-yyy"`},
		"an id":                         {`"id": "agent-yyy", "roleId"`, `"id": "a b", "roleId"`, `"a b"`},
		"the person as an agent":        {`"id": "agent-yyy", "roleId"`, `"id": "user", "roleId"`, `"user"`},
		"the beginning only":            {`"contactRegistries": {`, "", "no organisation"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := strings.Replace(fromElsewhere, c.old, c.new, 1)
			if broken == fromElsewhere {
				t.Fatalf("%q is not in it", c.old)
			}
			store := memdb.New()
			err := archive.Import(store, orgfile.Read(strings.NewReader(broken), protocol.English, noon))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it is told as: %v", err)
			}
			if got := archivetest.Dump(t, store); got != "" {
				t.Errorf("the store was changed to\n%s", got)
			}
		})
	}
}
