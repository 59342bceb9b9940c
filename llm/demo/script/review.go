package script

import (
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// The tools with which a folder is reviewed.
const (
	listFiles   = "list"
	searchFiles = "grep"
	readFile    = "read"
	writeFile   = "write"
	editFile    = "edit"
	putArtifact = "artifact_put"
	writeTodo   = "todo"
	runCommand  = "bash"
	fetchPage   = "fetch"
)

// A review is a job on the files of a folder. What was found out so far stands in the
// results of its calls, so that it goes on after a restart where it was.
type review struct {
	*agent
	*job
	calls  []llm.Call // to be made next
	stage  int        // of the list of what is to be done
	files  *tree
	report outcome // of the call that puts the agent's part into the file
	kept   outcome // of the one that makes an artifact of it
}

// reviews reports whether the agent's own part of the job is about files.
func (j *job) reviews() bool {
	return slices.Contains(j.do, folder) || slices.Contains(j.do, tests)
}

// shareReview gives the tests of a folder to the agent that there is for them.
func (a *agent) shareReview(j *job) {
	if a.me.isRoot() || !slices.Contains(j.do, folder) || len(j.parts) > 0 {
		return
	}
	for _, c := range a.me.children() {
		if tester.name.is(c.role) {
			j.parts = []*part{{agent: c.id, do: tester.does}}
			return
		}
	}
	for _, id := range a.askedFor(j.words) { // it has the part, and was ended
		j.parts = []*part{{agent: id, do: tester.does, state: open}}
	}
}

var fileOfBrief = lazyregexp.New(`^(?:Write your part into the file “(.*?)”|把你的部分写入文件“(.*?)”)`)

// file returns the file into which the receiver of a brief writes its part.
func (b *brief) file() string {
	for _, c := range b.Constraints {
		if m := fileOfBrief.FindStringSubmatch(c); m != nil {
			return m[1] + m[2]
		}
	}
	return ""
}

// review returns the next calls of a review, none when it waits or all is done.
func (a *agent) review(j *job) []llm.Call {
	r := &review{agent: a, job: j}
	items := todoTests
	if slices.Contains(j.do, folder) {
		items = todoFolder
		r.lead()
	} else {
		r.help()
	}
	var list []map[string]string
	for i, item := range items {
		status := "pending"
		switch {
		case i < r.stage:
			status = "done"
		case i == r.stage:
			status = "in_progress"
		}
		list = append(list, map[string]string{"text": item.in(j.lang), "status": status})
	}
	if c := call(writeTodo, map[string]any{"items": list}); a.outcome(c).tries == 0 && a.tools[writeTodo] {
		return append([]llm.Call{c}, r.calls...)
	}
	return r.calls
}

// lead makes the report: its outline, its first part, and a copy that stays.
func (r *review) lead() {
	if r.files = r.look(); r.waits() {
		return
	}
	r.stage = 1
	outline := r.outline(nil, nil)
	name := r.files.free("review", ".md")
	if r.make(writeFile, map[string]any{"path": name, "content": outline}).ok {
		r.file = name
	}
	if r.waits() {
		return
	}
	r.stage = 2
	r.calls = r.assign(r.job)
	mine := r.folderFindings()
	if r.waits() {
		return
	}
	if r.stage = 3; len(r.in(open)) > 0 {
		return
	}
	r.stage = 4
	if r.file != "" {
		r.report = r.replace(r.file, r.busy(auditor), mine)
		if len(r.in(lost)) > 0 {
			r.replace(r.file, r.busy(tester), r.others())
		}
	}
	if r.waits() {
		return
	}
	r.stage = 5
	if r.kept = r.keep(name, mine); !r.waits() {
		r.stage = 6
	}
}

// keep makes an artifact of the report: of the file, or of the same text.
func (r *review) keep(name string, mine []string) outcome {
	if r.report.ok {
		if o := r.make(putArtifact, map[string]any{"name": name, "path": name}); o.ok || !o.over {
			return o
		}
	}
	return r.make(putArtifact, map[string]any{"name": name, "content": r.outline(mine, r.others())})
}

// help writes the part on the tests into the report.
func (r *review) help() {
	if r.file != "" { // before anybody changes it
		r.make(readFile, map[string]any{"path": r.file})
	}
	if r.files = r.look(); r.waits() {
		return
	}
	r.stage = 1
	mine := r.testFindings()
	if r.waits() {
		return
	}
	r.stage = 2
	if r.file != "" {
		r.report = r.replace(r.file, r.busy(tester), mine)
	}
	if !r.waits() {
		r.stage = 3
	}
}

// waits reports whether there are calls to be made before the review goes on.
func (r *review) waits() bool { return len(r.calls) > 0 }

// outline returns the report; a part that is nil is not written yet.
func (r *review) outline(mine, others []string) string {
	part := func(role *teamRole, lines []string) string {
		if lines == nil {
			return r.busy(role)
		}
		return strings.Join(lines, "\n")
	}
	blocks := []string{"# " + sections[folder].title.in(r.lang), sayCounted.in(r.lang), "## " + sayFilesPart.in(r.lang), part(auditor, mine)}
	if len(r.parts) > 0 {
		blocks = append(blocks, "## "+sections[tests].title.in(r.lang), part(tester, others))
	}
	return paragraphs(blocks...) + "\n"
}

// busy is the line that stands for the part of a role until it is written.
func (r *review) busy(role *teamRole) string { return sayBusy.in(r.lang, role.name.in(r.lang)) }

// others returns the lines of the others' reports, or why there are none.
func (r *review) others() []string {
	if len(r.parts) == 0 {
		return nil
	}
	p := r.parts[0]
	if p.state != reported {
		return []string{"- " + sayNotDone.in(r.lang, r.job.lang.list(r.titles(p.do)), r.name(p), p.why)}
	}
	_, lines, _ := strings.Cut(p.report, "\n\n") // behind its title
	return []string{lines}
}

// reviewed returns the blocks of the agent's report on a folder.
func (a *agent) reviewed(j *job) []string {
	r := &review{agent: a, job: j}
	var lines, last []string
	if slices.Contains(j.do, folder) {
		r.lead()
		lines = r.folderFindings()
		for _, p := range j.parts {
			if p.state == reported {
				last = append(last, p.report)
			} else {
				last = append(last, titled(sections[tests].title.in(j.lang), r.others()))
			}
		}
		last = append(last, r.whereItIs())
	} else {
		r.help()
		lines = r.testFindings()
		if j.file != "" && !r.report.ok {
			last = append(last, sayNotWritten.in(j.lang, j.file, r.report.why(j.lang)))
		}
	}
	return append([]string{titled(sections[j.do[0]].title.in(j.lang), lines)}, last...)
}

// whereItIs says where the report can be read.
func (r *review) whereItIs() string {
	var said []string
	name := r.files.free("review", ".md")
	switch written := r.outcome(call(writeFile, map[string]any{"path": name, "content": r.outline(nil, nil)})); {
	case r.report.ok:
		said = append(said, sayWritten.in(r.lang, name))
	case r.file != "":
		said = append(said, sayNotWritten.in(r.lang, name, r.report.why(r.lang)))
	default:
		said = append(said, sayNoReport.in(r.lang, written.why(r.lang)))
	}
	if r.kept.ok {
		said = append(said, sayKeptAs.in(r.lang, decode[struct{ ID string }](firstLine(r.kept.text)).ID))
	}
	return strings.Join(said, text{" ", ""}.in(r.lang))
}

// replace puts lines in the place of one line of a file that others change too.
func (r *review) replace(file, line string, with []string) outcome {
	content := strings.Join(with, "\n")
	o := r.make(editFile, map[string]any{"path": file, "old_string": line, "new_string": content})
	if o.code != "no_match" {
		return o
	}
	// An edit whose result was lost has replaced the line before.
	now := r.make(readFile, map[string]any{"path": file, "offset": 1})
	o.ok = now.ok && strings.Contains(now.text, firstLine(content))
	return o
}

// An outcome is what is known of a call since the last answer.
type outcome struct {
	id    string // of the newest such call
	text  string // its result
	tries int
	ok    bool
	code  string // why it was refused
	over  bool   // it is not made again
}

// mostTries is how often a call is made that has no result, or whose file has changed.
const mostTries = 4

// understood match results of calls that did what was asked; all others are refusals, or
// were never run.
var understood = map[string]*lazyregexp.Regexp{
	listFiles:   lazyregexp.New(`(?m)^.+/$|^.+  \d+$|is empty$|是空文件夹$`),
	searchFiles: lazyregexp.New(`(?m)^.+:\d+(?::|$)|^nothing matches |^没有内容匹配`),
	readFile:    lazyregexp.New(`^(?:lines \d+–\d+ of \d|第 \d+–\d+ 行|.* is empty$|.*是空文件$)`),
	writeFile:   lazyregexp.New(`^.* \+\d+ −\d+`),
	editFile:    lazyregexp.New(`^.* \+\d+ −\d+`),
	putArtifact: lazyregexp.New(`^\{.*"id":"`),
	runCommand:  lazyregexp.New(`^(?:exit code|退出码) \d`), // failed or not: it was run
	fetchPage:   lazyregexp.New(`^https?://|^\{"redirects_to":"`),
}

// outcome looks for a call and its newest result.
func (a *agent) outcome(c llm.Call) outcome {
	var o outcome
	for _, m := range a.history[min(a.since, len(a.history)):] {
		for _, made := range m.Calls {
			if made.Name == c.Name && (made.Arguments == c.Arguments || c.Name == writeFile && pathOf(made) == pathOf(c)) {
				o = outcome{id: made.ID, tries: o.tries + 1}
			}
		}
		if m.Role != llm.Tool || o.id == "" || m.CallID != o.id {
			continue
		}
		o.text = m.Text
		if strings.HasPrefix(m.Text, `{"error"`) {
			o.code = decode[struct{ Error string }](firstLine(m.Text)).Error
		}
		o.ok = o.code == "no_change" || o.code == "" && understood[c.Name] != nil && understood[c.Name].MatchString(m.Text)
	}
	again := o.code == "" || o.code == "stale" || o.code == "not_read"
	o.over = o.ok || !a.tools[c.Name] || o.tries >= mostTries || o.tries > 0 && !again
	return o
}

func pathOf(c llm.Call) string { return decode[struct{ Path string }](c.Arguments).Path }

// make returns the outcome of a call, which is made if it has none.
func (r *review) make(tool string, arguments map[string]any) outcome {
	c := call(tool, arguments)
	o := r.outcome(c)
	if !o.over {
		r.calls = append(r.calls, c)
	}
	return o
}

// why says why a call had no effect.
func (o outcome) why(l Language) string {
	switch {
	case o.tries == 0:
		return whyNoFiles.in(l)
	case o.code == "denied":
		return whyDenied.in(l)
	case o.code == "not_found":
		return whyGone.in(l)
	case o.code != "":
		return o.code
	}
	return whyNoResult.in(l)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
