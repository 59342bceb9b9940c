package tui_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// walked are the keys of a random walk: all with an effect somewhere, except
// those that leave the screen.
var walked = []string{
	"tab", "shift+tab", "alt+1", "alt+2", "alt+3", "alt+4", "ctrl+n", "alt+n", "alt+up", "alt+left", "ctrl+x", "ctrl+b", "ctrl+l", "ctrl+c", "f1", "?", "z", "<", ">", "m",
	"i", "s", "r", "t", "T", "R", "e", "y", "enter", "backspace", "space", "/", "f", "j", "k", "g", "G", "h", "l", "*", "-", "p", "c", "v", "u", "d", "[", "]", "Y", "end",
	"1", "2", "3", "up", "down", "left", "right", "pgup", "pgdown", "home", "shift+enter", "ctrl+r", "ctrl+y", "ctrl+u", "@", "w", "click", "double",
}

// Whatever was pressed before and whatever agents do meanwhile, a single esc
// sends no command.
func TestSingleEscSendsNoCommandInAnyState(t *testing.T) {
	t.Parallel()
	walks := 5
	if os.Getenv("SOCIETY_LONG") != "" {
		walks = 300
	}
	for n := range walks {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { escWalk(t, rand.New(rand.NewPCG(36, uint64(n)))) })
		})
	}
}

func escWalk(t *testing.T, random *rand.Rand) {
	f := newFake()
	family(f)
	cfg := config(f)
	still(&cfg)
	sizes := [][2]int{{160, 45}, {100, 30}, {60, 20}, {30, 8}}
	size := sizes[random.IntN(len(sizes))]
	s := screentest.Drive(t, size[0], size[1], cfg)
	var keys []string
	for range 120 {
		key := walked[random.IntN(len(walked))]
		keys = append(keys, key)
		switch key {
		case "click":
			s.Click(random.IntN(size[0]), random.IntN(size[1]))
		case "double":
			s.Double(random.IntN(size[0]), random.IntN(size[1]))
		default:
			s.Press(key)
		}
		if random.IntN(4) == 0 {
			stir(f, random)
		}
		if !s.Running() {
			return // the walk asked for it
		}
		if random.IntN(2) == 0 {
			continue
		}
		before := len(f.commands())
		keys = append(keys, "esc")
		if s.Press("esc"); len(f.commands()) != before {
			t.Fatalf("%q: the last Esc asked for %+v; the screen:\n%s", keys, f.commands()[before:], s)
		}
	}
}

// stir makes something happen to an agent.
func stir(f *fakeSociety, random *rand.Rand) {
	f.Mu.Lock()
	var ids []society.AgentID
	for id := range f.Rows {
		ids = append(ids, id)
	}
	f.Mu.Unlock()
	slices.Sort(ids)
	id := ids[random.IntN(len(ids))]
	switch random.IntN(4) {
	case 0:
		f.spawn(society.AgentID(fmt.Sprintf("web-%d", random.IntN(1e6)+10)), id, "researcher")
	case 1:
		if id != society.Root {
			f.Mu.Lock()
			_, _ = f.terminate(id) // the agent is present
			f.Mu.Unlock()
		}
	default:
		states := []society.Status{society.Idle, society.WaitingLLM, society.Processing, society.Stopping, society.Stopped}
		f.set(id, func(r *api.Row) { r.State, r.Asks = states[random.IntN(len(states))], random.IntN(5) == 0 })
	}
}

// With nothing that runs, esc esc says so, a single esc is silent, and what is done in between
// starts anew.
func TestEscEscAtRestSaysThatNothingRuns(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		const says = "root is not working; nothing to interrupt · esc esc interrupts a working agent"
		s.Press("esc").Hides("not working").Type("b").Press("esc").Hides("not working").Pass(armedFor + time.Second).Press("esc").Hides("not working")
		s.Press("esc").Shows(says)
		asked(t, f)
	})
}
