package transcript_test

import (
	"slices"
	"strings"
	"testing"

	stored "society-tui/runtime/conversation"
)

// rewound is a conversation whose entries from a slot on were set aside, with more behind.
func rewound(n, from int) *shelf {
	s := many(n)
	for i := from; i < n; i++ {
		s.entries[i].SetAside = at(5, 7)
	}
	s.entries = append(s.entries, stored.Entry{Slot: uint64(n), At: at(6, 0), From: "user", To: "root", Kind: stored.Inbound, MessageID: "new", Body: "asked anew"})
	return s
}

func TestWhatWasSetAsideIsFoldedUnderOneRow(t *testing.T) {
	t.Parallel()
	s := rewound(20, 8)
	r := opened(plainly(), s)
	r.Rows(80, 60)
	shows(t, r.Rows(80, 60), "answer number 7", "12 entries set aside at", "on this row shows them", "asked anew")
	hides(t, r.Rows(80, 60), "number 8", "number 19")
	r.CycleDetail() // also where everything is shown whole
	hides(t, r.Rows(80, 60), "number 8", "number 19")
	r.CycleDetail()
	r.CycleDetail()
	r.Focus(true)
	atRow := func() bool {
		return slices.ContainsFunc(r.Rows(80, 120), func(row string) bool {
			return strings.Contains(row, "›") && strings.Contains(row, "entries set aside")
		})
	}
	for range 20 {
		if r.Up(); atRow() {
			break
		}
	}
	r.Toggle()
	shows(t, r.Rows(80, 120), "question number 8", "answer number 19", "12 entries set aside", "folds them", "asked anew")
	hides(t, r.Rows(80, 120), "shows them")
	r.Toggle()
	shows(t, r.Rows(80, 120), "shows them")
	hides(t, r.Rows(80, 120), "number 8", "number 19")
	r.Toggle()
	shows(t, r.Rows(80, 120), "question number 8")
	for i := 4; i < len(s.entries); i++ { // the user goes back farther: nobody has unfolded that
		s.entries[i].SetAside = at(7, 7)
	}
	r.Changed("root", 4)
	s.feed(r)
	shows(t, r.Rows(80, 120), "answer number 3", "17 entries set aside")
	hides(t, r.Rows(80, 120), "number 4", "number 8", "asked anew")
}

func TestASearchUnfoldsWhatWasSetAside(t *testing.T) {
	t.Parallel()
	s := rewound(40, 10)
	s.entries[15].Text = "the needle"
	r := opened(plainly(), s)
	r.Rows(80, 24)
	searched(r, s, "needle")
	shows(t, r.Rows(80, 24), "the needle")
	r.EndSearch()
	hides(t, r.Rows(80, 24), "the needle")
}

func TestAnEntryThatIsSetAsideLaterIsFolded(t *testing.T) {
	t.Parallel()
	s := many(6)
	r := opened(plainly(), s)
	shows(t, r.Rows(80, 60), "answer number 5")
	for i := 2; i < 6; i++ {
		s.entries[i].SetAside = at(9, 9)
	}
	r.Changed("root", 2)
	s.feed(r)
	shows(t, r.Rows(80, 60), "answer number 1", "4 entries set aside")
	hides(t, r.Rows(80, 60), "number 2", "number 5")
}

// The stored folds may arrive after the conversation: the row and the entries must agree.
func TestWhatWasUnfoldedIsShownAfterARestart(t *testing.T) {
	t.Parallel()
	s := rewound(20, 8)
	r := opened(plainly(), s)
	r.Focus(true)
	r.Rows(80, 120)
	for range 40 {
		if r.Up(); strings.Contains(strings.Join(slices.DeleteFunc(r.Rows(80, 120), func(row string) bool { return !strings.Contains(row, "›") }), ""), "set aside") {
			break
		}
	}
	r.Toggle()
	shows(t, r.Rows(80, 120), "question number 8", "folds them")
	kept, err := r.Export()
	if err != nil {
		t.Fatal(err)
	}
	fresh := opened(plainly(), s)
	hides(t, fresh.Rows(80, 120), "question number 8")
	if err := fresh.Import(kept); err != nil {
		t.Fatal(err)
	}
	fresh.Focus(true)
	shows(t, fresh.Rows(80, 120), "question number 8", "folds them")
	fresh.CycleDetail() // nobody has unfolded it at that level
	shows(t, fresh.Rows(80, 120), "shows them")
	hides(t, fresh.Rows(80, 120), "question number 8", "folds them")
}
