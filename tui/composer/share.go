package composer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"society-tui/runtime/society"
)

// TextOf returns the text of a draft that Export returned.
func TextOf(saved []byte) (string, error) {
	var m memory
	if len(saved) > 0 {
		if err := json.Unmarshal(saved, &m); err != nil {
			return "", fmt.Errorf("read a draft: %w", err)
		}
	}
	return m.Text, nil
}

// Replace replaces the draft to an agent by text, which another screen has written. The
// cursor stays if what precedes it does.
func (r *Model) Replace(agent society.AgentID, text string) {
	d := r.of(agent)
	shown, was := d.text, d.own()
	d.text = newText("")
	d.insert(tidy(text))
	now := d.text
	r.version++
	if was.row < len(now.lines) && !was.atEnd() {
		if line, col := now.lines[was.row].s, was.col; strings.HasPrefix(line, was.line().s[:col]) && isBorder(line, col) {
			now.row, now.col = was.row, col
		}
	}
	if d.entry != ownText {
		d.aside[ownText], d.text = now, shown
	}
}

func (t *text) atEnd() bool { return t.row == len(t.lines)-1 && t.col == len(t.line().s) }

// isBorder reports whether a character of s ends at col.
func isBorder(s string, col int) bool {
	at := 0
	for at < col {
		at += len(cluster(s[at:]))
	}
	return at == col
}

// Touch marks the draft to an agent as changed.
func (r *Model) Touch(agent society.AgentID) { r.changed[receiver(agent)] = true }

// StoreBeside stores the draft to an agent in the history, in place of what it stored of
// it before, because another screen's text is stored as the draft.
func (r *Model) StoreBeside(agent society.AgentID) {
	d := r.of(agent)
	if own := d.own(); !own.empty() {
		d.beside = r.history.replace(d.beside, written{d.whole(own.String()), receiver(agent)})
	}
}

// dropBeside removes what StoreBeside stored, because the text is stored otherwise.
func (r *Model) dropBeside(d *draft) {
	r.history.drop(d.beside)
	d.beside = nothingBeside
}

// Keep ends StoreBeside for a draft that is stored as such again, and adds the text of
// another screen, which it replaces, to the history.
func (r *Model) Keep(agent society.AgentID, other string) {
	r.dropBeside(r.of(agent))
	r.history.add(written{other, receiver(agent)})
	r.Touch(agent)
}

// Leave replaces a draft by the text of another screen, and stores it in the history.
func (r *Model) Leave(agent society.AgentID, other string) {
	r.StoreBeside(agent)
	r.of(agent).beside = nothingBeside
	r.Replace(agent, other)
}

// PutAside replaces a draft by text, and puts it into the history unless it is text that
// PutAside wrote and nobody has edited.
func (r *Model) PutAside(agent society.AgentID, text string) {
	d := r.of(agent)
	if d.entry != ownText {
		d.visit(&r.history, ownText)
	}
	if d.text.String() == d.put {
		d.text = newText("")
	}
	r.Leave(agent, text)
	d.put = d.text.String()
	r.Touch(agent)
}

// MergeHistory adds what other screens have stored since before, and removes what they
// have forgotten. It reports whether the history has texts that are not stored.
func (r *Model) MergeHistory(stored, before []byte) (more bool, err error) {
	now, err := historyOf(stored)
	if err != nil {
		return false, err
	}
	was, err := historyOf(before)
	if err != nil {
		return false, err
	}
	for _, w := range was {
		if !slices.Contains(now, w) {
			r.history.drop(r.history.find(w))
		}
	}
	for _, w := range now {
		if r.history.find(w) == nothingBeside {
			r.history.add(w)
		}
	}
	return slices.ContainsFunc(r.history.remembered(), func(w written) bool { return !slices.Contains(now, w) }), nil
}

func historyOf(saved []byte) (entries []written, err error) {
	if len(saved) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(saved, &entries); err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	return entries, nil
}
