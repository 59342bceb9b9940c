package composer

import (
	"encoding/json"
	"fmt"
	"strings"
)

// A paste beyond these limits is sent as a file beside the text.
const (
	fileBytes = 64 << 10
	fileLines = 1000
)

// mostPastes is how many pastes are known, the newest.
const mostPastes = 32

// pastes are the texts that were pasted as files, the newest last. They are found again by what they are: a text that comes back, from the history or
// because it was refused, has its pastes where they were.
type pastes []string

// add makes a paste known if it is one for a file.
func (p *pastes) add(s string) {
	if len(s) > fileBytes || strings.Count(s, "\n") >= fileLines {
		p.learn(s)
	}
}

func (p *pastes) learn(s string) {
	if strings.TrimSpace(s) == "" || p.has(s) {
		return
	}
	*p = append(*p, s)
	*p = (*p)[max(len(*p)-mostPastes, 0):]
}

func (p *pastes) has(s string) bool {
	for _, known := range *p {
		if known == s || strings.TrimSpace(known) == s {
			return true
		}
	}
	return false
}

// first finds the first paste in a text; at is -1 if there is none.
func (p *pastes) first(s string) (at int, found string) {
	at = -1
	for _, known := range *p {
		if trimmed := strings.TrimSpace(known); len(trimmed) > len(s) {
			continue
		} else if !strings.Contains(s, known) { // of a text that was sent the blanks are lost
			known = trimmed
		}
		if i := strings.Index(s, known); i >= 0 && (at < 0 || i < at || i == at && len(known) > len(found)) {
			at, found = i, known
		}
	}
	return at, found
}

// A Pasted is a paste that is sent as a file.
type Pasted struct{ Name, Text string }

// Pastes returns a text as it is sent, with a name in place of each paste that goes with it as
// a file, and these files.
func (r *Model) Pastes(text string) (said string, files []Pasted) {
	var b strings.Builder
	whole := text
	for {
		at, found := r.pasted.first(text)
		if at < 0 {
			b.WriteString(text)
			if said = b.String(); len(files) > 0 {
				r.lastSaid, r.lastWritten = said, whole
			}
			return said, files
		}
		file := Pasted{Name: fmt.Sprintf("pasted-%d.txt", len(files)+1), Text: found}
		files = append(files, file)
		b.WriteString(text[:at] + "[" + file.Name + "]")
		text = text[at+len(found):]
	}
}

// WrittenAs returns a text that was sent as it was written, with the pastes in it if it was the
// last one with any.
func (r *Model) WrittenAs(said string) string {
	if said == r.lastSaid && said != "" {
		return r.lastWritten
	}
	return said
}

// Learn makes the pastes of a draft known that Export returned.
func (r *Model) Learn(saved []byte) {
	var m memory
	if len(saved) == 0 || json.Unmarshal(saved, &m) != nil {
		return // what cannot be read is reported by TextOf
	}
	for _, span := range m.Pasted {
		if from, upto := span[0], span[0]+span[1]; from >= 0 && from < upto && upto <= len(m.Text) {
			r.pasted.learn(m.Text[from:upto])
		}
	}
}

// spans are where the pastes stand in a text.
func (p *pastes) spans(text string) (all [][2]int) {
	for from := 0; ; {
		at, found := p.first(text[from:])
		if at < 0 {
			return all
		}
		all = append(all, [2]int{from + at, len(found)})
		from += at + len(found)
	}
}
