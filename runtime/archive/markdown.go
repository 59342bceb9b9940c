package archive

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// WriteMarkdown writes the conversations of a society, or of a subtree of it, for
// people: who said what to whom and when, with all tool calls. Whatever was said
// stands in a fenced block that nothing in it can end, word for word but for control
// characters, which are shown.
func WriteMarkdown(w io.Writer, tx storage.Tx, o Options) error {
	s, err := load(tx)
	if err != nil {
		return err
	}
	ids, err := o.agents(s)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(w, 64<<10)
	m := &markdown{w: out, tx: tx, s: s, o: o, words: wordsIn(cmp.Or(o.Lang, s.Lang()))}
	title := m.words.society
	if o.Agent != "" {
		title = m.called(o.Agent)
	}
	m.printf("# %s\n", title)
	for _, id := range ids {
		if err := m.agent(s.Agent(id)); err != nil {
			return err
		}
		if _, err := out.Write(nil); err != nil { // the disk is full, or the person has left
			return err
		}
	}
	if o.Agent == "" {
		if err := m.inbox(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// A markdown is a document on its way. Writing errors show at the end, in Flush.
type markdown struct {
	w     *bufio.Writer
	tx    storage.Tx
	s     *society.State
	o     Options
	words words
}

func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(m.w, format, args...) }

// agent writes all that there is of one agent.
func (m *markdown) agent(a *society.Agent) error {
	w := m.words
	m.printf("\n## %s\n\n", m.called(a.ID))
	m.printf("- %s: %s\n- %s: %s\n", w.parent, m.called(a.Parent), w.made, stamp(a.Created))
	m.printf("- %s: %s\n", w.state, m.inline(strings.Join(w.states(a), ", ")))
	m.printf("- %s: %d / %d\n", w.tokens, a.Usage.Input, a.Usage.Output)
	brief, err := tables.Brief(m.tx, a.ID)
	if err != nil {
		return err
	}
	if brief != nil {
		m.printf("\n### %s\n", w.brief)
		m.value(brief)
	}
	if err := m.contacts(a.ID); err != nil {
		return err
	}
	entries, err := tables.Entries(m.tx, a.ID, 0, 0)
	if err != nil {
		return err
	}
	m.printf("\n### %s\n", w.conversation)
	calls := map[string]string{}
	for i := range entries {
		m.entry(a.ID, &entries[i], calls)
		m.o.said()
	}
	return m.waiting(a)
}

// states are an agent's state, as it is called in every language, and the marks beside
// it.
func (w *words) states(a *society.Agent) []string {
	list := []string{string(a.Status)}
	if a.Paused != "" {
		list = append(list, w.paused+string(a.Paused))
	}
	if a.Drain != "" {
		list = append(list, w.draining)
	}
	return list
}

func (m *markdown) contacts(id society.AgentID) error {
	list, err := tables.Contacts(m.tx, id)
	if err != nil || len(list) == 0 {
		return err
	}
	m.printf("\n### %s\n\n", m.words.contacts)
	for i := range list {
		c := &list[i]
		m.printf("- %s · %s · %s", m.inline(c.ID), m.inline(c.Role), m.inline(string(c.Source)))
		if c.IntroducedBy != "" {
			m.printf(" (%s)", m.inline(c.IntroducedBy))
		}
		m.printf("\n")
	}
	return nil
}

// entry writes one step of a conversation. calls remembers the names of calls for
// their results.
func (m *markdown) entry(id society.AgentID, e *conversation.Entry, calls map[string]string) {
	w := m.words
	who := m.called(id)
	text := e.Text
	switch e.Kind {
	case conversation.Inbound, conversation.Dropped:
		who = fmt.Sprintf("%s → %s", m.speaker(e.From, e.FromRole), who)
		text = e.Body
	case conversation.Result:
		who = fmt.Sprintf("%s %s", m.code(calls[e.CallID]), m.code(e.CallID))
	case conversation.Notice:
		who = m.inline(string(society.Runtime))
	}
	m.printf("\n#### %d · %s · %s", e.Slot, stamp(e.At), who)
	for _, mark := range []string{w.kinds[e.Kind], e.Type, string(e.Outcome), e.Cause} {
		if mark != "" {
			m.printf(" · %s", m.inline(mark))
		}
	}
	m.printf("\n")
	if e.Reasoning != "" {
		m.printf("\n%s:\n", w.thinking)
		m.verbatim(e.Reasoning)
	}
	if text != "" {
		m.verbatim(text)
	}
	for _, c := range e.Calls {
		calls[c.ID] = c.Name
		m.printf("\n%s %s %s:\n", w.call, m.code(c.Name), m.code(c.ID))
		m.verbatim(c.Arguments)
	}
}

// waiting writes the messages that the agent has not taken.
func (m *markdown) waiting(a *society.Agent) error {
	letters, err := tables.Waiting(m.tx, a.ID, a.Cursor)
	if err != nil || len(letters) == 0 {
		return err
	}
	m.printf("\n### %s\n", m.words.waiting)
	for i := range letters {
		m.letter(&letters[i].Mail, letters[i].Body, a.ID)
	}
	return nil
}

// inbox writes what the person was told.
func (m *markdown) inbox() error {
	list, err := tables.Inbox(m.tx, 0)
	if err != nil || len(list) == 0 {
		return err
	}
	m.printf("\n## %s\n", m.words.inbox)
	for i := range list {
		m.letter(&list[i].Mail, list[i].Body, society.User)
	}
	return nil
}

func (m *markdown) letter(l *society.Mail, body string, to society.AgentID) {
	m.printf("\n#### %s · %s → %s\n", stamp(l.At), m.speaker(string(l.From), l.Role), m.called(to))
	m.verbatim(body)
}

// called is what an agent is called in a heading: its id, what the person calls it,
// and its role.
func (m *markdown) called(id society.AgentID) string {
	a := m.s.Agent(id)
	if a == nil {
		return m.inline(string(id))
	}
	name := m.inline(string(id))
	if a.Name != "" {
		name += fmt.Sprintf(" “%s”", m.inline(a.Name))
	}
	return fmt.Sprintf("%s (%s)", name, m.inline(m.s.RoleName(id)))
}

func (m *markdown) speaker(id, role string) string {
	if role == "" || role == id {
		return m.inline(id)
	}
	return fmt.Sprintf("%s (%s)", m.inline(id), m.inline(role))
}

// inline is a text within a line: nothing in it is Markdown, and it stays one line.
func (m *markdown) inline(text string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(visible(m.o.redact(text)), "\n", " ") {
		if r < 128 && strings.ContainsRune("\\`*_{}[]()<>#+!|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return cmp.Or(b.String(), "?")
}

// code is a name in the type of a program's text.
func (m *markdown) code(text string) string {
	text = cmp.Or(strings.TrimSpace(strings.ReplaceAll(visible(m.o.redact(text)), "\n", " ")), "?")
	longest := longestRun(text, '`')
	if longest == 0 {
		return "`" + text + "`"
	}
	marks := strings.Repeat("`", longest+1)
	return marks + " " + text + " " + marks
}

// verbatim writes a text in a block of its own. Its fence is longer than any in it.
func (m *markdown) verbatim(text string) {
	text = visible(m.o.redact(text))
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	m.printf("\n%stext\n%s\n%s\n", fence, strings.TrimSuffix(text, "\n"), fence)
}

// value writes a record of ours, field by field.
func (m *markdown) value(v any) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("archive: a record that was read cannot be written: %v", err))
	}
	m.verbatim(b.String())
}

func longestRun(text string, of rune) int {
	longest, run := 0, 0
	for _, r := range text {
		run++
		if r != of {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// stamp is a time as it is written in an export.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	return t.UTC().Format("2006-01-02 15:04:05 UTC")
}

// visible shows what a terminal or an editor would obey or hide instead of showing
// it: control characters, and those that turn the direction of the text. Line ends
// become one kind.
func visible(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < 0x20:
			return 0x2400 + r // its picture
		case r == 0x7f:
			return 0x2421
		case r == 0x2028 || r == 0x2029:
			return '␤'
		case unicode.Is(unicode.Cc, r), unicode.Is(unicode.Bidi_Control, r), r >= 0xe0000 && r <= 0xe007f:
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// words are the document's own.
type words struct {
	society, parent, made, state, tokens, brief, contacts string
	conversation, waiting, inbox, thinking, call          string
	paused, draining                                      string
	kinds                                                 map[conversation.Kind]string
}

func wordsIn(lang protocol.Lang) words {
	if lang == protocol.Chinese {
		return words{
			society: "智能体社会", parent: "上级", made: "创建于", state: "状态", tokens: "令牌（输入 / 输出）",
			brief: "任务书", contacts: "联系人", conversation: "对话", waiting: "等待中的消息", inbox: "发给用户的消息",
			thinking: "思考", call: "调用", paused: "已暂停：", draining: "正在收尾",
			kinds: map[conversation.Kind]string{
				conversation.Result: "结果", conversation.Summary: "摘要", conversation.Merged: "分支合并",
				conversation.Notice: "通知", conversation.Superseded: "已作废", conversation.Aborted: "已中止", conversation.Dropped: "未读，已丢弃",
			},
		}
	}
	return words{
		society: "Society", parent: "Parent", made: "Made", state: "State", tokens: "Tokens in / out",
		brief: "Brief", contacts: "Contacts", conversation: "Conversation", waiting: "Waiting messages", inbox: "Messages to the user",
		thinking: "Thinking", call: "Call", paused: "paused: ", draining: "draining",
		kinds: map[conversation.Kind]string{
			conversation.Result: "result", conversation.Summary: "summary", conversation.Merged: "branches merged",
			conversation.Notice: "notice", conversation.Superseded: "superseded", conversation.Aborted: "aborted", conversation.Dropped: "dropped unread",
		},
	}
}
