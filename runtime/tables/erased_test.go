package tables_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Words are the marks by which it is seen whose a text is: every text of a
// history has one of its own, and it is known who has written or received it.
type words struct {
	n       *int
	parties map[string]map[society.AgentID]bool
	held    map[society.DelayedRef]string // delayed messages
	buckets map[string]bool               // all that were ever written to
	dead    []society.AgentID
}

var aWord = regexp.MustCompile(`word-[0-9]+-`)

func newWords() words {
	return words{
		n: new(int), parties: map[string]map[society.AgentID]bool{},
		held: map[society.DelayedRef]string{}, buckets: map[string]bool{},
	}
}

// next returns a word that has not been used, and that these know.
func (w *words) next(who ...society.AgentID) string {
	*w.n++
	word := fmt.Sprintf("word-%d-", *w.n)
	w.parties[word] = map[society.AgentID]bool{}
	for _, id := range who {
		w.parties[word][id] = true
	}
	return word
}

// told records that an agent has got a text.
func (w *words) told(who society.AgentID, text string) {
	for _, word := range aWord.FindAllString(text, -1) {
		w.parties[word][who] = true
	}
}

// hear notes who gets to know what by an event, and who is erased.
func (w *words) hear(e society.Event) {
	waited := func(h *society.DelayedRef) string {
		if h == nil {
			return ""
		}
		return w.held[*h]
	}
	switch e := e.(type) {
	case society.AgentMade:
		w.told(e.Agent.ID, written(e.Brief))
	case society.ContactAdded:
		w.told(e.Agent, written(e.Contact))
	case society.Delayed:
		w.held[society.DelayedRef{By: e.By, N: e.Later.N}] = e.Body + e.Text
	case society.MessageQueued:
		w.told(e.To, e.Body+e.Text+waited(e.Held)+e.Introduction)
	case society.MessageToUser:
		w.told(society.User, e.Body+waited(e.Held))
	case society.Erased:
		for _, t := range e.Tombs {
			w.dead = append(w.dead, t.ID)
		}
	}
}

func written(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// long is a text of the user, which now and then is one that is kept in parts, with its
// word in the first and in the last of them.
func (k *kept) long(t *rapid.T) string {
	word := k.words.next()
	if rapid.IntRange(0, 19).Draw(t, "long") == 0 {
		return word + strings.Repeat("x", 600<<10) + word
	}
	return word
}

// A noting transaction notes which buckets there are.
type noting struct {
	storage.Tx
	buckets map[string]bool
}

func (tx noting) Put(bucket string, key, value []byte) error {
	tx.buckets[bucket] = true
	return tx.Tx.Put(bucket, key, value)
}

// owner returns the agent of a row, "" for the society's, and for a contact also the
// other agent.
func owner(bucket, key string) (whose, of society.AgentID) {
	if bucket == "chunks" {
		bucket, key, _ = strings.Cut(key, "\x00")
	}
	switch bucket {
	case "modes", "rules", "counters", "roles", "tasks", "tombs", "timeline", "view", "space", "artifacts", "versions", "fileChanges", "fileTexts", "fileBytes":
		return "", ""
	case "inbox":
		return society.User, ""
	}
	id, rest, _ := strings.Cut(key, "\x00")
	if bucket == "contacts" {
		of, _, _ := strings.Cut(rest, "\x00")
		return society.AgentID(id), society.AgentID(of)
	}
	return society.AgentID(id), ""
}

// sweep runs the deletion to its end, a few rows at a time.
func (k *kept) sweep() {
	k.t.Helper()
	for left := true; left; {
		err := k.store.Update(func(tx storage.Tx) (err error) {
			left, err = tables.Sweep(tx, 3)
			return err
		})
		if err != nil {
			k.t.Fatalf("sweep: %v", err)
		}
	}
}

// forgotten returns what the store still has of the erased agents: a row, a contact, or a
// word in a row of an agent that neither wrote nor received it.
func (k *kept) forgotten() error {
	return k.store.View(func(tx storage.Tx) error {
		for _, bucket := range slices.Sorted(maps.Keys(k.words.buckets)) {
			for key, value := range tx.Range(bucket, nil, nil) {
				whose, of := owner(bucket, string(key))
				if slices.Contains(k.words.dead, whose) || slices.Contains(k.words.dead, of) {
					return fmt.Errorf("%s has kept %q", bucket, key)
				}
				for _, word := range aWord.FindAllString(string(value), -1) {
					if !k.words.parties[word][whose] {
						return fmt.Errorf("%q in %s holds %s, which is of %v alone", key, bucket, word, slices.Collect(maps.Keys(k.words.parties[word])))
					}
				}
			}
		}
		return nil
	})
}

// without returns where a society still has an erased agent.
func without(s *society.State, dead []society.AgentID) error {
	for _, id := range dead {
		if s.Agent(id) != nil {
			return fmt.Errorf("%s is back", id)
		}
	}
	for _, id := range s.Agents() {
		a := s.Agent(id)
		for _, gone := range dead {
			known := a.Contacts.Knows(gone)
			if known || slices.Contains(a.Children(), gone) || a.Parent == gone {
				return fmt.Errorf("%s still knows %s", id, gone)
			}
		}
	}
	return nil
}

// Every row of the erased is gone when the sweep has run to its end, and no word of
// theirs is left but with those who live and wrote or received it: what they had sent,
// and what the user had received (SPEC.md, decision 6). Nobody has them as a contact,
// before and after the society is loaded again.
func TestS001P15ATerminationLeavesNothingOfTheErasedInTheStore(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	met.Check(t, propertytest.Met[string]{"erased": propertytest.Cases() / 2}, func(t *rapid.T) {
		k := found(t)
		for range rapid.IntRange(5, 40).Draw(t, "steps") {
			k.step(t)
		}
		if rapid.Bool().Draw(t, "change") {
			k.asks(t, rapid.SampledFrom(k.s.Agents()).Draw(t, "who"))
		}
		if rapid.Bool().Draw(t, "last") {
			k.do(society.Terminate{Agent: rapid.SampledFrom(k.s.Agents()).Draw(t, "one"), By: society.User})
			k.halted()
		}
		k.sweep()
		if err := k.forgotten(); err != nil {
			t.Fatal(err)
		}
		loaded := society.Load(society.DefaultLimits(), k.load())
		for _, s := range []*society.State{k.s, loaded} {
			if err := without(s, k.words.dead); err != nil {
				t.Fatal(err)
			}
		}
		met["erased"] += len(k.words.dead)
	})
}
