package tables

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
)

// The records of every turn are written out by hand, byte for byte as package json
// would: to look at each of their fields through reflection takes most of the time
// of a commit (PERFORMANCE.md 3). A record that holds JSON of an endpoint's, or the run
// of a graph, is left to package json.

// appendRecord adds the record of v; ok is false for one that is left to package
// json.
func appendRecord(b []byte, v any) (_ []byte, ok bool) {
	switch v := v.(type) {
	case *Letter:
		return v.appendTo(b), true
	case *society.Agent:
		if v.Rare != nil && v.Ran != nil || v.Turn != nil && (v.Turn.Run != nil || extra(v.Turn.Calls)) {
			return b, false
		}
		return appendAgent(b, v), true
	case conversation.Entry:
		if len(v.Extra) > 0 || extra(v.Calls) {
			return b, false
		}
		return appendEntry(b, &v), true
	case society.Counters:
		return appendCounters(b, &v), true
	}
	return b, false
}

// extra says whether the endpoint wants something back with a call, which is JSON of
// its own.
func extra(calls []conversation.Call) bool {
	return slices.ContainsFunc(calls, func(c conversation.Call) bool { return len(c.Extra) > 0 })
}

func appendEntry(b []byte, e *conversation.Entry) []byte {
	b = strconv.AppendUint(append(b, `{"s":`...), e.Slot, 10)
	b = appendText(b, `,"k":`, string(e.Kind))
	b = appendTimeUnless(b, `,"at":`, e.At)
	b = appendUnless(b, `,"t":`, e.Text)
	b = appendUnless(b, `,"b":`, e.Body)
	b = appendUnless(b, `,"r":`, e.Reasoning)
	b = appendCalls(b, `,"c":`, e.Calls)
	b = appendUnless(b, `,"ci":`, e.CallID)
	b = appendUnless(b, `,"o":`, string(e.Outcome))
	b = appendUnless(b, `,"f":`, e.From)
	b = appendUnless(b, `,"fr":`, e.FromRole)
	b = appendUnless(b, `,"to":`, e.To)
	b = appendUnless(b, `,"ty":`, e.Type)
	b = appendUnless(b, `,"m":`, e.MessageID)
	b = appendUnless(b, `,"ta":`, e.TaskID)
	b = appendCount(b, `,"q":`, e.Seq)
	b = appendTexts(b, `,"qr":`, e.Quick)
	b = appendNumber(b, `,"tk":`, e.Tokens)
	b = appendNumber(b, `,"d":`, e.Took)
	b = appendUnless(b, `,"w":`, e.Cause)
	b = appendMark(b, `,"z":`, e.Compressed)
	if q := e.Squeezed; q != nil {
		b = strconv.AppendInt(append(b, `,"sq":{"n":`...), int64(q.Entries), 10)
		b = appendNumber(b, `,"b":`, q.Before)
		b = appendNumber(b, `,"a":`, q.After)
		b = appendMark(b, `,"s":`, q.ByItself)
		b = appendNumber(b, `,"l":`, q.Left)
		b = append(appendCount(b, `,"u":`, q.Upto), '}')
	}
	b = appendUnless(b, `,"mo":`, e.Model)
	b = appendUnless(b, `,"no":`, e.Node)
	return append(appendNumber(b, `,"br":`, e.Branch), '}')
}

func appendCalls(b []byte, name string, calls []conversation.Call) []byte {
	return appendList(b, name, calls, func(b []byte, c *conversation.Call) []byte {
		b = appendText(b, `{"id":`, c.ID)
		b = appendUnless(b, `,"pid":`, c.ProviderID)
		b = appendText(b, `,"n":`, c.Name)
		b = appendUnless(b, `,"a":`, c.Arguments)
		return append(appendUnless(b, `,"p":`, c.Problem), '}')
	})
}

func appendCounters(b []byte, c *society.Counters) []byte {
	b = strconv.AppendUint(append(b, `{"seq":`...), c.Seq, 10)
	b = strconv.AppendUint(append(b, `,"order":`...), c.Order, 10)
	if c.Names == nil {
		b = append(b, `,"names":null`...)
	} else {
		b = appendNumbers(b, `,"names":`, c.Names)
	}
	b = appendText(b, `,"lang":`, string(c.Lang))
	b = appendNumber(b, `,"unread":`, c.Unread)
	if len(c.Planted) > 0 {
		b = appendNumbers(b, `,"planted":`, c.Planted)
	}
	b = appendCount(b, `,"salt":`, uint64(c.Salt))
	return append(appendCount(b, `,"delayed":`, c.Delayed), '}')
}

func appendAgent(b []byte, a *society.Agent) []byte {
	b = appendText(b, `{"id":`, string(a.ID))
	b = appendText(b, `,"status":`, string(a.Status))
	b = appendMark(b, `,"reported":`, a.Reported)
	b = appendUnless(b, `,"paused":`, string(a.Paused))
	b = appendTime(b, `,"since":`, a.Since)
	if a.Turn != nil {
		b = appendTurn(append(b, `,"turn":`...), a.Turn)
	}
	b = strconv.AppendUint(append(b, `,"epoch":`...), a.Epoch, 10)
	b = strconv.AppendUint(append(b, `,"step":`...), a.Step, 10)
	b = appendList(b, `,"open":`, a.Open, appendStep)
	b = appendCount(b, `,"cursor":`, a.Cursor)
	b = appendTexts(b, `,"owes":`, a.Owes)
	b = appendTexts(b, `,"asked":`, a.Asked)
	b = appendTail(append(b, `,"tail":`...), &a.Tail)
	b = appendText(b, `,"role":`, string(a.Role))
	b = appendText(b, `,"parent":`, string(a.Parent))
	b = strconv.AppendInt(append(b, `,"depth":`...), int64(a.Depth), 10)
	b = strconv.AppendUint(append(b, `,"order":`...), a.Order, 10)
	b = appendTime(b, `,"created":`, a.Created)
	b = appendUnless(b, `,"task":`, string(a.Task))
	b = appendUnless(b, `,"doing":`, a.Doing)
	b = appendUnless(b, `,"purpose":`, a.Purpose)
	b = appendUsage(b, `,"usage":`, a.Usage)
	if a.Rare != nil {
		b = appendRare(b, a.Rare)
	}
	return append(b, '}')
}

func appendRare(b []byte, r *society.Rare) []byte {
	b = appendUnless(b, `,"name":`, r.Name)
	b = appendUnless(b, `,"error":`, r.Error)
	b = appendUnless(b, `,"drain":`, string(r.Drain))
	if d := r.Drained; d != nil {
		b = appendText(b, `,"drained":{"by":`, string(d.By))
		b = appendText(b, `,"call":`, d.CallID)
		b = appendUnless(b, `,"reason":`, d.Reason)
		b = appendTime(b, `,"deadline":`, d.Deadline)
		b = append(appendNumber(b, `,"taken":`, d.Taken), '}')
	}
	if e := r.Ending; e != nil {
		b = appendText(b, `,"ending":{"by":`, string(e.By))
		b = appendUnless(b, `,"reason":`, e.Reason)
		b = appendNumber(b, `,"cutOff":`, e.CutOff)
		b = appendNumber(b, `,"dropped":`, e.Dropped)
		b = append(appendUnless(b, `,"call":`, e.CallID), '}')
	}
	if q := r.Asks; q != nil {
		b = strconv.AppendUint(append(b, `,"asks":{"seq":`...), q.Seq, 10)
		b = appendTexts(b, `,"replies":`, q.Replies)
		b = append(appendUnless(b, `,"line":`, q.Line), '}')
	}
	b = appendNumber(b, `,"unread":`, r.Unread)
	b = appendUnless(b, `,"planted":`, r.Planted)
	b = appendList(b, `,"panics":`, r.Panics, func(b []byte, at *time.Time) []byte { return appendTime(b, "", *at) })
	b = appendUsage(b, `,"ended":`, r.Ended)
	return appendNumber(b, `,"branched":`, r.Branched)
}

func appendUsage(b []byte, name string, u society.Usage) []byte {
	b, at := opened(b, name)
	b = appendNumber(b, `,"in":`, u.Input)
	return closed(appendNumber(b, `,"out":`, u.Output), at)
}

func appendTail(b []byte, t *conversation.Tail) []byte {
	b, at := opened(b, "")
	b = appendCount(b, `,"next":`, t.Next)
	if t.Group != nil {
		b = appendGroup(append(b, `,"group":`...), t.Group)
	}
	b = appendCount(b, `,"first":`, t.First)
	b = appendLoad(b, &t.Load)
	return closed(appendNumber(b, `,"scale":`, t.Scale), at)
}

func appendGroup(b []byte, g *conversation.Group) []byte {
	b = strconv.AppendUint(append(b, `{"slot":`...), g.Slot, 10)
	if len(g.Calls) > 0 {
		b = appendList(b, `,"calls":`, g.Calls, appendOpenCall)
	} else if g.Calls == nil {
		b = append(b, `,"calls":null`...)
	} else {
		b = append(b, `,"calls":[]`...)
	}
	b = appendNumber(b, `,"weight":`, g.Weight)
	b = appendNumber(b, `,"branch":`, g.Branch)
	return append(appendList(b, `,"beside":`, g.Beside, appendGroup), '}')
}

func appendOpenCall(b []byte, c *conversation.OpenCall) []byte {
	b = appendText(b, `{"id":`, c.ID)
	b = appendUnless(b, `,"name":`, c.Name)
	return append(appendMark(b, `,"done":`, c.Done), '}')
}

func appendLoad(b []byte, l *conversation.Load) []byte {
	b = appendNumber(b, `,"count":`, l.Count)
	b = appendNumber(b, `,"tokens":`, l.Tokens)
	b = appendNumber(b, `,"since":`, l.Since)
	return appendMark(b, `,"measured":`, l.Measured)
}

func appendStep(b []byte, s *society.Step) []byte {
	b = strconv.AppendUint(append(b, `{"n":`...), s.N, 10)
	b = appendText(b, `,"kind":`, string(s.Kind))
	b = appendUnless(b, `,"call":`, s.Call)
	b = appendMark(b, `,"writes":`, s.Writes)
	b = appendTimeUnless(b, `,"until":`, s.Until)
	b = appendMark(b, `,"plain":`, s.Plain)
	b = appendMark(b, `,"squeezes":`, s.Squeezes)
	b = appendMark(b, `,"squeezed":`, s.Squeezed)
	b = appendMark(b, `,"held":`, s.Held)
	b = appendMark(b, `,"drain":`, s.Drain)
	b = appendMark(b, `,"post":`, s.Post)
	b = appendMark(b, `,"run":`, s.Run)
	b = appendMark(b, `,"due":`, s.Due)
	b = appendCount(b, `,"work":`, s.Work)
	return append(appendNumber(b, `,"attempt":`, s.Attempt), '}')
}

func appendTurn(b []byte, t *society.Turn) []byte {
	b, at := opened(b, "")
	b = appendUnless(b, `,"task":`, string(t.Task))
	b = appendTime(b, `,"begun":`, t.Begun)
	b = appendCount(b, `,"from":`, t.From)
	b = appendNumber(b, `,"rounds":`, t.Rounds)
	b = appendMark(b, `,"suspended":`, t.Suspended)
	b = appendNumber(b, `,"dropped":`, t.Dropped)
	b = appendCalls(b, `,"calls":`, t.Calls)
	b = appendCount(b, `,"work":`, t.Work)
	if len(t.Repeats) > 0 {
		b = appendNumbers(b, `,"repeats":`, t.Repeats)
	}
	if r := t.Retry; r != nil {
		b = appendTime(b, `,"retry":{"at":`, r.At)
		b = appendText(b, `,"cause":`, r.Cause)
		b = append(appendNumber(b, `,"attempt":`, r.Attempt), '}')
	}
	b = appendList(b, `,"loads":`, t.Loads, func(b []byte, l *society.BranchLoad) []byte {
		b = strconv.AppendInt(append(b, `{"branch":`...), int64(l.Branch), 10)
		return append(appendLoad(b, &l.Load), '}')
	})
	b = appendMark(b, `,"held":`, t.Held)
	return closed(appendTimeUnless(b, `,"rested":`, t.Rested), at)
}

// opened begins an object whose first field may be absent: each brings the comma
// before it, and closed takes the first one away.
func opened(b []byte, name string) (_ []byte, at int) {
	b = append(append(b, name...), '{')
	return b, len(b)
}

func closed(b []byte, at int) []byte {
	if len(b) > at {
		b = append(b[:at], b[at+1:]...)
	}
	return append(b, '}')
}

func appendList[V any](b []byte, name string, list []V, one func([]byte, *V) []byte) []byte {
	if len(list) == 0 {
		return b
	}
	b = append(append(b, name...), '[')
	for i := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, &list[i])
	}
	return append(b, ']')
}

func appendTexts[S ~string](b []byte, name string, list []S) []byte {
	return appendList(b, name, list, func(b []byte, s *S) []byte { return appendText(b, "", string(*s)) })
}

// appendNumbers adds a map in the order of its keys.
func appendNumbers[N int | uint64](b []byte, name string, m map[string]N) []byte {
	b, at := opened(b, name)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		b = append(appendText(b, ",", key), ':')
		if n := m[key]; n < 0 {
			b = strconv.AppendInt(b, int64(n), 10)
		} else {
			b = strconv.AppendUint(b, uint64(n), 10)
		}
	}
	return closed(b, at)
}

func appendCount(b []byte, name string, n uint64) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendUint(append(b, name...), n, 10)
}

func appendMark(b []byte, name string, is bool) []byte {
	if !is {
		return b
	}
	return append(append(b, name...), `true`...)
}

func appendTimeUnless(b []byte, name string, at time.Time) []byte {
	if at.IsZero() {
		return b
	}
	return appendTime(b, name, at)
}
