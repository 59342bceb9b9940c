package script

import (
	"regexp"
	"slices"
	"strings"
)

// A stage is the purpose of a node of a graph.
type stage struct {
	title *regexp.Regexp
	says  text
	does  []work // nil for the merged branches, or a draft
	ends  bool   // it ends the turn
}

// stages match the titles of nodes; the first match counts.
var stages = []stage{
	{regexp.MustCompile(`(?i)review|check|审阅|检查`), sayReview, []work{known, risks}, false},
	{regexp.MustCompile(`(?i)final|finish|send|定稿|发送`), sayFinal, nil, true},
	{regexp.MustCompile(`(?i)weigh|conclu|sum up|权衡|总结`), sayWeigh, nil, true},
	{regexp.MustCompile(`(?i)benefit|gain|好处|收益`), sayView, []work{summary, facts}, false},
	{regexp.MustCompile(`(?i)risk|danger|风险`), sayView, []work{risks}, false},
	{regexp.MustCompile(`(?i)cost|price|代价|成本`), sayView, []work{known}, false},
	{regexp.MustCompile(``), sayDraft, nil, false},
}

// takeStep answers at a node of a graph. It works on the last request; later texts
// of the agent are those of other nodes.
func takeStep(me self, history []entry) Reply {
	turn := lastTurn(history)
	q := turn.request(me)
	if q.isBare() {
		return Reply{Text: sayNoted.in(me.lang)}
	}
	at := stages[slices.IndexFunc(stages, func(s stage) bool { return s.title.MatchString(me.step) })]
	body, last := turn.merged, ""
	switch {
	case at.does != nil:
		body = q.work(at.does)
	case body == "":
		body = q.draft()
		if open := append(q.asked(), q.missing()...); turn.steps > 0 && len(open) > 0 {
			body = paragraphs(body, section(sayStillOpen.in(q.lang), bullets("- ", open, "")))
		}
	}
	if at.ends {
		last = sayNoModel.in(q.lang)
	}
	return Reply{Text: paragraphs(at.says.in(q.lang, q.title()), body, last)}
}

// draft returns the sentences of the request.
func (q request) draft() string {
	var points []string
	for _, s := range first(20, sentences(q.source())) {
		points = append(points, clip(s, 300))
	}
	return strings.Join(bullets("- ", points, q.title()), "\n")
}

// A turn holds the messages since the last answer. All messages of a turn have one
// answer.
type turn struct {
	words  []string
	steps  int
	merged string // the texts of branches, as the runtime merged them
}

func (t turn) request(me self) request { return read(strings.Join(t.words, "\n\n"), me.lang) }

func lastTurn(history []entry) turn {
	var t turn
	for _, e := range history {
		switch {
		case e.answers():
			t = turn{}
		case e.reply != nil && len(e.reply.Calls) == 0:
			t.steps++
		case e.message != nil && e.message.from == "":
			if _, body, ok := strings.Cut(e.message.body, "\n\n"); ok {
				t.merged = strings.TrimSpace(body)
			}
		case e.message != nil && e.message.brief != nil:
			t.words = append(t.words, e.message.brief.Inputs)
		case e.message != nil:
			t.words = append(t.words, e.message.body)
		}
	}
	return t
}

// judge answers a condition of a graph: a draft needs another round once, if a
// question is open. Nothing else can be told from the words.
func judge(me self, history []entry, question string) Reply {
	t := lastTurn(history)
	q := t.request(me)
	n := len(q.asked()) + len(q.missing())
	switch {
	case judgeAmong.MatchString(question):
		return Reply{Text: judgeNone.in(me.lang)}
	case t.steps > 2 || n == 0:
		return Reply{Text: judgeGood.in(me.lang)}
	}
	return Reply{Text: judgeMend.in(me.lang, n)}
}
