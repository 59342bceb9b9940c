package tui_test

import (
	"testing"
	"time"

	"society-tui/runtime/api"
	talk "society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

func withRoles(f *fakeSociety) {
	for _, r := range [][2]string{{"role-writer", "writer"}, {"role-writer-of-plays", "writer of plays"}, {"role-agent", "诗人"}, {"role-agent-2", "画家"}} {
		f.Holds.Roles = append(f.Holds.Roles, api.Role{Role: society.Role{ID: society.RoleID(r[0]), Name: r[1], Prompt: "Write."}})
	}
}

func TestTheUserCreatesAnAgentBelowTheRecipientAndOpensIt(t *testing.T) {
	for name, c := range map[string]struct {
		written string
		want    society.Spawn
	}{
		"by its name":           {"/spawn writer a poem on rain", society.Spawn{Role: "role-writer", Text: "a poem on rain"}},
		"by its id":             {"/spawn role-writer a poem", society.Spawn{Role: "role-writer", Text: "a poem"}},
		"by the longer name":    {"/spawn Writer of plays act one", society.Spawn{Role: "role-writer-of-plays", Text: "act one"}},
		"without a text":        {"/spawn writer", society.Spawn{Role: "role-writer"}},
		"in another script":     {"/spawn 诗人 雨", society.Spawn{Role: "role-agent", Text: "雨"}},
		"a name that goes on":   {"/spawn writer ofplays", society.Spawn{Role: "role-writer", Text: "ofplays"}},
		"with blanks around it": {"/spawn   writer   now ", society.Spawn{Role: "role-writer", Text: "now"}},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				withRoles(f)
				s.Idle().Press("alt+1", "down", "enter").Shows("to: lead-1")
				s.Type(c.written).Press("esc", "enter").Idle()
				c.want.Parent = "lead-1"
				asked(t, f, c.want)
				called := nameOfRole(f, c.want.Role)
				s.Shows("to: "+called+" ", "Created "+called+" under lead-1")
				if c.want.Text == "" {
					s.Shows("write to it to start it")
				}
			})
		})
	}
}

func TestASpawnThatIsRefusedStaysWritten(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		withRoles(f)
		s.Idle().Type("/spawn poet now").Press("esc", "enter").Idle().Shows("No role named poet · /roles lists them", "/spawn poet now")
		asked(t, f)
		s.Press("ctrl+c").Type("/spawn").Press("esc", "enter").Shows("/spawn needs the name of a role")
		f.refuseAll(&society.Refusal{Code: society.LimitReached, Agent: "root", Why: protocol.Because(protocol.LimitChildren, "root", 20)})
		s.Press("ctrl+c").Type("/spawn writer now").Press("esc", "enter").Idle().Shows("Limit reached: root has 20 children", "/spawn writer now")
	})
}

func TestRolesCompleteTheCommandThatNamesOne(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		withRoles(f)
		s.Idle().Type("/spawn ").Idle().Shows("role-writer ", "role-writer-of-plays", "诗人")
		s.Type("诗").Idle().Hides("role-writer").Shows("role-agent").Press("tab").Shows("/spawn role-agent")
	})
}

// A user who has moved on stays there.
func TestANewAgentIsNotOpenedOnceTheUserWritesToAnother(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		withRoles(f)
		slow := make(chan struct{})
		f.hold(slow)
		s.Idle().Type("/spawn writer now").Press("esc", "enter").Type("@web-2").Press("esc", "enter")
		close(slow)
		s.Pass(time.Second).Shows("to: web-2", "Created writer under")
	})
}

func TestNameIsShownBesideTheIDEverywhere(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Say("web-1", talk.Entry{Kind: talk.Answer, From: "web-1", To: "user", Text: "Said before."})
		s.Idle().Type("@web-1").Press("esc", "enter").Shows("web-1 → ").Type("/name Ada").Press("enter").Idle()
		asked(t, f, society.Rename{Agent: "web-1", Name: "Ada"})
		s.Shows("web-1 is now called Ada", "to: Ada (web-1)", "─ ⠇ Ada (web-1)", "lead-1 › Ada (web-1)", "│ Ada (web-1)", "Ada (web-1) → ")
		s.Type("/to root").Press("esc", "enter").Shows("to: root").Type("/to ada").Press("esc", "enter").Shows("to: Ada (web-1)")
		s.Type("/name").Press("esc", "enter").Idle().Shows("web-1 has no other name now", "to: web-1").Hides("Ada")
		f.forget()
		s.Type("/name").Press("esc", "enter").Shows("web-1 has no other name · /name TEXT gives it one, /name removes it").Press("backspace", "ctrl+c")
		asked(t, f)
		f.refuseAll(&society.Refusal{Code: society.InvalidArguments, Agent: "web-1", Why: protocol.Because(protocol.NameLike, "root")})
		s.Type("/name root").Press("enter").Idle().Shows(`Not possible: the name can be mistaken for "root"`, "/name root")
	})
}

// The notice has the name that the tree has, though it comes before the agent's row.
func TestNewAgentHasTheNameOfTheTree(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		withRoles(f)
		s.Idle().Type("/spawn 画家").Press("esc", "enter").Idle().Shows("Created 画家 under root", "· 画家 ")
		s.Type("/to root").Press("esc", "enter").Idle().Type("/spawn 画家").Press("esc", "enter").Idle().Shows("Created 画家-3 under root", "· 画家-2 ", "· 画家-3 ")
	})
}
