package tui

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// wishes are all combinations that change a layout's form.
func wishes() []layoutPrefs {
	var all []layoutPrefs
	for p := range pane(panes) {
		for _, hide := range []bool{false, true} {
			for _, zoom := range []bool{false, true} {
				for _, divider := range []int{0, 1, 40, 1000} {
					all = append(all, layoutPrefs{p, hide, zoom, divider, 0}, layoutPrefs{p, hide, zoom, divider, 9})
				}
			}
		}
	}
	return all
}

func (l *layout) rects() []rect {
	return []rect{l.header, l.tree, l.transcript, l.inspector, l.composer, l.message, l.hints}
}

func TestLayoutCoversEveryCellOnceAtEverySize(t *testing.T) {
	t.Parallel()
	for w := 0; w <= 300; w++ {
		for h := 0; h <= 100; h++ {
			for _, wants := range wishes() {
				l := arrange(w, h, wants)
				if l.tooSmall {
					if w >= leastWidth && h >= leastHeight {
						t.Fatalf("%dx%d is called too small", w, h)
					}
					continue
				}
				area := 0
				for _, r := range l.rects() {
					if !r.shown() {
						continue
					}
					if r.x < 0 || r.y < 0 || r.x+r.w > w || r.y+r.h > h {
						t.Fatalf("%dx%d %+v: %+v is outside", w, h, wants, r)
					}
					area += r.w * r.h
				}
				if area != w*h || overlap(l.rects()) {
					t.Fatalf("%dx%d %+v: not every cell belongs to one part: %+v", w, h, wants, l)
				}
			}
		}
	}
}

func overlap(rects []rect) bool {
	for i, a := range rects {
		for _, b := range rects[i+1:] {
			if a.shown() && b.shown() && a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h {
				return true
			}
		}
	}
	return false
}

func TestLayoutAlwaysShowsTheComposerAndTheFocusedPane(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.IntRange(leastWidth, 300).Draw(t, "w")
		h := rapid.IntRange(leastHeight, 100).Draw(t, "h")
		wants := rapid.SampledFrom(wishes()).Draw(t, "layoutPrefs")
		l := arrange(w, h, wants)
		if !l.composer.shown() || !l.of(wants.focus).shown() {
			t.Fatalf("hidden at %dx%d: %+v", w, h, l)
		}
		for p := treePane; p <= inspectorPane; p++ {
			if l.of(p).shown() == slices.Contains(l.hidden, p) {
				t.Fatalf("pane %d is neither shown nor named as hidden: %+v", p, l)
			}
		}
	})
}

func TestScreen4LayoutTakesTheFormThatTheSizeAsksFor(t *testing.T) {
	t.Parallel()
	tests := []struct {
		w, h                  int
		tree, chat, inspector bool
		treeWidth             int
		composer              int
		message               bool
	}{
		{160, 45, true, true, true, 44, 5, true},
		{140, 45, true, true, true, 39, 5, true},
		{139, 45, true, true, false, 28, 5, true},
		{100, 30, true, true, false, 28, 5, true},
		{80, 30, true, true, false, 28, 5, true},
		{79, 30, false, true, false, 0, 4, false},
		{79, 46, true, true, false, 79, 4, false},
		{60, 20, false, true, false, 0, 4, false},
		{100, 15, true, true, false, 28, 2, false},
		{30, 8, false, true, false, 0, 2, false},
	}
	for _, tt := range tests {
		l := arrange(tt.w, tt.h, layoutPrefs{})
		if l.tree.shown() != tt.tree || l.transcript.shown() != tt.chat || l.inspector.shown() != tt.inspector ||
			l.tree.w != tt.treeWidth || l.composer.h != tt.composer || l.message.shown() != tt.message {
			t.Errorf("%dx%d: %+v", tt.w, tt.h, l)
		}
	}
}
