package mind

import (
	"regexp"
	"strconv"
	"strings"

	"society-tui/llm/demo/prose"
)

// What root keeps of a history that gets too long is written so that it can be
// read again: the person may still say "now count it".

// longestKept is how much of the last text goes into a summary.
const longestKept = 4 << 10

// summary is what root keeps of its history.
func (l *leader) summary() string {
	var agents []string
	for _, m := range l.crew {
		if !m.gone {
			agents = append(agents, m.id+" ("+m.role+")")
		}
	}
	text := l.say("summary", l.jobs, orElse(l.me.lang.list(agents), "–"))
	if l.last == nil {
		return text
	}
	kept := strings.ToValidUTF8(l.last.material[:min(len(l.last.material), longestKept)], "")
	return text + "\n" + l.say("summary_last", l.me.lang.skillList(l.last.skills)) + "\n" + kept
}

var (
	summaryHead = regexp.MustCompile(`(?:Requests so far: |至今的任务数：)(\d{1,6})`)
	summaryLast = regexp.MustCompile(`(?m)^(?:The last text, for .*, was:|上一段文本（.*）是：)$`)
)

// remember reads a summary that root wrote: the newest, where several have been
// put together.
func (l *leader) remember(text string) {
	heads := summaryHead.FindAllStringSubmatchIndex(text, -1)
	if len(heads) == 0 {
		return
	}
	newest := text[heads[len(heads)-1][0]:]
	if n, err := strconv.Atoi(summaryHead.FindStringSubmatch(newest)[1]); err == nil {
		l.jobs = max(l.jobs, n)
	}
	if at := summaryLast.FindStringIndex(newest); at != nil {
		l.last = &job{material: strings.TrimSpace(newest[at[1]:])}
	}
}

// asksForSummary says whether the runtime itself wants a summary of the history
// in place of an answer.
func asksForSummary(history []entry) bool {
	if len(history) == 0 {
		return false
	}
	h := history[len(history)-1].heard
	if h == nil || h.from != "" {
		return false
	}
	skills := skillsIn(opening(h.body))
	return len(skills) > 0 && skills[0] == prose.Summary && politeOrVerb.MatchString(h.body)
}

// politeOrVerb is how an order begins, as against a heading or a notice.
var politeOrVerb = regexp.MustCompile(`^(?i:please\b|summari[sz]e\b)|^请`)

// summarize writes a summary for the runtime.
func summarize(me self, history []entry, tools toolset) string {
	if me.id == rootID {
		return readLeader(me, history, tools).summary()
	}
	w := readWorker(me, history, tools)
	return w.say("worker_summary", me.role, w.doneWork())
}
