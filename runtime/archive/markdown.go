package archive

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// WriteMarkdown writes the conversations of a society, or of a subtree, for people: who
// said what to whom and when, with all tool calls. Messages keep their Markdown inside
// quotes that they cannot end, without HTML, images and link definitions. Arguments and
// results of tools stand in fenced blocks, unchanged. Control characters are made
// visible.
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
		title = m.title(o.Agent)
	}
	m.printf("# %s\n", title)
	if n := o.unfinished(s, ids); n > 0 {
		m.printf("\n%s\n", m.words.midTurn(n, len(ids)))
	}
	for _, id := range ids {
		if len(ids) > 1 || o.Agent == "" { // else the title names it
			m.printf("\n## %s\n", m.title(id))
		}
		if err := m.agent(s.Agent(id)); err != nil {
			return err
		}
		if _, err := out.Write(nil); err != nil { // the disk is full, or the user has left
			return err
		}
	}
	if o.Agent == "" {
		if err := errors.Join(m.inbox(), m.artifacts()); err != nil {
			return err
		}
	}
	return out.Flush()
}

// A markdown is a document that is being written. Errors of writing show in Flush.
type markdown struct {
	w     *bufio.Writer
	tx    storage.Tx
	s     *society.State
	o     Options
	words words
}

func (m *markdown) printf(format string, args ...any) { fmt.Fprintf(m.w, format, args...) }

// agent writes everything about one agent.
func (m *markdown) agent(a *society.Agent) error {
	w := m.words
	m.printf("\n- %s%s\n- %s%s\n", w.parent+w.colon, m.name(a.Parent), w.made+w.colon, m.stamp(a.Created))
	m.printf("- %s%s\n", w.state+w.colon, strings.Join(w.states(a), ", "))
	about := ""
	if a.Usage.Estimated > 0 {
		about = "~"
	}
	m.printf("- %s%s%d / %d\n", w.tokens+w.colon, about, a.Usage.Input, a.Usage.Output)
	if a.Usage.Cost != 0 {
		cost := about + strconv.FormatFloat(a.Usage.Cost.Amount(), 'f', -1, 64)
		if a.Usage.Unpriced() > 0 {
			cost += ", " + fmt.Sprintf(w.unpriced, a.Usage.Unpriced())
		}
		m.printf("- %s%s\n", w.cost+w.colon, cost)
	}
	brief, err := tables.Brief(m.tx, a.ID)
	if err != nil {
		return err
	}
	if brief != nil {
		m.printf("\n### %s\n\n", w.brief)
		m.fields(conversation.Members(plainJSON(brief)))
	}
	if err := m.contacts(a.ID); err != nil {
		return err
	}
	entries, err := tables.Entries(m.tx, a.ID, 0, 0)
	if err != nil {
		return err
	}
	m.printf("\n### %s\n", w.conversation)
	m.conversation(a.ID, entries)
	return m.waiting(a)
}

// plainJSON returns a stored record as JSON.
func plainJSON(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("archive: a record that was read cannot be written: %v", err))
	}
	return b.String()
}

func (m *markdown) contacts(id society.AgentID) error {
	list, err := tables.Contacts(m.tx, id)
	if err != nil || len(list) == 0 {
		return err
	}
	m.printf("\n### %s\n\n", m.words.contacts)
	for i := range list {
		c := &list[i]
		m.printf("- %s", m.name(society.AgentID(c.ID)))
		if c.Role != c.ID && c.Role != m.plainName(society.AgentID(c.ID)) {
			m.printf(m.words.inRole, m.inline(c.Role))
		}
		m.printf(" · %s", m.inline(cmp.Or(m.words.sources[c.Source], string(c.Source))))
		if c.IntroducedBy != "" {
			m.printf(" %s", m.name(society.AgentID(c.IntroducedBy)))
		}
		m.printf("\n")
	}
	return nil
}

// conversation writes the steps of a conversation, each result with its call.
func (m *markdown) conversation(id society.AgentID, entries []conversation.Entry) {
	results := map[string]*conversation.Entry{}
	for i := range entries {
		if e := &entries[i]; e.Kind == conversation.Result {
			results[e.CallID] = e
		}
	}
	for i := range entries {
		m.entry(id, &entries[i], results)
		m.o.countStep()
	}
	for i := range entries {
		if e := &entries[i]; results[e.CallID] == e { // whose call is not there any more
			m.printf("\n")
			m.call(&conversation.Call{}, e)
		}
	}
}

// entry writes one step of a conversation, and takes the results of its calls.
func (m *markdown) entry(id society.AgentID, e *conversation.Entry, results map[string]*conversation.Entry) {
	w := m.words
	if e.Kind == conversation.Result {
		return
	}
	what := w.kinds[e.Kind]
	switch e.Kind {
	case conversation.Inbound, conversation.Dropped:
		m.head(m.parties(society.AgentID(e.From), e.To), e.At, what, w.types[protocol.MessageType(e.Type)], e.Cause, m.aside(e))
	case conversation.Answer, conversation.Superseded:
		m.head(m.parties(id, e.To), e.At, m.node(id, e), m.branch(e), what, e.Cause, m.aside(e))
	default: // what happened to the agent
		switch e.Cause {
		case society.FallbackCause:
			what = w.instead
		case society.RemarkCause:
			what = w.remark
		}
		m.head(m.inline(what), e.At, m.branch(e), e.Cause, m.aside(e))
	}
	text := e.Text
	if e.Kind == conversation.Inbound || e.Kind == conversation.Dropped {
		if text = e.Body; len(e.Attached) > 0 {
			_, text = e.Own()
		}
	}
	if e.Reasoning != "" {
		m.printf("\n*%s*\n", w.thinking)
		m.quote(e.Reasoning)
		if text != "" {
			m.printf("\n*%s*\n", w.answer)
		}
	}
	m.body(text)
	if len(e.Calls) > 0 {
		m.printf("\n")
	}
	for i := range e.Calls {
		c := &e.Calls[i]
		m.call(c, results[c.ID])
		delete(results, c.ID)
	}
}

// node returns the title of the node that gave an answer, as on the screen; the key of one
// that the graph does not have any more.
func (m *markdown) node(id society.AgentID, e *conversation.Entry) string {
	if a := m.s.Agent(id); a != nil && e.Node != "" {
		if g := m.s.Graph(a); g != nil {
			return g.Title(e.Node)
		}
	}
	return e.Node
}

// branch names the branch of a graph in which something was said; "" for none.
func (m *markdown) branch(e *conversation.Entry) string {
	if e.Branch == 0 {
		return ""
	}
	return fmt.Sprintf(m.words.branch, e.Branch)
}

// aside marks what the user has set aside; "" for all else.
func (m *markdown) aside(e *conversation.Entry) string {
	if e.SetAside.IsZero() {
		return ""
	}
	return fmt.Sprintf(m.words.aside, m.stamp(e.SetAside))
}

// parties names sender and recipients; what has no recipient is an agent's own note.
func (m *markdown) parties(from society.AgentID, to string) string {
	if to == "" {
		return m.name(from) + " → " + m.words.ownNotes
	}
	var names []string
	for one := range strings.SplitSeq(to, ",") {
		names = append(names, m.name(society.AgentID(one)))
	}
	return m.name(from) + " → " + strings.Join(names, ", ")
}

// head writes the heading of an entry: who, when, and its marks.
func (m *markdown) head(what string, at time.Time, marks ...string) {
	m.printf("\n#### %s · %s", what, m.stamp(at))
	for _, mark := range marks {
		if mark != "" {
			m.printf(" · %s", m.inline(mark))
		}
	}
	m.printf("\n")
}

// body writes the text of a message, and the fields after it.
func (m *markdown) body(text string) {
	text, fields := conversation.Fields(m.o.redact(text))
	m.quote(text)
	if len(fields) > 0 {
		m.printf("\n")
		m.fields(fields)
	}
}

// fields writes the members of an object, and of a brief inside it.
func (m *markdown) fields(list []conversation.Member) {
	for _, f := range list {
		if inside := conversation.Members(string(f.Value)); f.Name == "taskBrief" && inside != nil {
			m.fields(inside)
			continue
		}
		text := strings.TrimRight(conversation.Outline(f.Value), "\n")
		if text == "" {
			continue
		}
		name := m.inline(cmp.Or(m.words.fields[f.Name], f.Name)) + m.words.colon
		if strings.Contains(text, "\n") {
			m.printf("- %s\n", strings.TrimSpace(name))
			m.block(text, "  ")
			continue
		}
		m.printf("- %s%s\n", name, m.inline(strings.TrimPrefix(text, "- "))) // of a list with one item
	}
}

// shortText is the size in bytes up to which a result stands in the line of its call.
const shortText = 80

// call writes a tool call in one line, with arguments and result beneath it where they do
// not fit there.
func (m *markdown) call(c *conversation.Call, result *conversation.Entry) {
	arguments := m.o.redact(c.Arguments)
	ended := ""
	if result != nil && result.Outcome == conversation.OK {
		ended = m.o.redact(result.Text)
	}
	about := short(conversation.About(arguments, ended, func(id string) string { return m.plainName(society.AgentID(id)) }))
	m.printf("- %s", m.code(c.Name))
	if about != "" && about != "{}" {
		m.printf(" %s", m.inline(about))
	}
	m.printf(" → %s", m.outcome(c, result))
	came := ""
	if result != nil && result.Kept != nil {
		m.printf(" · "+m.words.beside, m.size(result.Kept.Size), m.code("sha256:"+result.Kept.Hash))
		if result.Text == conversation.Lost {
			m.printf(" · %s", m.words.lost)
		}
	} else if result != nil {
		came = strings.TrimSpace(conversation.Plain(m.o.redact(result.Text)))
		if line := strings.ReplaceAll(came, "\n", ", "); line != "" && len(line) <= shortText {
			m.printf(" · %s", m.code(line))
			came = ""
		}
	}
	m.printf("\n")
	if given := conversation.Plain(arguments); given != about && (len(conversation.Members(arguments)) > 1 || len(given) > shortText) {
		m.block(given, "  ")
	}
	if came != "" {
		m.printf("  %s:\n", m.words.result)
		m.block(came, "  ")
	}
}

// size returns a number of bytes in a unit that fits it.
func (*markdown) size(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

// short cuts a text to what fits into the line of a call.
func short(text string) string {
	const most = 120
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

// outcome returns how a call ended and how long it took.
func (m *markdown) outcome(c *conversation.Call, result *conversation.Entry) string {
	w := m.words
	switch {
	case result == nil && c.Problem != "":
		return w.outcomes[conversation.NotRun] + m.words.colon + m.inline(c.Problem)
	case result == nil:
		return w.noResult
	}
	said := cmp.Or(w.outcomes[result.Outcome], m.inline(string(result.Outcome)))
	if d := result.Took; d >= 100*time.Second {
		said += " " + d.Round(time.Second).String()
	} else if d > 0 {
		said += fmt.Sprintf(" %.1f s", d.Seconds())
	}
	return said
}

// waiting writes the messages that the agent has not taken.
func (m *markdown) waiting(a *society.Agent) error {
	letters, err := tables.Waiting(m.tx, a.ID, a.Cursor)
	if err != nil || len(letters) == 0 {
		return err
	}
	m.printf("\n### %s\n", m.words.waiting)
	for i := range letters {
		m.message(&letters[i].Mail, letters[i].Said(), a.ID)
	}
	return nil
}

// inbox writes the messages to the user.
func (m *markdown) inbox() error {
	first := true
	return tables.EachReceived(m.tx, 0, func(r *tables.Received) (more bool) {
		if first {
			m.printf("\n## %s\n", m.words.inbox)
			first = false
		}
		m.message(&r.Mail, r.Body, society.User)
		return true
	})
}

// artifacts names what agents have kept, with the file of each version that has one.
func (m *markdown) artifacts() error {
	list := m.s.Artifacts("")
	if len(list) > 0 {
		m.printf("\n## %s\n\n", m.words.artifacts)
	}
	for _, a := range list {
		m.printf("- %s · %s\n", m.code(string(a.ID)), m.inline(a.Name))
		all, err := tables.Versions(m.tx, a.ID)
		if err != nil {
			return err
		}
		for _, v := range all {
			m.printf("  - %d · %s · %d B · %s · %s", v.N, m.inline(v.Type), v.Size, m.name(v.By), m.stamp(v.At))
			if v.Kept != nil {
				m.printf(" · "+m.words.beside, m.size(v.Kept.Size), m.code("sha256:"+v.Kept.Hash))
			}
			m.printf("\n")
		}
	}
	return nil
}

func (m *markdown) message(l *society.Mail, body string, to society.AgentID) {
	m.head(m.parties(l.From, string(to)), l.At, m.words.types[l.Type])
	m.body(body)
}

// plainName returns the name that the user gave an agent, else that on the screen.
func (m *markdown) plainName(id society.AgentID) string {
	switch a := m.s.Agent(id); {
	case id == society.User:
		return m.words.you
	case a != nil && a.Name != "":
		return a.Name
	}
	return m.s.ScreenName(id)
}

func (m *markdown) name(id society.AgentID) string { return m.inline(m.plainName(id)) }

// title returns the heading of an agent: its name, its id, and its role.
func (m *markdown) title(id society.AgentID) string {
	called := m.name(id)
	if m.s.Agent(id) == nil {
		return called
	}
	if called != m.inline(string(id)) {
		called += " · " + m.inline(string(id))
	}
	if role := m.s.RoleName(id); role != m.plainName(id) {
		called += fmt.Sprintf(m.words.inRole, m.inline(role))
	}
	return called
}

// stamp returns a time as it is written in an export, with its offset from UTC.
func (m *markdown) stamp(t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	return t.In(m.o.zone()).Format("2006-01-02 15:04:05 -07:00")
}
