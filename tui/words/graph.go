package words

import "society-tui/runtime/protocol"

// Graph are the words for the graph of an agent's role and the way through it.
type Graph struct {
	None     string // the role has no graph
	NoneHint string // how it gets one

	Iteration string // the %d-th of %d node executions is at work, or comes next
	Executed  string // %d of %d node executions were made
	NotBegun  string // no turn has run yet

	// How the run is, and what is done at the node at hand. %s: its title.
	Executing, Judging, Waiting, Joining, Held string
	More                                       string // %d further branches, behind one of these

	Completed, Cancelled string
	Failed               string // %s: why

	// Why a run was cancelled or ended in an error.
	NoRoute, TooMany, TimedOut, NodeFailed, ConditionFailed, MergeFailed, Aborted string

	Begin, End string // what a node is
	Doubled    string // how a drawing shows the two

	If   string // before a condition
	Else string // where no condition held
	// Branches says of a fan-out, %s: where its branches begin, %s: where they are
	// joined.
	Branches string

	Path     string // the heading
	NoPath   string
	Earlier  string // %d records that are not shown
	Done     string // how work ended
	Error    string
	Late     string
	Cut      string
	Yes, No  string
	Chose    string // %s: a node
	ChoseNo  string
	Unclear  string
	Unjudged string
	Waited   string
	Merged   string
	Branch   string // %d
}

// ForGraph returns the words in lang; English for a language it does not know.
func ForGraph(lang protocol.Lang) Graph {
	if lang == protocol.Chinese {
		return Graph{
			None: "此角色没有图：每一轮只有一步。", NoneHint: "alt+r，然后 g：为角色选择图",
			Iteration: "第 %d 个节点，最多 %d 个", Executed: "执行节点 %d 个，最多 %d 个", NotBegun: "尚未运行",
			Executing: "正在执行：%s", Judging: "正在判断如何离开：%s", Waiting: "等待重试：%s", Joining: "正在合并：%s", Held: "停在：%s", More: "，及另外 %d 处",
			Completed: "已完成", Cancelled: "已取消", Failed: "出错结束：%s",
			NoRoute: "没有可走的路", TooMany: "执行次数已达上限", TimedOut: "超出时限", NodeFailed: "节点失败",
			ConditionFailed: "条件判断失败", MergeFailed: "合并失败", Aborted: "被中止",
			Begin: "起点", End: "终点", Doubled: "双线：上为起点，下为终点",
			If: "如果", Else: "否则", Branches: "分支 %s，合并于 %s",
			Path: "经过", NoPath: "还没有经过任何节点", Earlier: "更早的 %d 条未显示",
			Done: "完成", Error: "失败", Late: "超时", Cut: "被中断",
			Yes: "是", No: "否", Chose: "选择 %s", ChoseNo: "都不成立", Unclear: "既非是也非否，按否处理", Unjudged: "无法判断，按否处理",
			Waited: "等待后重试", Merged: "已合并", Branch: "分支 %d",
		}
	}
	return Graph{
		None: "Its role has no graph: each turn is a single step.", NoneHint: "alt+r, then g: choose one for the role",
		Iteration: "node %d of %d", Executed: "%d of %d nodes", NotBegun: "not run yet",
		Executing: "at work on %s", Judging: "judging where to go from %s", Waiting: "waits to try %s again", Joining: "joining at %s", Held: "at rest before %s", More: ", and %d more",
		Completed: "completed", Cancelled: "cancelled", Failed: "ended in an error: %s",
		NoRoute: "no way on", TooMany: "too many iterations", TimedOut: "its time was up", NodeFailed: "a node failed",
		ConditionFailed: "a condition failed", MergeFailed: "the branches could not be joined", Aborted: "aborted",
		Begin: "begin", End: "end", Doubled: "a double line: above where it begins, below where it ends",
		If: "if", Else: "else", Branches: "branches %s, joined in %s",
		Path: "Path", NoPath: "no node was passed yet", Earlier: "%d earlier ones are not shown",
		Done: "done", Error: "failed", Late: "its time was up", Cut: "cut short",
		Yes: "yes", No: "no", Chose: "chose %s", ChoseNo: "none holds", Unclear: "neither yes nor no: counts as no", Unjudged: "could not be judged: counts as no",
		Waited: "waited to try again", Merged: "branches joined", Branch: "branch %d",
	}
}
