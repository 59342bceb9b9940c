package details

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	said "society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// mostRaw is how much of a stored record is shown.
const mostRaw = 16 << 10

// A record is a stored message, read to be shown in full.
type record struct {
	of      transcript.Picked
	entry   *said.Entry
	result  *said.Entry // of the call, if it is one
	waiting *api.Waiting
	err     error
}

// showMessage shows the message under the cursor in full.
func (f *Feature) showMessage() tea.Cmd {
	of, ok := f.cfg.Picked()
	switch {
	case !ok:
		return f.Inform(f.Text(noMessage), "")
	case of.Unended:
		return f.Inform(f.Text(unended), "")
	}
	return page.Later(f.Screen, func(ctx context.Context) record {
		r := record{of: of}
		switch {
		case of.Waiting:
			r.waiting, r.err = readWaiting(ctx, f.Society, of)
		case of.Agent == society.User:
			r.entry, r.err = readInboxed(ctx, f.Society, of)
		default:
			r.entry, r.result, r.err = readEntry(ctx, f.Society, of)
		}
		return r
	}, f.onRecord)
}

func readWaiting(ctx context.Context, s api.Society, of transcript.Picked) (*api.Waiting, error) {
	page, err := s.Entries(ctx, of.Agent, math.MaxUint64, 0)
	if at := slices.IndexFunc(page.Waiting, func(w api.Waiting) bool { return w.Seq == of.Slot }); at >= 0 {
		return &page.Waiting[at], nil
	}
	return nil, err
}

func readInboxed(ctx context.Context, s api.Society, of transcript.Picked) (*said.Entry, error) {
	messages, err := s.Inbox(ctx, api.InboxQuery{From: of.Slot})
	if err != nil || len(messages) == 0 || messages[0].Seq != of.Slot {
		return nil, err
	}
	m := &messages[0]
	return &said.Entry{
		Slot: m.Seq, Kind: said.Inbound, At: m.At, Body: m.Body, From: string(m.From), FromRole: m.Role, To: string(society.User),
		Type: string(m.Type), MessageID: string(m.ID), TaskID: string(m.Task), Seq: m.Seq, Quick: m.Quick,
	}, nil
}

// readEntry reads an entry and, for a call, its result: results have the slots
// behind the answer.
func readEntry(ctx context.Context, s api.Society, of transcript.Picked) (entry, result *said.Entry, err error) {
	page, err := s.Entries(ctx, of.Agent, of.Slot, of.Slot+1)
	if err != nil || len(page.Entries) == 0 {
		return nil, nil, err
	}
	entry = &page.Entries[0]
	if of.Call < 0 || of.Call >= len(entry.Calls) {
		return entry, nil, nil
	}
	page, err = s.Entries(ctx, of.Agent, of.Slot+1, of.Slot+1+uint64(len(entry.Calls)))
	for i := range page.Entries {
		if e := &page.Entries[i]; e.Kind == said.Result && e.CallID == entry.Calls[of.Call].ID {
			result = e
		}
	}
	return entry, result, err
}

// onRecord opens the dialog of a message.
func (f *Feature) onRecord(r record) tea.Cmd {
	switch {
	case r.err != nil:
		return f.Explain(r.err)
	case r.waiting != nil:
		return f.open(f.Text(messageFrom, f.Replica.Name(r.waiting.From)), slices.Concat(f.ofWaiting(r), f.raw(r.waiting)))
	case r.entry == nil:
		return f.Inform(f.Text(noMessage), "") // it was removed meanwhile
	case r.of.Call >= 0 && r.of.Call < len(r.entry.Calls):
		call := &r.entry.Calls[r.of.Call]
		body := slices.Concat(f.ofEntry(r.entry), f.ofCall(call, r.result), f.raw(call))
		if r.result != nil {
			body = slices.Concat(body, f.raw(r.result))
		}
		return f.open(f.Text(callOf, sanitize.Line(call.Name, page.NameCells)), body)
	default:
		sender := cmp.Or(r.entry.From, string(r.of.Agent))
		body := f.ofEntry(r.entry)
		if r.entry.Kind == said.Notice {
			body = slices.Concat(body, f.failure(r.entry.Text, r.entry.Cause, ""))
		}
		return f.open(f.Text(messageFrom, f.Replica.Name(society.AgentID(sender))), slices.Concat(body, f.raw(r.entry)))
	}
}

func (f *Feature) ofEntry(e *said.Entry) []dialog.Line {
	duration := ""
	if e.Took > 0 {
		duration = f.took(e.Took)
	}
	seq := ""
	if e.Seq != 0 {
		seq = strconv.FormatUint(e.Seq, 10)
	}
	return f.facts(
		fact{kind, string(e.Kind)}, fact{id, e.MessageID}, fact{from, f.agent(e.From, e.FromRole)}, fact{to, f.agent(e.To, "")},
		fact{typ, e.Type}, fact{task, e.TaskID}, fact{number, seq}, fact{at, moment(e.At)},
		fact{took, duration}, fact{tokens, count(e.Tokens)}, fact{model, symbols.ModelName(f.Printer, e.Model)}, fact{node, e.Node}, fact{branch, count(e.Branch)},
		fact{outcome, string(e.Outcome)}, fact{cause, e.Cause},
	)
}

// took says a duration as long as it needs: there is room.
func (f *Feature) took(d time.Duration) string {
	if f.Printer.Lang == protocol.Chinese {
		return i18n.Duration(d.Round(100 * time.Millisecond)).In(f.Printer.Lang)
	}
	return symbols.Took(d)
}

func (f *Feature) ofCall(c *said.Call, result *said.Entry) []dialog.Line {
	lines := f.facts(fact{id, c.ID}, fact{cause, c.Problem})
	if result == nil {
		return lines
	}
	return slices.Concat(lines, f.facts(
		fact{outcome, string(result.Outcome)}, fact{at, moment(result.At)}, fact{took, f.took(result.Took)},
	))
}

func (f *Feature) ofWaiting(r record) []dialog.Line {
	m := r.waiting
	return f.facts(
		fact{from, f.agent(string(m.From), m.Role)}, fact{to, f.agent(string(r.of.Agent), "")}, fact{typ, string(m.Type)},
		fact{number, strconv.FormatUint(m.Seq, 10)}, fact{at, moment(m.At)}, fact{due, moment(m.Due)},
	)
}

// raw formats a record as JSON.
func (f *Feature) raw(record any) []dialog.Line {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(record); err != nil {
		return nil // unreachable: it was read from JSON
	}
	text := strings.TrimSpace(b.String())
	lines := []dialog.Line{{}, {Tone: dialog.Strong, Text: f.Text(stored)}}
	if all := len(text); all > mostRaw {
		text = strings.ToValidUTF8(text[:mostRaw], "")
		lines = append(lines, dialog.Line{Tone: dialog.Warning, Text: f.Text(storedCut, symbols.Bytes(mostRaw), symbols.Bytes(all))})
	}
	for line := range strings.SplitSeq(sanitize.Text(text), "\n") {
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Text: line})
	}
	return lines
}
