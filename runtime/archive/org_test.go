package archive_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

var noon = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func TestAnOrganisationComesBackAsItWas(t *testing.T) {
	t.Parallel()
	p := lively(t, 60)
	text := written(t, p.store, archive.WriteOrg, archive.Options{})
	again := memdb.New()
	if err := archive.Import(again, archive.FromOrg(strings.NewReader(text), protocol.English, noon)); err != nil {
		t.Fatal(err)
	}
	if got := written(t, again, archive.WriteOrg, archive.Options{}); got != text {
		t.Errorf("it is another one:\n%s\nand was\n%s", got, text)
	}
	var org archive.Org
	if err := json.Unmarshal([]byte(text), &org); err != nil {
		t.Fatal(err)
	}
	if len(org.Roles) != len(p.s.Roles()) || len(org.Agents) != len(p.s.Agents())+1 || len(org.ContactRegistries) != len(p.s.Agents()) {
		t.Errorf("it has %d roles, %d agents, %d registries", len(org.Roles), len(org.Agents), len(org.ContactRegistries))
	}
	for i, role := range p.s.Roles() {
		want := archive.OrgRole{ID: string(role.ID), Name: role.Name, RolePrompt: role.Prompt, CreatedBy: string(role.CreatedBy), CreatedAt: role.CreatedAt}
		if org.Roles[i] != want {
			t.Errorf("the role %+v is written as %+v", want, org.Roles[i])
		}
	}
	for _, a := range org.Agents {
		ended := a.ID == "worker-8"
		if ended != (a.Status == "terminated") || ended != (a.TerminatedAt != nil) {
			t.Errorf("%s is %s since %v", a.ID, a.Status, a.TerminatedAt)
		}
		if is := p.s.Agent(society.AgentID(a.ID)); !ended && (a.RoleID != string(is.Role) || a.ParentAgentID != string(is.Parent) ||
			!a.CreatedAt.Equal(is.Created) || len(org.ContactRegistries[a.ID]) != len(is.Contacts)) {
			t.Errorf("%+v, who knows %v, is not %s", a, org.ContactRegistries[a.ID], is.ID)
		}
	}
	if len(org.Terminations) != 1 || org.Terminations[0].AgentID != "worker-8" || org.Terminations[0].TerminatedBy != "user" {
		t.Errorf("ended: %+v", org.Terminations)
	}
}

// fromElsewhere is an organisation as the documents have it (S000, S002), with the
// ids of another program, a child before its parent, and no root.
const fromElsewhere = `{
  "roles": [
    {"id": "6b1d5a1e-0000-4000-8000-000000000001", "name": "程序员", "rolePrompt": "写程序。", "createdBy": "root", "createdAt": "2026-01-05T12:00:00.000+08:00"}
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
    "agent-xxx": [
      {"id": "agent-yyy", "role": "程序员", "interfaceSpec": {"services": "代码", "input_format": "路径", "output_format": "报告"}, "source": "introduction", "introducedBy": "agent-7", "addedAt": "2026-01-05T12:30:00.000+08:00"},
      {"id": "agent-7", "role": "程序员", "source": "preset", "addedAt": "2026-01-05T12:30:00.000+08:00"}
    ]
  }
}`

func TestAnOrganisationOfAnotherProgramIsReadIn(t *testing.T) {
	t.Parallel()
	store := memdb.New()
	if err := archive.Import(store, archive.FromOrg(strings.NewReader(fromElsewhere), protocol.Chinese, noon)); err != nil {
		t.Fatal(err)
	}
	var s *society.State
	if err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		s = society.Load(society.DefaultLimits(), records)
		return err
	}); err != nil {
		t.Fatal(err)
	}
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
		t.Error("root does not know the person")
	}
}

func TestAnOrganisationThatIsRefusedNamesTheRecord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, new, says string }{
		"a field of an agent":        {`"status": "active"}`, `"status": "active", "mood": 1}`, `agents, record 1: json: unknown field "mood"`},
		"a list":                     {`"roles"`, `"rolls"`, "rolls"},
		"a status":                   {`"status": "active"`, `"status": "asleep"`, `agents "agent-yyy": its status is "asleep"`},
		"a parent who is below":      {`"parentAgentId": "root"`, `"parentAgentId": "agent-yyy"`, `its parent`},
		"a parent who is not there":  {`"parentAgentId": "agent-xxx"`, `"parentAgentId": "agent-z"`, `agents "agent-yyy": its parent "agent-z"`},
		"a role":                     {`"roleId": "6b1d5a1e`, `"roleId": "7b1d5a1e`, `agents "agent-yyy": its role`},
		"a name of a role":           {`"name": "程序员"`, `"name": "a】b"`, `roles "6b1d5a1e`},
		"a contact who is not there": {`{"id": "agent-yyy", "role"`, `{"id": "agent-z", "role"`, `contactRegistries "agent-xxx" "agent-z"`},
		"a source":                   {`"source": "introduction"`, `"source": "hearsay"`, `hearsay`},
		"contacts of nobody":         {`"agent-xxx": [`, `"agent-z": [`, `contactRegistries "agent-z"`},
		"an end of nobody":           {`"agentId": "agent-7"`, `"agentId": "agent-8"`, `terminations "agent-8"`},
		"twice the same":             {`"id": "agent-xxx", "roleId"`, `"id": "agent-yyy", "roleId"`, `"agent-yyy"`},
		"an id":                      {`"id": "agent-yyy", "roleId"`, `"id": "a b", "roleId"`, `"a b"`},
		"the person as an agent":     {`"id": "agent-yyy", "roleId"`, `"id": "user", "roleId"`, `"user"`},
		"the beginning only":         {`"contactRegistries": {`, "", "no organisation"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			broken := strings.Replace(fromElsewhere, c.old, c.new, 1)
			if broken == fromElsewhere {
				t.Fatalf("%q is not in it", c.old)
			}
			store := memdb.New()
			err := archive.Import(store, archive.FromOrg(strings.NewReader(broken), protocol.English, noon))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("it is told as: %v", err)
			}
			if dump(t, store) != "" {
				t.Error("the store was changed")
			}
		})
	}
}
