package action

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/changes"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A FileGrouping is what changes of files are listed by.
type FileGrouping uint8

// The groupings, in the order of NextGrouping.
const (
	ByFile FileGrouping = iota
	ByCall
	ByAgent
	ByTask
)

// Next returns the grouping after g, the first after the last.
func (g FileGrouping) Next() FileGrouping { return (g + 1) % (ByTask + 1) }

// A FileGroup has the changes of one file, call, agent or task, the oldest first.
type FileGroup []api.FileChange

// Has reports whether one of the changes is an agent's.
func (g FileGroup) Has(id society.AgentID) bool {
	return slices.ContainsFunc(g, func(c api.FileChange) bool { return c.Agent == id })
}

// Of returns the changes of an agent, all if it is "".
func (g FileGroup) Of(id society.AgentID) FileGroup {
	return slices.DeleteFunc(slices.Clone(g), func(c api.FileChange) bool { return id != "" && c.Agent != id })
}

// InFile returns the changes of a file, by its path or the end of it; of several the file that
// was changed last.
func (g FileGroup) InFile(name string) FileGroup {
	name = path.Clean(name)
	groups := FileGroups(g, ByFile)
	for _, is := range []func(string) bool{
		func(file string) bool { return file == name },
		func(file string) bool { return strings.HasSuffix(file, "/"+name) },
	} {
		if at := slices.IndexFunc(groups, func(g FileGroup) bool { return is(g[0].Path) }); at >= 0 {
			return groups[at]
		}
	}
	return nil
}

// FileUnchanged reports that no change is one of a file.
func (b *Builder) FileUnchanged(name string) Notice {
	return Notice{Warned, b.text(textUnchanged, filePath(name)), b.text(textHintDiff)}
}

// Numbers returns those of its changes that an undo takes back.
func (g FileGroup) Numbers() []uint64 { return api.ToUndo(g) }

func (g FileGrouping) key(c *api.FileChange) string {
	switch g {
	case ByFile:
		file := changes.FileOf(&c.FileChange)
		return strings.Join([]string{file.Dir, string(file.Task), file.Path}, "\x00")
	case ByCall:
		return string(c.Agent) + "\x00" + c.Call
	case ByAgent:
		return string(c.Agent)
	}
	return string(c.Task)
}

// FileGroups groups changes, the group with the newest change first.
func FileGroups(list []api.FileChange, by FileGrouping) (groups []FileGroup) {
	at := map[string]int{}
	for i := range slices.Backward(list) {
		key := by.key(&list[i])
		n, known := at[key]
		if !known {
			n = len(groups)
			at[key] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], list[i])
	}
	for _, g := range groups {
		slices.Reverse(g)
	}
	return groups
}

// filePath makes a path safe to stand in a line.
func filePath(path string) string { return sanitize.Line(sanitize.Visible(path), filePathCells) }

const filePathCells = 120

// FileCounts counts the lines that changes add and remove, "+3 −1", without those that are
// taken back and the undos of them, if any other stands.
func (b *Builder) FileCounts(g FileGroup) string {
	g = g.counted()
	added, removed := 0, 0
	for i := range g {
		added, removed = added+g[i].Added, removed+g[i].Removed
	}
	if g.isNewFile() { // its first lines are all that it had before
		added, removed = max(added-removed, 0), 0
	}
	if b.Printer.ASCII {
		return fmt.Sprintf("+%d -%d", added, removed)
	}
	return fmt.Sprintf("+%d −%d", added, removed)
}

// counted returns the changes that stand, all if they are taken back. Undos are among them only
// if there is nothing else.
func (g FileGroup) counted() FileGroup {
	undos := !slices.ContainsFunc(g, func(c api.FileChange) bool { return len(c.Undoes) == 0 })
	undone := len(g.Numbers()) == 0
	return slices.DeleteFunc(slices.Clone(g), func(c api.FileChange) bool { return c.Undone != 0 && !undone || !undos && len(c.Undoes) > 0 })
}

// isNewFile reports whether all changes are of one file that was not there before.
func (g FileGroup) isNewFile() bool {
	return len(g) > 0 && g[0].Before == "" && !slices.ContainsFunc(g, func(c api.FileChange) bool {
		return c.Path != g[0].Path || len(c.Undoes) > 0 || c.Unknown
	})
}

// FileTitle describes a group in one line. Tasks are the first words of tasks.
func (b *Builder) FileTitle(g FileGroup, by FileGrouping, tasks map[society.TaskID]string) string {
	first := &g[0]
	title := filePath(first.Path)
	switch by {
	case ByFile:
	case ByCall:
		title = fmt.Sprintf("#%d %s", first.N, b.Society.Name(first.Agent)) + b.text(symbols.TextColon) + b.filesOf(g)
	case ByAgent:
		title = b.Society.Name(first.Agent) + b.text(symbols.TextColon) + b.filesOf(g)
	case ByTask:
		title = sanitize.Line(cmp.Or(tasks[first.Task], string(first.Task)), nameCells) + b.text(symbols.TextColon) + b.filesOf(g)
	}
	title += "  " + b.FileCounts(g)
	if len(g.Numbers()) == 0 {
		title += " " + b.text(symbols.TextAside, b.text(textUndone))
	}
	return title
}

// filesOf names the files of changes, the first few.
func (b *Builder) filesOf(g FileGroup) string {
	const most = 3
	var names []string
	for i := range g {
		if name := filePath(g[i].Path); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - most; more > 0 {
		return b.Printer.List(names[:most]) + b.Printer.N(textFilesMore, more)
	}
	return b.Printer.List(names)
}

// FileAuthors names who made changes.
func (b *Builder) FileAuthors(g FileGroup) string {
	var names []string
	for i := range g {
		if name := b.Society.Name(g[i].Agent); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return b.Printer.List(names)
}

// FileChangeLine describes one change: "#12 ada: edit a.go +3 −1".
func (b *Builder) FileChangeLine(c *api.FileChange) string {
	does := sanitize.Line(c.Tool, nameCells)
	switch {
	case c.Tool == society.PutBackTool:
		does = b.text(textPutBack)
	case len(c.Undoes) > 0:
		does = b.text(textTookBack)
	}
	line := fmt.Sprintf("#%d %s", c.N, b.Society.Name(c.Agent)) + b.text(symbols.TextColon) + does + " " + filePath(c.Path)
	if c.Protected {
		line += " " + b.text(textProtectedPath)
	}
	switch {
	case c.Unknown:
		return line + " " + b.text(symbols.TextAside, b.text(textEffectUnknown))
	case c.Undone != 0:
		line += "  " + b.text(textUndoneBy, c.Undone)
	default:
		line += "  " + b.FileCounts(FileGroup{*c})
	}
	switch {
	case c.Before == "":
		line += " " + b.text(symbols.TextAside, b.text(textFileNew))
	case c.After == "":
		line += " " + b.text(symbols.TextAside, b.text(textFileGone))
	}
	return line
}

// An UndoScope is what /undo takes back.
type UndoScope struct {
	Agent society.AgentID
	Task  bool   // all of the agent's task
	All   bool   // all of the agent
	N     uint64 // the call of this change; 0 for the agent's last
}

// UndoChosen returns the changes of a scope that are not taken back yet, and what they are;
// a notice if there are none.
func (b *Builder) UndoChosen(list []api.FileChange, of UndoScope) (FileGroup, Notice) {
	row, _ := b.Society.Row(of.Agent)
	var g FileGroup
	for i := range slices.Backward(list) {
		c := &list[i]
		var is bool
		switch {
		case c.Undone != 0:
		case of.N != 0:
			is = c.N == of.N
		case of.Task:
			is = c.Task == row.Task && len(c.Undoes) == 0
		default:
			is = c.Agent == of.Agent && len(c.Undoes) == 0
		}
		if !is {
			continue
		}
		if of.All || of.Task {
			g = append(g, *c)
			continue
		}
		if g = callOf(list, c); of.N == 0 {
			if over := lastOver(list, g); over != nil {
				g = callOf(list, over)
			}
		}
		return g, Notice{}
	}
	slices.Reverse(g)
	switch {
	case len(g) > 0:
		return g, Notice{}
	case of.N != 0:
		return nil, Notice{Warned, b.text(textNoSuchChange, of.N), b.text(textHintDiff)}
	}
	n := Notice{Warned, b.text(textNothingToUndo, b.Society.Name(of.Agent)), b.text(textHintDiff)}
	if others := inTask(list, row.Task); !of.Task && len(others) > 0 {
		n.Hint = b.text(textHintUndoTask, b.filesOf(others), b.FileAuthors(others))
	}
	if b.terminated {
		n.Text += b.Dot + b.text(textNoUndoEnded)
	}
	return nil, n
}

// callOf returns the changes of the call that made c, without those that are taken back. An undo
// is one call, whoever had made the changes.
func callOf(list []api.FileChange, c *api.FileChange) (g FileGroup) {
	for i := range list {
		if o := &list[i]; (o.Agent == c.Agent || len(c.Undoes) > 0) && o.Call == c.Call && o.Undone == 0 {
			g = append(g, *o)
		}
	}
	return g
}

// lastOver returns the newest change that must be taken back before g, nil if one of the
// files of g has no newer one.
func lastOver(list []api.FileChange, g FileGroup) (newest *api.FileChange) {
	for i := range g {
		over := newerOf(list, &g[i])
		if over == nil {
			return nil
		}
		if newest == nil || over.N > newest.N {
			newest = over
		}
	}
	return newest
}

// newerOf returns the newest change of another call to the file of c, nil if there is none.
func newerOf(list []api.FileChange, c *api.FileChange) *api.FileChange {
	for i := range slices.Backward(list) {
		o := &list[i]
		if o.N > c.N && o.Undone == 0 && len(o.Undoes) == 0 && (o.Call != c.Call || o.Agent != c.Agent) && changes.FileOf(&o.FileChange) == changes.FileOf(&c.FileChange) {
			return o
		}
	}
	return nil
}

// inTask returns the changes of a task that an undo of it takes back.
func inTask(list []api.FileChange, task society.TaskID) (g FileGroup) {
	for i := range list {
		if c := &list[i]; c.Task == task && c.Undone == 0 && len(c.Undoes) == 0 {
			g = append(g, *c)
		}
	}
	return g
}

// UndoSteps describes what an undo does or did, a line for each file, and counts the files
// that it restores. Changes that are in all are named with who made them.
func (b *Builder) UndoSteps(steps []changes.Step, all FileGroup) (lines []string, restored int) {
	for i := range steps {
		s := &steps[i]
		path := filePath(s.Path)
		if len(s.Changes) <= mostNumbers {
			path += b.text(symbols.TextAside, strings.Join(b.changeNames(s.Changes, all), b.text(symbols.TextListComma)))
		}
		switch s.Outcome {
		case changes.Restore:
			restored++
			lines = append(lines, b.text(textUndoRestore, path))
		case changes.Remove:
			restored++
			lines = append(lines, b.text(textUndoRemove, path))
		default:
			lines = append(lines, b.text(textUndoSkip, path, b.whySkipped(s)))
		}
	}
	return lines, restored
}

// mostNumbers is how many changes of a file are named by their numbers.
const mostNumbers = 5

func (b *Builder) changeNames(list []uint64, all FileGroup) (texts []string) {
	for _, n := range list {
		text := "#" + strconv.FormatUint(n, 10)
		if i := slices.IndexFunc(all, func(c api.FileChange) bool { return c.N == n }); i >= 0 {
			text += " " + b.Society.Name(all[i].Agent)
		}
		texts = append(texts, text)
	}
	return texts
}

func (b *Builder) whySkipped(s *changes.Step) string {
	detail := sanitize.Line(sanitize.Visible(s.Detail), filePathCells)
	switch s.Why {
	case changes.ChangedSince:
		if s.By == "" {
			return b.text(textSinceOther)
		}
		return b.text(textSinceBy, b.Society.Name(s.By))
	case changes.Elsewhere:
		if detail == "" {
			return b.text(textElsewhereTask)
		}
		return b.text(textElsewhere, detail)
	case changes.Unreadable:
		return b.text(textFileUnreadable, detail)
	}
	if t, ok := skippedTexts[s.Why]; ok {
		return b.text(t)
	}
	return string(s.Why)
}

// An UndoList is what an undo would do, of all changes that are kept.
type UndoList struct {
	api.UndoResult
	all FileGroup
}

// ListUndo asks what an undo of changes would do. Any goroutine may call it.
func (b *Builder) ListUndo(ctx context.Context, numbers []uint64) (UndoList, error) {
	all, err := b.Client.FileChanges(ctx, api.FileChangesQuery{})
	if err != nil {
		return UndoList{}, err
	}
	r, err := b.Client.Undo(ctx, api.UndoRequest{Changes: numbers, List: true})
	return UndoList{r, all}, err
}

// taken returns the changes that the undo takes back, and the earlier ones of their files.
func (l UndoList) taken() (taken, earlier FileGroup) {
	for i := range l.Steps {
		s := &l.Steps[i]
		if s.Outcome == changes.Skip {
			continue
		}
		for j := range l.all {
			switch c := &l.all[j]; {
			case slices.Contains(s.Changes, c.N):
				taken = append(taken, *c)
			case c.N < s.To && c.Undone == 0 && len(c.Undoes) == 0 && changes.FileOf(&c.FileChange) == s.File:
				earlier = append(earlier, *c)
			}
		}
	}
	return taken, earlier
}

// UndoQuestion asks whether to take changes back: a title, a line for each file, and what
// stays. Restored is 0 if nothing would be done.
func (b *Builder) UndoQuestion(of UndoList) (title string, lines []string, restored int) {
	lines, restored = b.UndoSteps(of.Steps, of.all)
	if restored == 0 {
		if slices.ContainsFunc(of.Steps, func(s changes.Step) bool { return s.By != "" }) {
			lines = append(lines, b.text(textUndoMore))
		}
		return b.text(textUndoNothing), lines, 0
	}
	taken, earlier := of.taken()
	if len(earlier) > 0 {
		lines = append(lines, b.Printer.N(textUndoStays, len(earlier), b.filesOf(earlier), b.FileAuthors(earlier)), b.text(textUndoMore))
	}
	return b.Printer.N(textUndoTitle, len(taken), b.FileAuthors(taken)), lines, restored
}

// Undoing reports that an undo has begun.
func (b *Builder) Undoing() Notice { return Notice{Going, b.text(textUndoing), ""} }

// An UndoDone is what an undo did.
type UndoDone struct {
	api.UndoResult
	// N is the number of a change that the undo has made, by which it is undone; 0 if that is
	// not known.
	N uint64
}

// Undo takes changes back. The society skips what has changed since. Any goroutine may call
// it.
func (b *Builder) Undo(ctx context.Context, numbers []uint64) (UndoDone, error) {
	r, err := b.Client.Undo(ctx, api.UndoRequest{Changes: numbers})
	if err != nil || r.Call == "" {
		return UndoDone{UndoResult: r}, err
	}
	done := UndoDone{UndoResult: r}
	all, err := b.Client.FileChanges(ctx, api.FileChangesQuery{})
	if i := slices.IndexFunc(all, func(c api.FileChange) bool { return c.Call == r.Call }); err == nil && i >= 0 {
		done.N = all[i].N
	}
	return done, nil // it was done, whatever is known of it
}

// Undone reports an undo, and the first file that was skipped.
func (b *Builder) Undone(r UndoDone) Notice {
	lines, done := b.UndoSteps(r.Steps, nil)
	removed := 0
	for i := range r.Steps {
		if r.Steps[i].Outcome == changes.Remove {
			removed++
		}
	}
	n := Notice{Text: b.Printer.N(textFilesRestored, done-removed)}
	switch {
	case removed > 0 && removed == done:
		n.Text = b.Printer.N(textFilesRemoved, removed)
	case removed > 0:
		n.Text += b.text(symbols.TextListComma) + b.Printer.N(textFilesRemoved, removed)
	}
	switch {
	case r.N != 0:
		n.Hint = b.text(textHintUndoneBy, r.N)
	case done > 0:
		n.Hint = b.text(textHintUndoAgain)
	}
	for i := range r.Steps {
		if r.Steps[i].Outcome == changes.Skip {
			n.Level, n.Hint = Warned, lines[i]
			break
		}
	}
	return n
}

// Texts of changes of files.
var (
	textUndone         = i18n.Text{EN: "undone", ZH: "已撤销"}
	textUndoneBy       = i18n.Text{EN: "undone by #%d", ZH: "已由 #%d 撤销"}
	textTookBack       = i18n.Text{EN: "undo", ZH: "撤销"}
	textPutBack        = i18n.Text{EN: "put back what changed while a command ran (undo this to keep the change)", ZH: "已还原命令运行期间的更改（撤销此项即保留更改）"}
	textEffectUnknown  = i18n.Text{EN: "unknown: the program ended during the call", ZH: "未知：程序在调用期间结束"}
	textFileNew        = i18n.Text{EN: "new", ZH: "新建"}
	textFileGone       = i18n.Text{EN: "deleted", ZH: "已删除"}
	textFilesMore      = i18n.Plural{One: " and %d more", Other: " and %d more", ZH: " 等另外 %d 个"}
	textNoSuchChange   = i18n.Text{EN: "There is no change #%d that can be undone", ZH: "没有可以撤销的更改 #%d"}
	textNothingToUndo  = i18n.Text{EN: "%s changed no file that can be undone", ZH: "%s 没有可以撤销的文件更改"}
	textNoUndoEnded    = i18n.Text{EN: "a terminated agent cannot be brought back (/backup or /export before)", ZH: "已终止的智能体无法恢复（请事先 /backup 或 /export）"}
	textUnchanged      = i18n.Text{EN: "No agent has changed %s", ZH: "没有智能体更改过 %s"}
	textHintDiff       = i18n.Text{EN: "/diff lists all changes", ZH: "/diff 列出全部更改"}
	textHintUndoTask   = i18n.Text{EN: "/undo task undoes %s, changed by %s", ZH: "/undo task 可撤销 %s（由 %s 更改）"}
	textUndoRestore    = i18n.Text{EN: "restore %s", ZH: "恢复 %s"}
	textUndoRemove     = i18n.Text{EN: "delete %s, which was new", ZH: "删除新建的 %s"}
	textUndoSkip       = i18n.Text{EN: "skip %s: %s", ZH: "跳过 %s：%s"}
	textSinceBy        = i18n.Text{EN: "changed since by %s", ZH: "此后被 %s 更改"}
	textSinceOther     = i18n.Text{EN: "changed since by somebody outside the society", ZH: "此后在团队之外被更改"}
	textElsewhere      = i18n.Text{EN: "it is in another folder, %s", ZH: "它在另一个文件夹 %s 中"}
	textElsewhereTask  = i18n.Text{EN: "it is in another workspace than the society has now", ZH: "它不在团队现在的工作区中"}
	textFileUnreadable = i18n.Text{EN: "it cannot be read or written: %s", ZH: "无法读取或写入：%s"}
	textUndoNothing    = i18n.Text{EN: "Nothing to undo", ZH: "没有可撤销的内容"}
	textUndoTitle      = i18n.Plural{One: "Undo %d change by %s?", Other: "Undo %d changes by %s?", ZH: "撤销 %[2]s 的 %[1]d 处更改？"}
	textUndoStays      = i18n.Plural{One: "%d earlier change stays: %s, by %s.", Other: "%d earlier changes stay: %s, by %s.", ZH: "更早的 %d 处更改保留：%s（由 %s 更改）。"}
	textUndoMore       = i18n.Text{EN: "/undo task undoes all changes of the task; /diff lists and undoes them by file.", ZH: "/undo task 撤销任务中的全部更改；/diff 按文件列出并撤销。"}
	textUndoing        = i18n.Text{EN: "Undoing…", ZH: "正在撤销…"}
	textFilesRestored  = i18n.Plural{One: "%d file restored", Other: "%d files restored", ZH: "已恢复 %d 个文件"}
	textFilesRemoved   = i18n.Plural{One: "%d file removed", Other: "%d files removed", ZH: "已删除 %d 个文件"}
	textHintUndoneBy   = i18n.Text{EN: "to undo this too: /undo call %d", ZH: "撤销这次撤销：/undo call %d"}
	textHintUndoAgain  = i18n.Text{EN: "/diff shows the undo, which can be undone", ZH: "/diff 列出这次撤销，它也可以撤销"}
)

// skippedTexts are why a file is skipped.
var skippedTexts = map[changes.Reason]i18n.Text{
	changes.AlreadyUndone: {EN: "undone already", ZH: "已经撤销"},
	changes.AsBefore:      {EN: "it is as it was before", ZH: "内容与之前相同"},
	changes.NotKept:       {EN: "its old content is not kept", ZH: "没有保留原来的内容"},
	changes.UnknownEffect: {EN: "whether it was changed is not known: the program ended during the call", ZH: "不知道是否已更改：程序在调用期间结束"},
	changes.WithSource:    {EN: "it was moved, and its old place cannot be restored", ZH: "它是移动来的，而原来的位置无法恢复"},
}
