package tui_test

import (
	"fmt"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

func TestATextGoesToAllMarkedAgents(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{100, 30}, {60, 20}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			onScreen(t, size[0], size[1], func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Press("alt+1", "home", "down", "down", "down", "space", "space", "enter").Shows("to: 2 agents (web-1, web-2)", "esc goes back to one")
				s.Type("use the second edition").Press("enter").Shows("Sent to web-1, web-2", "to: root")
				asked(t, f, send("web-1", "use the second edition"), send("web-2", "use the second edition"))
			})
		})
	}
}

func TestEscGoesBackToOneRecipient(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("f2", "space", "space", "enter").Shows("to: 2 agents").Type("for one").Press("esc").Shows("to: root").Hides("2 agents", "What you write goes to")
		s.Press("enter")
		asked(t, f, send(society.Root, "for one"))
		s.Press("alt+1", "space", "alt+1").Shows("to: root") // marks alone change no recipient
		s.Press("enter").Shows("to: 1 agent").Press("ctrl+x", "enter").Shows("What you write goes to several agents", "esc goes back to one")
	})
}

// A text to agents that have ended meanwhile is not for the open one.
func TestATextToSeveralThatHaveEndedIsKept(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+1", "home", "down", "down", "down", "space", "enter").Shows("to: 1 agent (web-1)").Type("go on")
		f.end(t, "web-1")
		s.Idle().Shows("to: root").Press("enter").Shows("> go on", "Choose an agent first")
		asked(t, f)
		s.Press("enter")
		asked(t, f, send(society.Root, "go on"))
	})
}

// The notice names each refusal, and a text that nobody took stays.
func TestRefusalsOfATextToSeveralAreTold(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.set("web-2", func(r *api.Row) { r.State = society.Stopped })
		s.Type("/send web-1,web-2 go on").Press("enter").Shows("Sent to web-1", "web-2 is stopped").Hides("> /send")
		s.Type("/send web-1,nobody go on").Press("enter").Shows("No agent named nobody", "> /send web-1,nobody go on").Press("ctrl+c")
		s.Type("/send web-1").Press("enter").Shows("Write the text behind the agents").Press("ctrl+c")
		s.Type("/send web-1,le").Shows("▸/send web-1,lead-1").Press("ctrl+c")
	})
}

// A blank between agents is no separator: the form is shown, and nobody gets a text that
// begins with a name.
func TestTheFormOfATextToSeveralIsShown(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Type("/send").Shows("/send A,B text").Type(" ").Press("enter").Shows("needs the names of agents and a text: /send A,B text").Press("ctrl+c")
		s.Type("/send web-1 lead-1 go on").Press("enter").Shows("lead-1 is an agent", "/send web-1,lead-1 text", "> /send web-1 lead-1 go on").Press("ctrl+c")
		s.Type("/send web-1 web-1 is your name").Press("enter").Shows("Sent to web-1")
		s.Type("/send web-1 you are right").Press("enter").Shows("Sent to web-1").Hides("> /send")
		asked(t, f, send("web-1", "web-1 is your name"), send("web-1", "you are right"))
	})
}
