package tui_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
	"society-tui/tui/terminal"
)

// A bare model is updated by hand, so that every frame can be checked. It must
// be made in a bubble.
type bare struct {
	broken error // the first broken frame
	f      *fakeSociety
	model  tea.Model
	msgs   chan tea.Msg
	cancel context.CancelFunc
	w, h   int
	method ansi.Method // the renderer's measure, which changes when the terminal confirms it
	whole  []string    // rows of the last checked frame
	title  string      // and its title
}

func newBare(cfg tui.Config, f *fakeSociety) *bare {
	ctx, cancel := context.WithCancel(context.Background())
	b := &bare{f: f, msgs: make(chan tea.Msg, 1000), cancel: cancel}
	b.model = tui.NewModel(ctx, cfg)
	b.run(b.model.Init())
	b.settle()
	return b
}

func (b *bare) end() {
	b.cancel()
	tui.Crew(b.model)
	synctest.Wait()
}

// run runs a command as the library does.
func (b *bare) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				b.run(c)
			}
		default:
			b.msgs <- msg
		}
	}()
}

// settle delivers messages of the society and of commands until no more arrive
// without time passing.
func (b *bare) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-b.msgs:
			b.update(msg)
			continue
		default:
		}
		select {
		case <-b.f.Changed:
			b.f.Touch()
			c, err := b.f.Next(context.Background())
			if err != nil {
				b.fail("%v", err)
			}
			b.update(tui.Frame(c))
			continue
		default:
		}
		return
	}
}

// update updates the model and checks the frame.
func (b *bare) update(msg tea.Msg) {
	if size, ok := msg.(tea.WindowSizeMsg); ok {
		b.w, b.h, b.whole = size.Width, size.Height, nil // the old width does not matter now
	}
	if mode, ok := msg.(tea.ModeReportMsg); ok && mode.Mode == ansi.ModeUnicodeCore && mode.Value != ansi.ModeNotRecognized {
		b.method, b.whole = ansi.GraphemeWidth, nil
	}
	model, cmd := b.model.Update(msg)
	b.model = model
	b.look(msg)
	b.run(cmd)
}

// fail records the first failure, because the test must not end inside the
// bubble of a property.
func (b *bare) fail(format string, args ...any) {
	if b.broken == nil {
		b.broken = fmt.Errorf(format, args...)
	}
}

// look checks a frame: it fills the screen exactly, and styles are its only
// control sequences. Unchanged rows are skipped.
func (b *bare) look(msg tea.Msg) {
	v := b.model.View()
	if b.w <= 0 || b.h <= 0 {
		return
	}
	rows := strings.Split(v.Content, "\n")
	if len(rows) != b.h {
		b.fail("%T: %d rows at %dx%d", msg, len(rows), b.w, b.h)
	}
	for i, row := range rows {
		if i < len(b.whole) && row == b.whole[i] {
			continue
		}
		if w := b.method.StringWidth(row); w != b.w {
			b.fail("%T: row %d is %d wide at %dx%d: %q", msg, i, w, b.w, b.h, row)
		}
		if err := obeyed(row); err != nil {
			b.fail("%T: row %d at %dx%d: %w", msg, i, b.w, b.h, err)
		}
	}
	b.whole = rows
	if v.WindowTitle != b.title {
		b.title = v.WindowTitle
		if err := obeyed(b.title); err != nil {
			b.fail("%T: the title: %w", msg, err)
		}
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.X >= b.w || c.Y < 0 || c.Y >= b.h) {
		b.fail("%T: the cursor is at %d,%d outside of %dx%d", msg, c.X, c.Y, b.w, b.h)
	}
}

func (b *bare) size(w, h int) {
	b.update(tea.WindowSizeMsg{Width: w, Height: h})
	b.settle()
}

// plain returns the last frame without styles.
func (b *bare) plain() string { return ansi.Strip(b.model.View().Content) }

// hostile are texts that would break a layout.
var hostile = []string{
	"plain words", "第七章 needs a source", "e\u0301\u0301\u0301\u0301", "👩‍👩‍👧‍👦 family", "عربى", "a\tb\tc",
	"\x1b[2J\x1b]52;c;aGk=\a", "\u202egnihtemos", "one\nmany\r\nlines", strings.Repeat("wide字", 60), "",
	"🇨🇳🇺🇸 👍🏽 ❤\ufe0f 1\ufe0f\u20e3 🏳\ufe0f\u200d🌈", "각각 क्षि स्तेस्ते กำกำ", "🏽 🏽🏽 🇨`🇳` ❤**\ufe0f** \u0301", strings.Repeat("👩🏽\u200d🚀", 40),
	"| 👨\u200d👩\u200d👧\u200d👦 | ❤\ufe0f |\n|-|-|\n| 🇨🇳 | 第👍🏽七 |\n```\n\t👩🏽\u200d🚀\tx\n```",
}

// A step is something that happens to a screen, without further randomness.
type step func(*bare)

// events generates what can happen to the society.
var events = rapid.Custom(func(t *rapid.T) step {
	text, other := rapid.SampledFrom(hostile).Draw(t, "text"), rapid.SampledFrom(hostile).Draw(t, "other")
	pick, n := rapid.IntRange(0, 20).Draw(t, "agent"), rapid.IntRange(0, 9).Draw(t, "n")
	return event(rapid.IntRange(0, kindsOfEvents-1).Draw(t, "what"), pick, n, text, other)
})

const kindsOfEvents = 14

// event returns something that happens to the society, with foreign texts.
func event(what, pick, n int, text, other string) step {
	states := []society.Status{society.Idle, society.WaitingLLM, society.Processing, society.Stopping, society.Stopped}
	return func(b *bare) {
		f := b.f
		ids := f.subtree(society.Root)
		id := ids[pick%len(ids)]
		switch what {
		case 0:
			f.spawn(society.AgentID(fmt.Sprintf("agent-%d", f.order)), id, text)
		case 1:
			f.set(id, func(r *api.Row) { r.State, r.Tool, r.Doing = states[n%len(states)], text, other })
		case 2:
			f.set(id, func(r *api.Row) { r.Asks, r.Error = n%2 == 0, text })
		case 3:
			f.Say(id, conversation.Entry{Kind: conversation.Answer, Text: text, From: string(id), Calls: []conversation.Call{
				{ID: "c1", Name: "send_message", Arguments: `{"to":"` + other + `"}`},
			}})
		case 4:
			f.stream(id, text+other)
		case 5:
			f.finish(id)
		case 6:
			f.Say(id, conversation.Entry{Kind: conversation.Inbound, From: "user", To: string(id), Body: text})
		case 7:
			f.set(id, func(r *api.Row) { r.Waiting, r.Unread = n, n%4 })
		case 8:
			if id != society.Root {
				_, _ = f.Do(context.Background(), society.Terminate{Agent: id})
			}
		case 9:
			f.set(id, func(r *api.Row) {
				r.Name, r.Model, r.Asks, r.Question, r.Replies = text, other, n > 4, other, []string{text, other}
			})
		case 10:
			f.set(id, func(r *api.Row) { r.Retry = &api.Retry{Attempt: n, Most: 3, At: time.Now(), Cause: other} })
		case 11:
			f.Say(id, conversation.Entry{Kind: conversation.Answer, From: string(id), Text: text, Reasoning: other, Calls: []conversation.Call{{ID: other, Name: text, Arguments: other}}})
			f.Say(id, conversation.Entry{Kind: conversation.Result, CallID: other, Outcome: conversation.Failed, Text: text})
		case 12:
			f.Say(id, conversation.Entry{Kind: conversation.Notice, Text: text, Cause: other})
			f.Say(id, conversation.Entry{Kind: conversation.Inbound, From: other, FromRole: text, To: string(id), Type: other, Body: text + "\n{\"field\":\"x\"}", Quick: []string{text}})
		case 13:
			f.Tell(func(c *api.Changes) {
				c.Model, c.Health, c.Unsaved = text, map[string]string{text: other}, []string{"", other}[n%2]
				c.Log = append(c.Log, api.TimelineEvent{Agent: id, Kind: []string{"asks", "failed", "told you"}[n%3], Text: other, At: time.Now()})
			})
		}
	}
}

// steps generates what can happen to a screen.
var steps = rapid.Custom(func(t *rapid.T) step {
	w, h := rapid.IntRange(1, 300).Draw(t, "w"), rapid.IntRange(1, 100).Draw(t, "h")
	switch rapid.IntRange(0, 10).Draw(t, "step") {
	case 10:
		value := rapid.SampledFrom([]ansi.ModeSetting{ansi.ModeNotRecognized, ansi.ModeReset, ansi.ModeSet}).Draw(t, "2027")
		return func(b *bare) { b.update(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: value}) }
	case 0:
		return func(b *bare) { b.size(w, h) }
	case 1, 2, 3:
		return events.Draw(t, "event")
	case 4:
		return func(b *bare) { clicked(b, w, h) }
	case 5:
		text := rapid.SampledFrom(hostile).Draw(t, "paste")
		return func(b *bare) { b.update(tea.PasteMsg{Content: text}) }
	case 6:
		d := rapid.SampledFrom([]time.Duration{1e7, 3e8, 3e9}).Draw(t, "time")
		return func(*bare) { <-time.After(d) }
	}
	k := key(rapid.SampledFrom(pressable).Draw(t, "key"))
	return func(b *bare) { b.update(k) }
})

// clicked clicks, drags and turns the wheel at a cell.
func clicked(b *bare, x, y int) {
	x, y = x%b.w, y%b.h
	b.update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	b.update(tea.MouseMotionMsg{X: x + 3, Y: y, Button: tea.MouseLeft})
	b.update(tea.MouseReleaseMsg{X: x + 3, Y: y, Button: tea.MouseLeft})
	b.update(tea.MouseWheelMsg{X: x, Y: y, Button: tea.MouseWheelUp})
}

var pressable = []string{
	"tab", "shift+tab", "up", "down", "left", "right", "enter", "esc", "space", "pgup", "pgdown", "home", "end", "backspace",
	"alt+1", "alt+2", "alt+3", "alt+4", "alt+up", "alt+left", "alt+n", "ctrl+n", "ctrl+x", "ctrl+b", "ctrl+c", "ctrl+y", "ctrl+r", "ctrl+j",
	"f1", "?", "z", "<", ">", "/", "f", "*", "-", "i", "s", "T", "R", "p", "c", "y", "v", "[", "]", "g", "G", "1", "2", "a", "字", "t", "r", "e",
	"ctrl+p", "ctrl+t", "alt+r", "ctrl+s", "h", "j", "k", "l", "n", "N", "q", "Y", "d", "u", "m", "E", "alt+5", "4", "@",
}

// key returns the message of a key by name.
func key(name string) tea.KeyPressMsg {
	k := tea.Key{}
	for {
		mod, rest, ok := strings.Cut(name, "+")
		if !ok || rest == "" {
			break
		}
		k.Mod |= map[string]tea.KeyMod{"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift}[mod]
		name = rest
	}
	codes := map[string]rune{
		"tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "enter": tea.KeyEnter,
		"esc": tea.KeyEscape, "space": tea.KeySpace, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome,
		"end": tea.KeyEnd, "backspace": tea.KeyBackspace, "f1": tea.KeyF1,
	}
	if code, ok := codes[name]; ok {
		k.Code = code
		if name == "space" {
			k.Text = " "
		}
		return tea.KeyPressMsg(k)
	}
	k.Code = []rune(name)[0]
	if k.Mod == 0 {
		k.Text = name
	}
	return tea.KeyPressMsg(k)
}

func TestNoKeysSizesAndEventsBreakAFrame(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	rapid.Check(t, func(rt *rapid.T) {
		ascii, plain, slow := rapid.Bool().Draw(rt, "ascii"), rapid.Bool().Draw(rt, "plain"), rapid.Bool().Draw(rt, "slow")
		w, h := rapid.IntRange(1, 200).Draw(rt, "w"), rapid.IntRange(1, 60).Draw(rt, "h")
		script := rapid.SliceOfN(steps, 1, 40).Draw(rt, "script")
		var broken error
		synctest.Test(t, func(*testing.T) {
			f := newFake()
			family(f)
			cfg := config(f)
			cfg.ASCII, cfg.Plain = ascii, plain
			if slow {
				cfg.Output = slowTerminal(null)
			}
			b := newBare(cfg, f)
			defer b.end()
			b.size(w, h)
			for _, do := range script {
				do(b)
				b.settle()
			}
			broken = b.broken
		})
		if broken != nil {
			rt.Fatal(broken)
		}
	})
}

// slowTerminal is measured at 1000 bytes a second.
func slowTerminal(null *os.File) *terminal.Terminal {
	slow := terminal.New(null, null)
	_, _ = slow.WriteString(ansi.SetModeAltScreenSaveCursor + strings.Repeat("x", 1000)) // os.DevNull accepts all
	slow.Line().Answered()
	<-time.After(time.Second)
	slow.Line().Answered()
	return slow
}

// If drawing must wait, because the screen is closing or the terminal is
// behind, a frame still has the present size.
func TestSkippedFrameHasTheSizeOfTheScreen(t *testing.T) {
	t.Parallel()
	for name, resizes := range map[string]func(b *bare){
		"closing": func(b *bare) {
			b.size(1, 1)
			b.update(key("ctrl+c"))
			b.settle()
			b.update(key("ctrl+c"))
			b.settle()
			b.size(2, 67)
		},
		"on a slow line": func(b *bare) {
			for n := range 20 {
				b.size(40+5*n, 40-n)
			}
		},
		"while text is marked beyond an edge": func(b *bare) {
			for n := range 40 {
				b.f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, From: "root", Text: fmt.Sprint("line ", n)})
			}
			b.size(100, 30)
			<-time.After(time.Minute)
			b.settle()
			b.update(tea.MouseClickMsg{X: 60, Y: 10, Button: tea.MouseLeft})
			b.update(tea.MouseMotionMsg{X: 60, Y: 0, Button: tea.MouseLeft})
			for range 40 {
				b.settle()
				<-time.After(50 * time.Millisecond)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer null.Close()
			synctest.Test(t, func(t *testing.T) {
				f := newFake()
				family(f)
				cfg := config(f)
				cfg.Output = slowTerminal(null)
				b := newBare(cfg, f)
				defer b.end()
				resizes(b)
				if b.broken != nil {
					t.Error(b.broken)
				}
			})
		})
	}
}

func TestLastFrameAfterAnyResizesIsThatOfAFreshStart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.spawn("web-1", society.Root, "web")
		f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, From: "user", To: "root", Body: strings.Repeat("Review the chapters. ", 20)})
		b := newBare(config(f), f)
		defer b.end()
		random := rand.New(rand.NewPCG(1, 2))
		for range 200 {
			b.size(1+random.IntN(300), 1+random.IntN(100))
		}
		b.size(120, 40)

		f.restart()
		fresh := newBare(config(f), f)
		defer fresh.end()
		fresh.size(120, 40)
		if err := errors.Join(b.broken, fresh.broken); err != nil {
			t.Error(err)
		}
		if got, want := b.plain(), fresh.plain(); got != want {
			t.Errorf("after 200 resizes:\n%s\n\nafresh:\n%s", got, want)
		}
	})
}

func TestEverySizeDrawsAWholeFrame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		family(f)
		b := newBare(config(f), f)
		defer b.end()
		for w := 1; w <= 300; w += 7 {
			for h := 1; h <= 100; h += 9 {
				b.size(w, h)
			}
		}
		if b.broken != nil {
			t.Error(b.broken)
		}
		b.size(29, 8)
		if !strings.Contains(b.plain(), "Needs at least 30 x 8") || !strings.Contains(b.plain(), "root") {
			t.Errorf("29x8 shows %q", b.plain())
		}
	})
}

func TestHiddenPaneIsNamedInTheLastRow(t *testing.T) {
	onScreen(t, 60, 20, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Shows("tab agents").Hides("Agents 1")
		s.Press("tab").Shows("Agents 1", "tab conversation")
		s.Resize(100, 30).Shows("Agents 1", "to: root")
		s.Press("ctrl+b").Hides("Agents 1").Shows("alt+1 agents")                 // tab passes it over
		s.Resize(60, 20).Press("alt+2").Shows("alt+1 agents").Hides("tab agents") // tab goes to the composer
		s.Press("tab").Shows("to: root").Press("alt+1").Shows("Agents 1")
	})
}

// At any size, focus and number of agents in need, the last row names the
// key of a hidden pane: tab where that shows it.
func TestEveryHiddenPaneIsNamedAtEverySize(t *testing.T) {
	panes := []struct{ hint, key, edge string }{{"agents", "alt+1", "Agents 4 "}, {"conversation", "alt+2", "root  ·  "}}
	for _, focus := range []string{"alt+2", "alt+1", "alt+3", "tab"} {
		for _, also := range []string{"", "z", "ctrl+b"} {
			t.Run(focus+" "+also, func(t *testing.T) {
				onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
					family(f)
					f.set("web-1", func(r *api.Row) { r.State, r.Asks = society.Idle, true })
					s.Idle().Press(focus)
					if also != "" {
						s.Press(also)
					}
					n := 0
					for _, w := range []int{30, 39, 40, 60, 79, 80, 81, 100, 139, 140, 160, 300} {
						for _, h := range []int{8, 15, 16, 30, 45, 46, 60} {
							if n++; !sampled(n) {
								continue
							}
							s.Resize(w, h)
							rows := s.Rows()
							screen, last := strings.Join(rows[:h-1], "\n"), rows[h-1]
							var hidden []string
							named := false
							for _, p := range panes {
								if !strings.Contains(screen, p.edge) {
									hidden = append(hidden, p.hint)
									named = named || strings.Contains(last, "tab "+p.hint) || strings.Contains(last, p.key+" "+p.hint)
								}
							}
							if len(hidden) > 0 && !named {
								t.Errorf("%dx%d: none of %q, which are not shown, is named:\n%s", w, h, hidden, s)
							}
						}
					}
				})
			})
		}
	}
}

// From 60 columns the last row names a hidden inspector, too, after hints for
// the moment.
func TestLastRowNamesTheHiddenInspector(t *testing.T) {
	for _, focus := range []string{"alt+1", "alt+2", "alt+3", "tab"} {
		for _, also := range []string{"", "ctrl+b"} {
			t.Run(focus+" "+also, func(t *testing.T) {
				onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
					f.spawn("lead-1", society.Root, "lead")
					s.Idle().Press(focus)
					if also != "" {
						s.Press(also)
					}
					n := 0
					for _, w := range []int{60, 79, 80, 89, 90, 100, 139, 140, 160} {
						for _, h := range []int{8, 16, 30, 46} {
							if n++; !sampled(n) {
								continue
							}
							s.Resize(w, h)
							rows := s.Rows()
							shown := strings.Contains(strings.Join(rows[:h-1], "\n"), "Inspector ")
							if named := strings.Contains(rows[h-1], "alt+3 inspector"); named == shown {
								t.Errorf("%dx%d: the inspector is shown %v, and named %v:\n%s", w, h, shown, named, s)
							}
						}
					}
				})
			})
		}
	}
}

// In a narrow high terminal the tree is above the conversation: ctrl+b hides
// and shows it.
func TestTreeAboveTheConversationCanBeHidden(t *testing.T) {
	onScreenWith(t, 70, 50, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle().Shows("Agents 4 ")
		before := s.String()
		_, y := s.Find(" root  ·  planner")
		s.Press("ctrl+b").Hides("Agents 4 ").Shows("alt+1 agents", "to: root")
		if _, now := s.Find(" root  ·  planner"); now != 1 || y <= now {
			t.Errorf("the conversation begins in row %d, before that in row %d:\n%s", now, y, s)
		}
		if s.Press("ctrl+b"); s.String() != before {
			t.Errorf("the agents are not back as they were:\n%s", s)
		}
	})
}

func TestARowUnderADialogKeepsItsWidthWhenPartsOfACharacterJoin(t *testing.T) {
	for _, text := range []string{"🇨`🇳` one", "🏽 🏽🏽 🇨`🇳` ❤**\ufe0f** \u0301", "👩**🏽**`\u200d🚀` x"} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			family(f)
			b := newBare(config(f), f)
			defer b.end()
			b.size(36, 26)
			b.update(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeSet})
			f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, From: string(society.Root), Text: text})
			b.settle()
			b.update(key("ctrl+c"))
			b.settle()
			if !strings.Contains(b.plain(), "Quit?") {
				t.Fatalf("ctrl+c opened no dialog:\n%s", b.plain())
			}
			if b.broken != nil {
				t.Error(b.broken)
			}
		})
	}
}
