package transcript_test

import (
	"fmt"
	goruntime "runtime"
	"testing"

	stored "society-tui/runtime/conversation"
)

// The memory of a conversation depends on what there is to show, not on how
// often it changed. The test measures the heap, so it runs alone.
func TestMemoryDoesNotDependOnHowOftenAConversationGrew(t *testing.T) {
	const turns = 300
	sh := &shelf{entries: make([]stored.Entry, 0, 2*turns)}
	empty := heap()
	r := opened(plainly(), sh)
	for i := range turns {
		id := fmt.Sprint("call-", i)
		sh.say(r, stored.Entry{Kind: stored.Answer, From: "root", Text: "I look.", Calls: []stored.Call{call(id, "look", `{"about":"it"}`)}})
		sh.say(r, stored.Entry{Kind: stored.Result, CallID: id, Outcome: stored.Failed, Text: "nothing there"})
		r.Rows(80, 24)
	}
	sh.asked = nil
	grown := heap() - empty
	before := heap()
	anew := opened(plainly(), sh)
	anew.Rows(80, 24)
	fresh := heap() - before
	goruntime.KeepAlive(r)
	goruntime.KeepAlive(anew)
	t.Logf("after %d turns it keeps %d KiB, one that is opened then %d KiB", turns, grown>>10, fresh>>10)
	if most := 4*max(fresh, 0) + 1<<20; grown > most {
		t.Errorf("after %d turns it keeps %d bytes, more than %d", turns, grown, most)
	}
}

func heap() int {
	var m goruntime.MemStats
	goruntime.GC()
	goruntime.GC() // frees what finalizers of the first run released
	goruntime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
