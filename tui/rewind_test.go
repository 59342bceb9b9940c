package tui_test

import (
	"reflect"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// rewind sets entries aside from a message on, as the rules would.
func (f *fakeSociety) rewind(c society.Rewind) (society.Reply, error) {
	for i, e := range f.Said[c.Agent] {
		if e.MessageID != string(c.Message) {
			continue
		}
		for j := i; j < len(f.Said[c.Agent]); j++ {
			f.Said[c.Agent][j].SetAside = time.Now()
		}
		f.Rewrite(c.Agent, e.Slot)
		f.Touch(c.Agent)
		return society.Rewound{Message: c.Message, Text: e.Body, Attached: e.Attached, Entries: len(f.Said[c.Agent]) - i}, nil
	}
	return nil, notFound(c.Agent)
}

// talked gives root a conversation of three questions and their answers.
func talked(f *fakeSociety) {
	for _, n := range []string{"one", "two", "three"} {
		f.Say(society.Root,
			conversation.Entry{Kind: conversation.Inbound, At: time.Now(), From: "user", To: "root", MessageID: "m-" + n, Body: "question " + n},
			conversation.Entry{Kind: conversation.Answer, At: time.Now(), From: "root", Text: "answer " + n})
	}
}

// A written /rewind lists the messages of the open agent, or of one that it names.
func TestRewindListsTheMessagesToGoBackTo(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		talked(f)
		s.Type("/rewind ").Hides("@web-1", "web · ").Press("enter").Shows("Go back to before which message to root?", "▸ question three", "question two", "sets 4 entries aside", "enter edit and send again")
		s.Press("down", "enter").Shows("“question two”", "4 entries are set aside").Press("y").Shows("> question two").Hides("answer two")
		asked(t, f, society.Rewind{Agent: society.Root, Message: "m-two"})
		s.Press("ctrl+c").Type("/rewind we").Shows("web-1").Type("b-1").Press("enter").Shows("You have written nothing to web-1")
	})
}

// Who was told that enter edits may write into the question: the text is not lost, and nothing is set aside.
func TestATextWrittenIntoTheQuestionOfARewindGoesToTheComposer(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		talked(f)
		s.Type("/rewind").Press("enter", "enter").Shows("Go back in the conversation of root?").Type("for my friends")
		s.Hides("Go back").Shows("> for my friends", "Nothing was set aside; your text is in the composer")
		asked(t, f)
		s.Press("ctrl+c").Type("/rewind").Press("enter", "enter").Shows("Go back in").Paste("pasted").Hides("Go back").Shows("> pasted")
		asked(t, f)
		s.Press("ctrl+c", "alt+2", "E").Shows("Go back in the conversation of root?").Pass(time.Second).Press("x").Shows("Not x: ").Pass(time.Second).Press("y").Shows("> question three")
		asked(t, f, society.Rewind{Agent: society.Root, Message: "m-three"})
	})
}

// What was being written stays in the history, and a text that only came back makes room for the next.
func TestRewindPutsAsideWhatWasBeingWritten(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		talked(f)
		s.Type("a draft").Press("alt+2", "E", "y").Shows("> question three").Hides("a draft")
		s.Press("alt+2", "E", "y").Shows("> question two").Hides("> question three", "  question three")
		s.Press("ctrl+c", "up", "up").Shows("> a draft")
	})
}

func TestRewindAsksSetsAsideAndBringsTheTextBack(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		talked(f)
		s.Type("/rewind").Press("enter", "enter").Shows("Go back in the conversation of root?", "“question three”", "2 entries are set aside").Hides("interrupted", "undo")
		s.Press("esc").Hides("Go back in the conversation").Shows("Go back to before which message to root?", "▸ question three")
		s.Press("down", "enter").Shows("“question two”").Press("esc").Shows("▸ question two").Press("esc").Hides("Go back to before")
		if got := f.commands(); len(got) != 0 {
			t.Fatalf("nothing was answered, and %+v was asked", got)
		}
		s.Type("/rewind").Press("enter", "enter", "y").Hides("Go back to before").Shows("> question three", "to: root", "2 entries of root set aside", "2 entries set aside at", "alt+2, then space on this row").Hides("answer three")
		asked(t, f, society.Rewind{Agent: society.Root, Message: "m-three"})
		s.Shows("answer two")
	})
}

// A file that the text names goes with it again; one that it does not name is to be attached again.
func TestRewindNamesAFileThatTheTextDoesNotName(t *testing.T) {
	for text, again := range map[string]bool{"look at @main.go please": false, "look at it": true} {
		t.Run(text, func(t *testing.T) {
			onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				f.Say(society.Root, conversation.Entry{Kind: conversation.Inbound, At: time.Now(), From: "user", To: "root", MessageID: "m-1", Body: text, Attached: []conversation.Attachment{{Name: "main.go", Size: 3}}})
				s.Type("/rewind").Press("enter", "enter", "y").Shows("> "+text, "your text is here again")
				if again {
					s.Shows("attach main.go again")
				} else {
					s.Hides("attach main.go again")
				}
			})
		})
	}
}

// E goes back to the message at the cursor; on something else a notice explains what to do.
func TestEGoesBackToTheMessageAtTheCursor(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		talked(f)
		s.Press("alt+2").Hides("E edit and send again").Press("[", "[").Shows("E edit and send again").Press("E").Shows("“question two”", "4 entries are set aside")
		s.Press("y").Shows("> question two", "4 entries set aside at").Hides("answer two", "answer three")
		asked(t, f, society.Rewind{Agent: society.Root, Message: "m-two"})
		s.Press("ctrl+c", "alt+2", "home", "down", "down", "down", "down", "E").Shows("Go to one of your messages")
	})
}

// A rewind ends a search, which has found what is set aside now.
func TestRewindEndsASearch(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		talked(f)
		s.Type("/search question").Press("enter").Shows("/question", "1 of 3").Press("n", "E").Shows("“question two”")
		s.Press("y").Shows("> question two", "4 entries set aside at", "answer one").Hides("/question", "of 3")
	})
}

// What was made and changed since is counted, and file changes are undone with it.
func TestRewindCountsWhatStaysAndOffersToUndoFileChanges(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("before-1", society.Root, "before")
		time.Sleep(time.Second)
		talked(f)
		time.Sleep(time.Second)
		f.spawn("since-1", society.Root, "since")
		change := func(n uint64, at time.Time) api.FileChange {
			return api.FileChange{Kept: true, FileChange: society.FileChange{N: n, At: at, Agent: society.Root, Path: "a.go"}}
		}
		f.Mu.Lock()
		f.Holds.FileChanges = []api.FileChange{change(1, time.Now().Add(-time.Minute)), change(2, time.Now())}
		f.Mu.Unlock()
		f.set(society.Root, func(r *api.Row) { r.State = society.Processing })
		s.Type("/rewind").Press("enter", "enter").Shows("root is at work and is interrupted first", "1 agent made since stays: since-1", "1 change of a file since stays", "u Set aside and undo")
		s.Press("u").Shows("> question three", "files restored")
		f.Mu.Lock()
		defer f.Mu.Unlock()
		if want := []api.UndoRequest{{Changes: []uint64{2}}}; !reflect.DeepEqual(f.Holds.Undos, want) {
			t.Errorf("the undos are %+v, want %+v", f.Holds.Undos, want)
		}
	})
}

func TestForkSaysWhoTheCopyIs(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("/fork").Press("enter").Shows("root was copied: planner-1 has its conversation up to now")
		asked(t, f, society.Fork{Agent: society.Root})
	})
}

func TestRewindWithoutAMessageSaysSo(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Type("/rewind").Press("enter").Shows("You have written nothing to root")
	})
}
