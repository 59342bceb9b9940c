package graphview

import (
	"time"

	"society-tui/runtime/graph"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// path lists the finished steps, the newest last.
func (v *View) path(p *page, s *Subject, f *told) {
	p.put(" " + v.styles.heading.Draw(v.set.Cut(v.text(textPath), p.width-2, v.set.Tail())))
	if s.Run == nil || len(s.Run.Path) == 0 {
		p.wrap(&v.styles.subtle, v.text(textNoPath), 1, 0)
		return
	}
	passed := s.Run.Path
	if more := len(passed) - mostPath; more > 0 {
		passed = passed[more:]
		p.wrap(&v.styles.subtle, v.printer.N(textEarlier, more), 1, 0)
	}
	for i := range passed {
		v.step(p, s, f, &passed[i])
	}
}

// reasonRows is how many rows a reason may have.
const reasonRows = 3

// step describes a finished step: when, what, where, result and duration; below
// it the reason.
func (v *View) step(p *page, s *Subject, f *told, r *graph.Record) {
	zone := s.Zone
	if zone == nil {
		zone = time.UTC
	}
	how, style := v.outcome(f, r)
	at := r.Ended.In(zone).Format("15:04:05")
	if p.width < 44 {
		at = at[:5]
	}
	node := v.at(f, r)
	tail, took := v.set.Tail(), symbols.Took(r.Took)
	room := max(p.width-3-v.set.Width(at), 0)
	if v.set.Width(node)+v.set.Width(how)+v.set.Width(took)+3 > room {
		took = ""
	}
	room -= v.set.Width(took)
	how = v.set.Cut(how, max(room/2, room-v.set.Width(node)-3), tail)
	node = v.set.Cut(node, max(room-v.set.Width(how)-3, 0), tail)
	left := v.set.Width(node) + v.set.Width(how) + 2
	p.put(" " + v.styles.subtle.Draw(at) + " " + v.styles.text.Draw(node) + "  " + style.Draw(how) + cells.Blank(room-left) + v.styles.subtle.Draw(took))
	if why := line(r.Why); why != "" {
		p.wrap(&v.styles.muted, why, min(3, p.width/4), reasonRows)
	}
}

// at names the node of a step, and its branch.
func (v *View) at(f *told, r *graph.Record) string {
	if r.Branch > 0 {
		return f.title(r.Node) + v.dot() + v.text(textBranch, r.Branch)
	}
	return f.title(r.Node)
}

// outcome returns the result of a step, and its style.
func (v *View) outcome(f *told, r *graph.Record) (said string, style *themes.Pen) {
	switch r.Outcome {
	case graph.Late:
		return v.text(textLate), &v.styles.failed
	case graph.CutShort:
		return v.text(textCut), &v.styles.muted
	case graph.Unclear:
		return v.text(textUnclear), &v.styles.warning
	case graph.Failed:
		if r.Warning() {
			return v.text(textUnjudged), &v.styles.warning
		}
		return v.text(textError), &v.styles.failed
	}
	switch r.Kind {
	case graph.Judge:
		if r.Verdict == graph.Yes {
			return v.text(textYes) + v.arrow() + f.title(r.To), &v.styles.done
		}
		return v.text(textNo) + v.dot() + f.title(r.To), &v.styles.muted
	case graph.Choose:
		if r.To == "" {
			return v.text(textChoseNo), &v.styles.muted
		}
		return v.text(textChose, f.title(r.To)), &v.styles.done
	case graph.Wait:
		return v.text(textWaited), &v.styles.warning
	case graph.Join:
		return v.text(textMerged), &v.styles.done
	}
	return v.text(textDone), &v.styles.done
}
