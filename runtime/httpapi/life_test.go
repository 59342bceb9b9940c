package httpapi_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// A life is a society in which things happen at random, over several runs of the program.
type life struct {
	*site
	rand  *rand.Rand
	disk  *memdb.Store
	store *storagetest.Faulty
	texts []string // that the user may send
	model llm.Model
}

func newLife(t tester, seed uint64, model llm.Model, texts ...string) *life {
	t.Helper()
	l := &life{rand: rand.New(rand.NewPCG(1, seed)), disk: memdb.New(), texts: texts, model: model}
	l.open(t)
	return l
}

func (l *life) open(t tester) {
	t.Helper()
	l.store = storagetest.NewFaulty(l.disk)
	l.site = open(t, ground{model: l.model, store: l.store})
}

// restart ends the program and starts it again; killed, it begins with what was on disk.
func (l *life) restart(killed bool) {
	l.Helper()
	t := l.tester
	if killed {
		l.disk = l.disk.Clone()
	} else {
		l.store.Heal()
	}
	l.leave()
	l.open(t)
}

// act does something as a user would. What is refused is no mistake.
func (l *life) act() {
	l.Helper()
	agents := get[agentList](l.site, "/api/agents").Agents
	id := agents[l.rand.IntN(len(agents))].ID
	text := quote(l.texts[l.rand.IntN(len(l.texts))])
	path, body := "/api/agents/"+id, ""
	switch n := l.rand.IntN(20); {
	case n < 6:
		path, body = "/api/send", fmt.Sprintf(`{"agentId":%q,"text":%s}`, id, text)
	case n == 6:
		path, body = "/api/submit", `{"text":`+text+`}`
	case n < 10 && len(agents) < 10:
		path, body = "/api/agents", fmt.Sprintf(`{"parentId":%q,"roleId":"role-root","text":%s}`, id, text)
	case n < 12:
		path += "/stop"
	case n < 15:
		path += "/resume"
	case n < 16 || len(agents) > 7:
		path += "/terminate"
	case n < 17:
		path += "/interrupt"
	case n < 18:
		path += "/pause"
	case n < 19:
		l.store.FailAll(errors.New("the disk is full"))
		return
	default:
		l.store.Heal()
		return
	}
	if got := l.serve(l.request("POST", path, body)); got.code == 500 {
		l.Fatalf("POST %s %s = %d %s", path, body, got.code, got.body)
	}
}

// A dictation is a model that does as the last message of the user says, at its own pace, and
// keeps no record: "hang" hangs, "fail" fails, "many N" sends the user N messages first,
// "slow" has many words, "torn" sometimes fails in the middle, and anything else is answered.
type dictation struct{ pause time.Duration }

func (dictation) Name() string { return "dictation" }

func (d dictation) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	var text string
	sent := 0
	for _, m := range req.Messages {
		switch m.Role {
		case llm.User:
			text, sent = m.Text, 0
		case llm.Tool:
			sent++
		}
	}
	_, many, _ := strings.Cut(text, "many ")
	n, _ := strconv.Atoi(many[:min(1, len(many))])
	answer := llmtest.Say("done")
	switch {
	case strings.Contains(text, "hang"):
		answer = llmtest.HangAfter("hm")
	case strings.Contains(text, "fail"):
		answer = llmtest.Fail(&llm.Error{Class: llm.Auth, Status: 401, Text: "no"})
	case strings.Contains(text, "torn") && rand.IntN(2) == 0:
		answer = llmtest.FailAfter("well well well ", &llm.Error{Class: llm.Overload, Text: "torn", Truncated: true})
	case strings.Contains(text, "slow"), strings.Contains(text, "torn"):
		answer = llmtest.Say(strings.Repeat("é中 word ", 5))
	case sent < n:
		answer = llmtest.CallTools(llm.Call{ID: fmt.Sprintf("%d-%d", len(req.Messages), sent), Name: "send_message", Arguments: fmt.Sprintf(`{"to":["user"],"payload":{"text":"part %d"}}`, sent)})
	}
	return func(yield func(llm.Chunk, error) bool) {
		for chunk, err := range answer(ctx, req) {
			if d.pause > 0 && chunk.Text != "" {
				time.Sleep(time.Duration(rand.Int64N(int64(d.pause))))
			}
			if ctx.Err() != nil {
				chunk, err = llm.Chunk{}, ctx.Err()
			}
			if !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}
