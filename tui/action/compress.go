package action

import (
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// whyCells bounds the reason why nothing was compressed, which may quote an endpoint.
const whyCells = 300

// Compress makes the action that compresses the contexts of agents at rest. keep is how many
// of the newest entries stay, 0 for as many as have room; cut leaves the oldest out without a
// summary.
func (b *Builder) Compress(ids []society.AgentID, keep int, cut bool) Action {
	if why := b.refusedVerb(Compress, ids); !why.Empty() {
		return Action{Verb: Compress, Refused: why}
	}
	ids = b.Present(ids)
	o := newAction(b, Compress, ids,
		func(id society.AgentID) society.CompressContext {
			return society.CompressContext{Agent: id, Keep: keep, Cut: cut}
		},
		func(well []answered[society.ContextCompression]) Notice {
			var all Notice
			for _, done := range well {
				all = all.And(b.compressed(done.agent, done.reply), b.Dot)
			}
			return all
		})
	o.Progress = b.text(progress[Compress], b.Names(ids))
	o.Chosen, o.For = ids, func(ids []society.AgentID) Action { return b.Compress(ids, keep, cut) }
	o.Explain = func(done Outcome) Notice { return b.refusedTo(Compress, done) }
	return o
}

// compressed reports what a compression did, or why it did nothing.
func (b *Builder) compressed(id society.AgentID, c society.ContextCompression) Notice {
	name := b.Society.Name(id)
	if !c.Compressed {
		return Notice{Warned, b.text(textNotCompressed, name, sanitize.Line(c.Why, whyCells)), b.text(textHintKeepLess)}
	}
	entries := b.Printer.N(textEntries, c.Entries, symbols.Count(c.Entries))
	if c.Left > 0 {
		entries = b.text(textWithoutSummary, entries, symbols.Count(c.Left))
	}
	said := b.text(textContextCompressed, name, entries, symbols.Tokens(c.Before), symbols.Tokens(c.After))
	hint := ""
	if row, _ := b.Society.Row(id); row.Error != "" {
		hint = b.text(textHintRetryFull)
	}
	return Notice{Told, said, hint}
}
