package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/tables/tablestest"
)

// bareEnv makes the test's binary a program of the screen library alone.
const bareEnv = "SOCIETY_TEST_BARE"

func init() { helpers[bareEnv] = restingBare }

// A restingScreen shows a word and does nothing.
type restingScreen struct{}

func (restingScreen) Init() tea.Cmd                       { return nil }
func (restingScreen) Update(tea.Msg) (tea.Model, tea.Cmd) { return restingScreen{}, nil }
func (restingScreen) View() tea.View                      { return tea.NewView("at rest") }

func restingBare(string) int {
	if _, err := tea.NewProgram(restingScreen{}).Run(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// worksAtRest returns how long the screen library alone works in that time.
func (h *home) worksAtRest(rest time.Duration) time.Duration {
	h.t.Helper()
	self, err := os.Executable()
	if err != nil {
		h.t.Fatal(err)
	}
	x := h.terminal(160, 45)
	c := exec.Command(self)
	c.Env = append(h.env, bareEnv+"=1")
	x.start(c)
	x.sees("at rest")
	<-time.After(time.Second)
	before := x.worked()
	<-time.After(rest)
	worked := x.worked() - before
	x.signal(os.Kill)
	x.ends()
	return worked
}

// An idle society writes nothing, uses almost no processor time and does not
// grow: what remains is the library's ticker at sixty frames a second. The
// share is only checked with SOCIETY_LONG=1, on an idle machine.
func TestIdleSocietyUsesNoResources(t *testing.T) {
	t.Parallel()
	rest := 2 * time.Second
	if os.Getenv("SOCIETY_LONG") != "" {
		rest = time.Minute
	}
	h := newHome(t)
	h.settled(tablestest.Settlement{Agents: 200, Said: 20, Children: true})
	x := h.open(160, 45)
	x.sees("to: root")
	for before := -1; before != len(x.written()); <-time.After(3 * time.Second) {
		before = len(x.written()) // until the notices of the start are gone
	}
	wrote, worked, own := len(x.written()), x.worked(), x.memory().own
	<-time.After(rest)
	wrote, worked, own = len(x.written())-wrote, x.worked()-worked, x.memory().own-own
	t.Logf("in %v at rest: %d bytes written, %v worked, %+d kB", rest, wrote, worked, own>>10)
	if wrote > 0 {
		t.Errorf("%d bytes were written", wrote)
	}
	if own > 4<<20 {
		t.Errorf("it has grown by %d bytes", own)
	}
	x.quit()
	if rest < time.Minute {
		return
	}
	more := worked - h.worksAtRest(rest)
	t.Logf("beyond the screen library's own: %.2f %% of a core", 100*more.Seconds()/rest.Seconds())
	if worked > 3*rest/100 {
		t.Errorf("it has worked %v of %v", worked, rest)
	}
}
