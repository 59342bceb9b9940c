package layout

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// wishes returns all combinations of preferences.
func wishes() []Prefs {
	var all []Prefs
	for p := range Pane(PaneCount) {
		for _, hide := range []bool{false, true} {
			for _, zoom := range []bool{false, true} {
				for _, divider := range []int{0, 1, 40, 1000} {
					for _, more := range []bool{false, true} {
						all = append(all, Prefs{p, hide, more, zoom, divider, 0, more}, Prefs{p, hide, more, zoom, divider, 40, !more})
					}
				}
			}
		}
	}
	return all
}

func (l *Layout) rects() []Rect {
	return []Rect{l.Header, l.Tree, l.TreeRule, l.Needs, l.Transcript, l.SideRule, l.Inspector, l.Composer, l.Message, l.Hints}
}

func TestLayoutCoversEveryCellOnceAtEverySize(t *testing.T) {
	t.Parallel()
	for w := 0; w <= 300; w++ {
		for h := 0; h <= 100; h++ {
			for _, wants := range wishes() {
				l := Arrange(w, h, wants)
				if l.TooSmall {
					if w >= MinWidth && h >= MinHeight {
						t.Fatalf("%dx%d is called too small", w, h)
					}
					continue
				}
				area := 0
				for _, r := range l.rects() {
					if !r.Shown() {
						continue
					}
					if r.X < 0 || r.Y < 0 || r.X+r.W > w || r.Y+r.H > h {
						t.Fatalf("%dx%d %+v: %+v is outside", w, h, wants, r)
					}
					area += r.W * r.H
				}
				if area != w*h || overlap(l.rects()) {
					t.Fatalf("%dx%d %+v: not every cell belongs to one part: %+v", w, h, wants, l)
				}
			}
		}
	}
}

func overlap(rects []Rect) bool {
	for i, a := range rects {
		for _, b := range rects[i+1:] {
			if a.Shown() && b.Shown() && a.X < b.X+b.W && b.X < a.X+a.W && a.Y < b.Y+b.H && b.Y < a.Y+a.H {
				return true
			}
		}
	}
	return false
}

func TestLayoutAlwaysShowsTheComposerAndTheFocusedPane(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(MinWidth, 300).Draw(t, "w")
		h := rapid.IntRange(MinHeight, 100).Draw(t, "h")
		wants := rapid.SampledFrom(wishes()).Draw(t, "layoutPrefs")
		l := Arrange(w, h, wants)
		if !l.Composer.Shown() || !l.Of(wants.Focus).Shown() {
			t.Fatalf("hidden at %dx%d: %+v", w, h, l)
		}
		for p := Tree; p <= Inspector; p++ {
			if l.Of(p).Shown() == slices.Contains(l.Hidden, p) {
				t.Fatalf("pane %d is neither shown nor named as hidden: %+v", p, l)
			}
		}
	})
}

func TestLayoutDependsOnTheSize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		w, h                  int
		wants                 Prefs
		tree, chat, inspector bool
		treeWidth             int
		composer              int
		message               bool
	}{
		{200, 45, Prefs{}, true, true, false, 64, 2, true},
		{160, 45, Prefs{}, true, true, false, 57, 2, true},
		{160, 45, Prefs{Inspector: true}, true, true, true, 57, 2, true},
		{140, 45, Prefs{Inspector: true}, true, true, true, 50, 2, true},
		{139, 45, Prefs{Inspector: true}, true, true, false, 50, 2, true},
		{139, 45, Prefs{Focus: Inspector}, true, false, true, 50, 2, true},
		{100, 30, Prefs{}, true, true, false, 36, 2, true},
		{100, 30, Prefs{Lines: 4}, true, true, false, 36, 5, true},
		{100, 30, Prefs{Lines: 40}, true, true, false, 36, 10, true},
		{80, 30, Prefs{}, true, true, false, 34, 2, true},
		{79, 30, Prefs{}, false, true, false, 0, 2, false},
		{79, 46, Prefs{}, true, true, false, 79, 2, false},
		{60, 20, Prefs{Lines: 40}, false, true, false, 0, 6, false},
		{100, 15, Prefs{Lines: 40}, true, true, false, 36, 2, false},
		{30, 8, Prefs{}, false, true, false, 0, 2, false},
	}
	for _, tt := range tests {
		l := Arrange(tt.w, tt.h, tt.wants)
		if l.Tree.Shown() != tt.tree || l.Transcript.Shown() != tt.chat || l.Inspector.Shown() != tt.inspector ||
			l.Tree.W != tt.treeWidth || l.Composer.H != tt.composer || l.Message.Shown() != tt.message {
			t.Errorf("%dx%d %+v: %+v", tt.w, tt.h, tt.wants, l)
		}
	}
}

// Without the tree, one row above the conversation names who needs the user, where
// the conversation keeps enough rows.
func TestLayoutNamesWhoNeedsTheUserWithoutTheTree(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		w, h  int
		wants Prefs
		shown bool
	}{
		{60, 20, Prefs{Needs: true}, true},
		{60, 20, Prefs{}, false},
		{60, 20, Prefs{Needs: true, Focus: Tree}, false},
		{100, 30, Prefs{Needs: true}, false},
		{100, 30, Prefs{Needs: true, HideTree: true}, true},
		{30, 8, Prefs{Needs: true}, false},
	} {
		l := Arrange(tt.w, tt.h, tt.wants)
		if l.Needs.Shown() != tt.shown || tt.shown && (l.Needs.H != 1 || l.Needs.Y+1 != l.Transcript.Y) {
			t.Errorf("%dx%d %+v: %+v", tt.w, tt.h, tt.wants, l)
		}
	}
}
