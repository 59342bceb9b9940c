package programtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
)

// killCycles is how often the program is killed: SOCIETY_KILL_CYCLES times,
// else 100 times with SOCIETY_LONG=1, else 20 times.
func killCycles() int {
	if n, err := strconv.Atoi(os.Getenv("SOCIETY_KILL_CYCLES")); err == nil {
		return n
	}
	if os.Getenv("SOCIETY_LONG") != "" {
		return 100
	}
	return 20
}

// How often a society is killed before it is checked to its end, and how many
// messages every fifth has before: an old society may fail in other ways than a
// new one.
const (
	killsOfOne  = 20
	oldMessages = 10_000
)

// usable is the limit from the start until a key has an effect.
const usable = time.Second

// The program is killed with SIGKILL at random moments, while agents stream and
// the user writes: whatever was shown as accepted, or was ever on disk, is
// there afterwards, once and in order; the store is intact; and the society
// continues.
func TestNoMessageIsLostOrDoubledByKills(t *testing.T) {
	t.Parallel()
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	var all hunted
	var old []byte
	for n, left := 1, killCycles(); left > 0; n, left = n+1, left-killsOfOne {
		h := &hunt{home: newHome(t), seen: map[string]bool{}}
		if n%5 == 0 {
			if old == nil {
				h.talked(oldMessages)
				old = []byte(h.read(stored))
			}
			h.write(stored, string(old))
		}
		for range min(left, killsOfOne) {
			h.cycle(&all)
		}
		h.end(&all)
		if t.Failed() {
			break
		}
		if left <= killsOfOne && all.idle() && all.later < 6 { // the machine is slow: wait longer before the kill
			left += killsOfOne
			all.later++
		}
	}
	t.Logf("%d kills (%d while starting, %d while leaving); acknowledged: %d messages of the person, %d between agents; %d lost, %d doubled, %d out of order",
		all.kills, all.young, all.leaving, all.shown, all.between, all.lost, all.doubled, all.disordered)
	slices.Sort(all.starts)
	slow, _ := slices.BinarySearch(all.starts, usable)
	t.Logf("from exec to the first key shown: median %v, most %v, above %v: %d of %d", all.starts[len(all.starts)/2].Round(time.Millisecond),
		all.starts[len(all.starts)-1].Round(time.Millisecond), usable, len(all.starts)-slow, len(all.starts))
	if os.Getenv("SOCIETY_LONG") != "" && slow < len(all.starts) {
		t.Errorf("%d starts took longer than %v", len(all.starts)-slow, usable)
	}
	if all.idle() {
		t.Error("nothing was acknowledged: it was no load")
	}
}

// talked makes a society whose root has received and read so many messages.
func (h *home) talked(messages int) {
	h.t.Helper()
	model := llmtest.Func("brief", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if len(req.Messages) < 40 {
			return llmtest.Say("well")(ctx, req)
		}
		return llmtest.CallTools(call("compress_context", map[string]any{
			"summary": fmt.Sprint("words came: ", len(req.Messages)), "keepRecentCount": 4,
		}))(ctx, req)
	})
	o, err := sessions.Open(runtime.Config{Model: model}, h.path(stored))
	if err != nil {
		h.t.Fatal(err)
	}
	ctx, leave := context.WithCancel(h.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- o.Society.Run(ctx) }()
	var writers errgroup.Group
	for w := range 16 {
		writers.Go(func() error {
			for n := w; n < messages; {
				_, err := o.Society.Do(h.t.Context(), society.Send{To: society.Root, Text: fmt.Sprintf("word %d of the person", n)})
				refusal, refused := errors.AsType[*society.Refusal](err)
				switch {
				case err == nil:
					n += 16
				case !refused || refusal.Code != society.MailboxFull: // else it is written again
					return err
				}
			}
			return nil
		})
	}
	err = writers.Wait()
	leave()
	if err := errors.Join(err, <-ended, o.Store.Close()); err != nil {
		h.t.Fatal(err)
	}
}

// A hunted is the result of all kills.
type hunted struct {
	kills, young, leaving     int
	shown, between            int
	lost, doubled, disordered int
	starts                    []time.Duration
	later                     int // how often the time until a kill was doubled
}

// idle reports whether the kills could not have lost anything.
func (all *hunted) idle() bool { return all.shown == 0 || all.between == 0 }

// A hunt is one society that is killed repeatedly.
type hunt struct {
	*home
	written  int             // number of the user's last note
	accepted []int           // notes shown as accepted
	seen     map[string]bool // ids of messages that were on disk after a kill
	between  int             // how many of them are between agents
}

// note matches a note of the user in a conversation, read or unread: it is
// shown once it is on disk.
// On a slow machine it may have moved on before a frame shows it; then root's words quote it.
var note = regexp.MustCompile(`(?:▌ (?:Compare|Note) |“Compare |• Note )(\d+)[.”]`)

// cycle starts the program, uses it until it is killed, and checks what is
// left.
func (h *hunt) cycle(all *hunted) {
	h.t.Helper()
	all.kills++
	h.write("config/society-tui/config.toml", "[model]\noffline_pace = '"+[]string{"0s", "1ms", "5ms"}[rand.IntN(3)]+"'\n")
	began := time.Now()
	x := h.open(120, 40)
	if rand.IntN(5) == 0 {
		all.young++
		x.killed(0, 400*time.Millisecond)
	} else {
		h.lead(x, began, all)
	}
	x.ends()
	if got := h.run("check"); got.code != 0 {
		h.t.Fatalf("after kill %d the store is not sound: %s", all.kills, got.err)
	}
	h.audit(all)
}

// killed kills the program after a random time.
func (x *terminal) killed(least, most time.Duration) {
	time.AfterFunc(least+rand.N(most-least), func() { _ = x.cmd.Process.Kill() })
}

// lead writes notes as a user does, each after the one before was accepted,
// until the program is killed.
func (h *hunt) lead(x *terminal, began time.Time, all *hunted) {
	h.t.Helper()
	x.begun()
	h.written++
	task := fmt.Sprintf("Compare %d. these two lines and count their words: seven blue herons fly; two blue boats sink.", h.written)
	if rows := x.screenNow(); !stands(rows, "to: root") {
		task = "@root " + task
	}
	x.empties()
	all.starts = append(all.starts, time.Since(began))
	x.write(task)
	x.press("enter")
	if rand.IntN(5) == 0 {
		all.leaving++
		x.press("ctrl+c", "ctrl+c")
		x.killed(0, 100*time.Millisecond)
	} else {
		x.killed(20*time.Millisecond, 200*time.Millisecond<<all.later)
	}
	for h.accepts(x) {
		h.written++
		to := ""
		if rows := x.screenNow(); shows(rows, "Planner") && shows(rows, "Reviewer") {
			to = []string{"@root ", "@planner-1 ", "@reviewer-1 "}[rand.IntN(3)]
		}
		_, _ = x.pty.WriteString(fmt.Sprintf("\x15%sNote %d. a word of the person", to, h.written)) // ctrl+u: a key of empties may be in the composer
		_, _ = x.pty.WriteString("\r")
	}
}

// begun waits until the society is shown, whoever the recipient is.
func (x *terminal) begun() *terminal {
	x.t.Helper()
	x.until("the society", func(rows []string) bool { return stands(rows, "to: ") && shows(rows, "root") })
	return x
}

// empties clears a restored draft and its recipient, which are read behind the
// first frame. After a key they are no longer restored.
func (x *terminal) empties() {
	x.t.Helper()
	for typed := false; !typed; {
		to, _ := composing(x.screenNow())
		x.write("z") // no note ends with it
		x.until("a key", func(rows []string) bool {
			now, text := composing(rows)
			typed = strings.HasSuffix(text, "z")
			return typed || now != to
		})
	}
	x.press("ctrl+u")
}

// composing returns the composer's border, which names the recipient, and its
// first row.
func composing(rows []string) (to, text string) {
	at := slices.IndexFunc(rows, func(row string) bool { return strings.Contains(row, " to: ") && strings.HasSuffix(row, "─") })
	if at < 0 {
		return "", ""
	}
	return rows[at], strings.TrimRight(rows[at+1], " ")
}

func (x *terminal) screenNow() []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.screen.Rows()
}

// accepts waits until the last note is shown as accepted; false means that the
// program was killed before. Everything shown meanwhile counts.
func (h *hunt) accepts(x *terminal) (ok bool) {
	h.t.Helper()
	x.wait("a note accepted", func() bool {
		for _, m := range note.FindAllStringSubmatch(strings.Join(x.screen.Rows(), "\n"), -1) {
			n, _ := strconv.Atoi(m[1]) // the pattern has digits only
			if !slices.Contains(h.accepted, n) {
				h.accepted = append(h.accepted, n)
			}
			ok = ok || n == h.written
		}
		return ok || x.ended
	})
	return ok && !x.over()
}

// end waits until all agents are idle, and leaves in order.
func (h *hunt) end(all *hunted) {
	h.t.Helper()
	h.write("config/society-tui/config.toml", "[model]\n"+fast+"\n")
	x := h.open(120, 200).begun()
	x.empties()
	x.write(fmt.Sprintf("@root Note %d. is the last", h.written+1))
	writes := func(rows []string) bool {
		_, text := composing(rows)
		return strings.Contains(text, "is the last")
	}
	x.until("the last note", writes)
	x.press("enter")
	h.written++
	x.until("everybody at rest", func(rows []string) bool {
		return !writes(rows) && stands(rows, "to: root") && !stands(rows, " unread") &&
			!slices.ContainsFunc(tree(rows), func(row string) bool { return strings.ContainsAny(row, "◌⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") })
	})
	// The composer has let go of it. It may have scrolled away before a frame showed it.
	h.accepted = append(h.accepted, h.written)
	x.quit()
	if got := h.run("check"); got.code != 0 {
		h.t.Errorf("the store is not sound: %s", got.err)
	}
	h.audit(all)
	h.storeAlone()
	all.shown += len(h.accepted)
	all.between += h.between
}

// A record is a record of an export: a message, or an entry of a conversation.
type record struct {
	table, agent, id, from, body, kind, text string
	mail                                     int
}

func (h *hunt) records() (list []record) {
	h.t.Helper()
	said := h.run("export")
	var all struct {
		Records []struct {
			Table, ID string
			Record    json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(said.out), &all); err != nil {
		h.t.Fatalf("the export (exit code %d, %s) cannot be read: %v", said.code, said.err, err)
	}
	for _, r := range all.Records {
		var v struct {
			ID, From, Body, K, T string
			Q                    int
		}
		if slices.Contains([]string{"mail", "inbox", "said"}, r.Table) {
			if err := json.Unmarshal(r.Record, &v); err != nil {
				h.t.Fatalf("a record of %s: %v", r.Table, err)
			}
			list = append(list, record{r.Table, r.ID, v.ID, v.From, v.Body, v.K, v.T, v.Q})
		}
	}
	return list
}

// audit compares the disk with what was acknowledged: to the user by the
// screen, to an agent by the result of its call, and by earlier checks.
func (h *hunt) audit(all *hunted) {
	h.t.Helper()
	if _, err := os.Stat(h.path(stored)); err != nil {
		return // it was killed before it began
	}
	there, promised, notes, words := map[string]bool{}, map[string]bool{}, map[int]bool{}, map[int]bool{}
	lastNote, lastTaken := map[string]int{}, map[string]int{}
	taken := map[string]bool{}
	h.between = 0
	for _, r := range h.records() {
		switch {
		case r.table == "mail" || r.table == "inbox":
			h.found(all, !there[r.id], &all.doubled, "message %s of %s is there twice", r.id, r.agent)
			there[r.id] = true
			if r.table == "mail" && r.from != "user" {
				h.between++
			}
			if n, ok := numberOf(r); ok {
				pair, numbers := r.from+" to "+r.agent, words
				if r.from == "user" {
					numbers = notes
				}
				h.found(all, !numbers[n], &all.doubled, "message %d of %s is there twice", n, r.from)
				h.found(all, n > lastNote[pair], &all.disordered, "message %d of %s is behind message %d", n, pair, lastNote[pair])
				numbers[n], lastNote[pair] = true, n
			}
		case r.table == "said" && r.kind == "in":
			key := fmt.Sprint(r.agent, " ", r.mail)
			h.found(all, !taken[key], &all.doubled, "%s took its message %d twice", r.agent, r.mail)
			h.found(all, r.mail > lastTaken[r.agent], &all.disordered, "%s took message %d behind %d", r.agent, r.mail, lastTaken[r.agent])
			taken[key], lastTaken[r.agent] = true, r.mail
		case r.table == "said" && r.kind == "result":
			var result struct {
				MessageID string `json:"messageId"`
			}
			if json.Unmarshal([]byte(r.text), &result) == nil && result.MessageID != "" {
				promised[result.MessageID] = true
			}
		}
	}
	for _, n := range h.accepted {
		h.found(all, notes[n], &all.lost, "note %d was shown as accepted and is lost", n)
	}
	for _, before := range []map[string]bool{promised, h.seen} {
		for id := range before {
			h.found(all, there[id], &all.lost, "message %s was acknowledged and is lost", id)
		}
	}
	h.seen = there
}

// They match messages of the user, and of agents whose endpoint numbers them.
var (
	numberOfUser  = regexp.MustCompile(`^(?:Compare|Note) (\d+)\.`)
	numberOfAgent = regexp.MustCompile(`^Word (\d+)\.`)
)

// numberOf returns the number of a message, which grows from one message to the next of a
// pair; ok is false for a message without one.
func numberOf(r record) (n int, ok bool) {
	numbering := numberOfAgent
	if r.from == "user" {
		numbering = numberOfUser
	}
	m := numbering.FindStringSubmatch(r.body)
	if m == nil {
		return 0, false
	}
	n, err := strconv.Atoi(m[1])
	return n, err == nil
}

func (h *hunt) found(all *hunted, ok bool, count *int, format string, args ...any) {
	h.t.Helper()
	if !ok {
		*count++
		h.t.Errorf("after kill %d: "+format, append([]any{all.kills}, args...)...)
	}
}
