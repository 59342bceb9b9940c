package composer

import tea "charm.land/bubbletea/v2"

// edits are the readline keys that edit or move within the text. The app
// decides about keys that leave it.
var edits = map[string]func(*Model){
	"left":           func(r *Model) { r.draft.text.left() },
	"right":          func(r *Model) { r.draft.text.right() },
	"ctrl+f":         func(r *Model) { r.draft.text.right() },
	"alt+b":          func(r *Model) { r.draft.text.wordLeft() },
	"ctrl+left":      func(r *Model) { r.draft.text.wordLeft() },
	"alt+f":          func(r *Model) { r.draft.text.wordRight() },
	"ctrl+right":     func(r *Model) { r.draft.text.wordRight() },
	"home":           func(r *Model) { r.draft.text.lineStart() },
	"ctrl+a":         func(r *Model) { r.draft.text.lineStart() },
	"end":            func(r *Model) { r.draft.text.lineEnd() },
	"ctrl+e":         func(r *Model) { r.draft.text.lineEnd() },
	"ctrl+home":      func(r *Model) { r.draft.text.start() },
	"ctrl+end":       func(r *Model) { r.draft.text.end() },
	"backspace":      func(r *Model) { r.draft.text.backspace(); r.touch() },
	"ctrl+h":         func(r *Model) { r.draft.text.backspace(); r.touch() },
	"delete":         func(r *Model) { r.draft.text.remove(); r.touch() },
	"ctrl+d":         func(r *Model) { r.draft.text.remove(); r.touch() },
	"ctrl+w":         func(r *Model) { r.cut(r.draft.text.wordLeft) },
	"alt+backspace":  func(r *Model) { r.cut(r.draft.text.wordLeft) },
	"ctrl+backspace": func(r *Model) { r.cut(r.draft.text.wordLeft) },
	"alt+d":          func(r *Model) { r.cut(r.draft.text.wordRight) },
	"alt+delete":     func(r *Model) { r.cut(r.draft.text.wordRight) },
	"ctrl+u":         func(r *Model) { r.cut(r.draft.text.lineStart) },
	"ctrl+k":         func(r *Model) { r.cut(r.draft.text.lineEnd) },
}

// cut deletes the text between the cursor and where move leads; Bring restores
// it.
func (r *Model) cut(move func()) {
	if removed := r.draft.text.take(move); removed != "" {
		r.cleared = r.draft.whole(removed)
		r.touch()
	}
}

// Update handles typed and pasted text and the editing keys. It ignores all
// others, and never sends.
func (r *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		r.EndSearch()
		r.goOn(msg.Content)
		r.pasted.add(tidy(msg.Content))
		r.Type(msg.Content)
	case tea.KeyPressMsg:
		// An input method may commit a word that is also the name of a key.
		if r.narrow(msg) {
			return nil
		}
		r.EndSearch()
		if msg.Text != "" {
			r.goOn(msg.Text)
			r.Type(msg.Text)
		} else if edit := edits[msg.String()]; edit != nil {
			r.draft.refused = ""
			edit(r)
			r.endEmptied()
		}
	}
	return nil
}
