package runtime

import (
	"encoding/json"
	"slices"
	"strconv"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/read"
	"society-tui/storage"
)

// The codes of texts that cannot be read.
const (
	textNotFound society.Code = "not_found"
	textNotYours society.Code = "not_yours"
)

// readText is the tool read: a page of a text that was too long to be sent to the
// agent's model whole, of a size that is sent whole.
func (r *Runtime) readText(t *modelCall, w society.Act) tool.Result {
	req, why := read.Parse(t.lang, w.Call.Arguments)
	if why != nil {
		return t.unread(society.InvalidArguments, why)
	}
	path, text, instead := r.textFor(t, req)
	if instead != nil {
		return *instead
	}
	return t.page(path, text, req.Offset, req.Limit)
}

// textFor returns the text at a path, and the path by which it is shown, or the result of a
// call that reads an image or nothing.
func (r *Runtime) textFor(t *modelCall, req read.Request) (path, text string, instead *tool.Result) {
	if req.Kind == read.Artifact {
		return r.artifactText(t, artifactAt(req.ID, req.Offset))
	}
	var code society.Code
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		text, code, err = textAt(tx, t.lang, t.item.Agent, req)
		return err
	})
	switch {
	case err != nil:
		return "", "", t.notRead(society.StoreUnavailable, protocol.Because(protocol.HistoryUnread, err))
	case code == textNotFound:
		return "", "", t.notRead(code, protocol.Because(protocol.NoText, req.Path))
	case code == textNotYours:
		return "", "", t.notRead(code, protocol.Because(protocol.NotYours, req.Path))
	}
	return req.Path, text, nil
}

// grepText is the tool grep in a text that is no file: what was left out of a result is
// found without reading all of it.
func (r *Runtime) grepText(t *modelCall, w society.Act, path string) (tool.Result, error) {
	arguments, err := json.Marshal(map[string]string{"path": path})
	if err != nil {
		return tool.Result{}, err
	}
	req, why := read.Parse(t.lang, string(arguments))
	if why != nil {
		return t.unread(society.InvalidArguments, why), nil
	}
	shown, text, instead := r.textFor(t, req)
	switch {
	case instead == nil:
		return files.GrepText(callerOf(t, w.WorkItem, w.Call.ID), json.RawMessage(w.Call.Arguments), shown, text)
	case instead.Image != nil:
		return t.unread(society.InvalidArguments, protocol.Because(protocol.ArtifactBinary, req.ID, typeOf(instead.Image.Data), len(instead.Image.Data))), nil
	}
	return *instead, nil
}

// page returns the lines of a text from an offset on, as many as are sent whole.
func (t *modelCall) page(path, text string, offset, limit int) tool.Result {
	page := conversation.PageOf(text, offset, limit, t.budgets.Page())
	head := protocol.Sentence(t.lang, protocol.LastLinesOf, page.First, page.Last, page.Lines)
	switch {
	case page.Last < page.First:
		return t.unread(society.InvalidArguments, protocol.Because(protocol.PastTheEnd, path, page.Lines, offset))
	case page.Last < page.Lines:
		head = protocol.Sentence(t.lang, protocol.LinesOf, page.First, page.Last, page.Lines, page.Last+1)
	}
	return tool.Result{Text: head + "\n" + page.Text}
}

// unread is the result of a call that reads nothing.
func (t *modelCall) unread(code society.Code, why *protocol.Reason) tool.Result {
	return tool.Result{Text: errorResult(code, why.In(t.lang)), Failed: true}
}

// notRead is unread for whoever else would get a text.
func (t *modelCall) notRead(code society.Code, why *protocol.Reason) *tool.Result {
	result := t.unread(code, why)
	return &result
}

// textAt returns the text at a path for its reader, or the code of why it cannot be
// read.
func textAt(tx storage.Tx, lang protocol.Lang, reader society.AgentID, req read.Request) (text string, code society.Code, err error) {
	switch req.Kind {
	case read.Message:
		m, found, err := tables.FindMessage(tx, reader, society.MessageID(req.ID))
		switch {
		case err != nil || !found:
			return "", textNotFound, err
		case m.From != reader && m.To != reader:
			return "", textNotYours, nil
		}
		return m.Body, "", nil
	case read.Entry:
		return entryAt(tx, reader, req.ID)
	case read.Brief:
		return briefOf(tx, lang, reader, req.ID)
	}
	e, found, err := tables.FindEntry(tx, reader, func(e *conversation.Entry) bool {
		if req.Kind == read.Result {
			return e.Kind == conversation.Result && e.CallID == req.ID
		}
		return callOf(e, req.ID) >= 0
	})
	switch {
	case err != nil || !found:
		return "", textNotFound, err
	case req.Kind == read.Call:
		return e.Calls[callOf(&e, req.ID)].Arguments, "", nil
	}
	return e.Text, "", nil
}

// callOf returns which of an answer's calls has an id, -1 if none has.
func callOf(e *conversation.Entry, id string) int {
	return slices.IndexFunc(e.Calls, func(c conversation.Call) bool { return c.ID == id })
}

// entryAt returns the text in a slot of the reader's conversation, if a model may
// see it.
func entryAt(tx storage.Tx, reader society.AgentID, number string) (text string, code society.Code, err error) {
	slot, err := strconv.ParseUint(number, 10, 63)
	if err != nil {
		return "", textNotFound, nil // it is no number
	}
	entries, err := tables.Entries(tx, reader, slot, slot+1)
	if err != nil || len(entries) == 0 || !entries[0].Kind.InContext() {
		return "", textNotFound, err
	}
	_, text = entries[0].Own()
	return text, "", nil
}

// briefOf returns the reader's brief as its system prompt says it.
func briefOf(tx storage.Tx, lang protocol.Lang, reader society.AgentID, of string) (text string, code society.Code, err error) {
	if of != string(reader) {
		return "", textNotYours, nil
	}
	b, err := tables.Brief(tx, reader)
	if err != nil || b == nil {
		return "", textNotFound, err
	}
	return protocol.BriefText(lang, *b), "", nil
}
