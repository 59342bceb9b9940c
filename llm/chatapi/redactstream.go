package chatapi

import (
	"iter"
	"slices"
	"strings"

	"society-tui/llm"
)

// shortestInAnswer is the length from which a key is looked for in answers: a shorter one is
// the word that a local endpoint takes for a key, and no secret.
const shortestInAnswer = 8

// chunks takes the key out of an answer: out of its text and its thoughts, where a piece may
// end within the key, and out of calls. An endpoint that repeats what it was sent would else
// put the key on the screen and into the store.
func (r redactor) chunks(answer iter.Seq2[llm.Chunk, error]) iter.Seq2[llm.Chunk, error] {
	if r.key != "" && len(r.key) < shortestInAnswer {
		r = redactor{secrets: r.others}
	}
	if len(r.secrets) == 0 {
		return answer
	}
	return func(yield func(llm.Chunk, error) bool) {
		text, thoughts := newWithheld(r), newWithheld(r)
		for chunk, err := range answer {
			if err != nil || chunk.Done {
				rest := llm.Chunk{Text: text.rest(chunk.Text), Reasoning: thoughts.rest(chunk.Reasoning)}
				if (rest.Text != "" || rest.Reasoning != "") && !yield(rest, nil) {
					return
				}
				chunk.Text, chunk.Reasoning = "", ""
				r.last(&chunk)
				yield(chunk, err)
				return
			}
			silent := chunk.CallName == ""
			chunk.CallName = r.entire(chunk.CallName)
			chunk.Text, chunk.Reasoning = text.next(chunk.Text), thoughts.next(chunk.Reasoning)
			if silent && chunk.Text == "" && chunk.Reasoning == "" {
				continue
			}
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// last takes the key out of what only the last chunk has.
func (r redactor) last(c *llm.Chunk) {
	if holds := func(raw []byte) bool { return r.holds(spelledOut(string(raw))) }; holds(c.Extra) {
		c.Extra = nil // which the endpoint alone understands
	}
	for i := range c.Calls {
		call := &c.Calls[i]
		call.Name, call.ProviderID = r.entire(call.Name), r.entire(call.ProviderID)
		if spelled := spelledOut(call.Arguments); r.holds(spelled) {
			call.Arguments = r.entire(spelled)
		}
		if r.holds(spelledOut(string(call.Extra))) {
			call.Extra = nil
		}
	}
}

// holds reports whether there is something to redact.
func (r redactor) holds(text string) bool { return text != "" && r.entire(text) != text }

// A withheld text comes in pieces, and goes on without the key. What may be the beginning of
// the key waits for the next piece.
type withheld struct {
	redactor
	waits   string
	first   [256]bool // the first bytes of all spellings
	longest int
}

func newWithheld(r redactor) *withheld {
	w := &withheld{redactor: r}
	for _, secret := range r.secrets {
		w.first[secret[0]] = true
		w.longest = max(w.longest, len(secret))
	}
	return w
}

// next returns what can go on now.
func (w *withheld) next(piece string) string {
	if piece == "" {
		return ""
	}
	if w.waits != "" {
		piece = w.waits + piece
	}
	if len(piece) >= shortestInAnswer { // before its end is taken for a beginning
		piece = w.entire(piece)
	}
	cut := len(piece)
	for i := max(len(piece)-w.longest+1, 0); i < len(piece); i++ {
		if w.first[piece[i]] && slices.ContainsFunc(w.secrets, func(s string) bool { return len(s) > len(piece)-i && strings.HasPrefix(s, piece[i:]) }) {
			cut = i
			break
		}
	}
	w.waits = piece[cut:]
	return piece[:cut]
}

// rest returns what was kept, with the last piece. A beginning of the key is none of another
// word if the answer ends with it.
func (w *withheld) rest(piece string) string {
	text := w.entire(w.waits + piece)
	if w.prefix != "" && strings.HasPrefix(w.waits, w.prefix) {
		text = w.redact(text)
	}
	w.waits = ""
	return text
}
