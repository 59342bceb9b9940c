package script

import (
	"regexp"
	"slices"
	"strings"
)

// A stage is what a node of a graph is for.
type stage struct {
	title *regexp.Regexp
	says  text
	does  []work // nil for what the branches have come to, or a draft
	ends  bool   // the turn
}

// stages are known by the titles of their nodes; the first that fits counts.
var stages = []stage{
	{regexp.MustCompile(`(?i)review|check|审阅|检查`), sayReview, []work{known, risks}, false},
	{regexp.MustCompile(`(?i)final|finish|send|定稿|发送`), sayFinal, nil, true},
	{regexp.MustCompile(`(?i)weigh|conclu|sum up|权衡|总结`), sayWeigh, nil, true},
	{regexp.MustCompile(`(?i)benefit|gain|好处|收益`), sayView, []work{summary, facts}, false},
	{regexp.MustCompile(`(?i)risk|danger|风险`), sayView, []work{risks}, false},
	{regexp.MustCompile(`(?i)cost|price|代价|成本`), sayView, []work{known}, false},
	{regexp.MustCompile(``), sayDraft, nil, false},
}

// takeStep does what the node of the graph that the agent is at is for. It works
// on the last request; what the agent has said since is the work of other nodes.
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

// draft is what a text is to hold: the sentences of the request.
func (q request) draft() string {
	var points []string
	for _, s := range first(20, sentences(q.source())) {
		points = append(points, clip(s, 300))
	}
	return strings.Join(bullets("- ", points, q.title()), "\n")
}

// A turn is what an agent was given since its last answer, and how far it is. What
// comes in the midst of a turn has one answer with what began it.
type turn struct {
	words  []string
	steps  int
	merged string // what branches came to, as the runtime told it
}

func (t turn) request(me self) request { return read(strings.Join(t.words, "\n\n"), me.lang) }

func lastTurn(history []entry) turn {
	var t turn
	for _, e := range history {
		switch {
		case e.answers():
			t = turn{}
		case e.spoke != nil && len(e.spoke.Calls) == 0:
			t.steps++
		case e.heard != nil && e.heard.from == "":
			if _, body, ok := strings.Cut(e.heard.body, "\n\n"); ok {
				t.merged = strings.TrimSpace(body)
			}
		case e.heard != nil && e.heard.brief != nil:
			t.words = append(t.words, e.heard.brief.Inputs)
		case e.heard != nil:
			t.words = append(t.words, e.heard.body)
		}
	}
	return t
}

// judge answers a condition of a graph: a draft is to be mended once if there is
// anything open, and nothing else can be told.
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
