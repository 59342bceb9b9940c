package graphview

import "society-tui/runtime/i18n"

var (
	// textNone is shown for a role without a graph.
	textNone     = i18n.Text{EN: "Its role has no graph; each turn is a single step.", ZH: "此角色没有图；每一轮只有一步。"}
	textNoneHint = i18n.Text{EN: "{roles}, then {list.graph}: choose a graph for the role", ZH: "{roles}，然后 {list.graph}：为角色选择图"}
	// Counts of executed nodes: during and after a run.
	textIteration = i18n.Text{EN: "node %d of %d", ZH: "第 %d 个节点，最多 %d 个"}
	textExecuted  = i18n.Text{EN: "%d of %d nodes", ZH: "执行节点 %d 个，最多 %d 个"}
	textNotBegun  = i18n.Text{EN: "not started", ZH: "尚未运行"}
	// The work at the current node.
	textExecuting = i18n.Text{EN: "running %s", ZH: "正在执行 %s"}
	textJudging   = i18n.Text{EN: "deciding where to go after %s", ZH: "正在判断 %s 之后的去向"}
	textWaiting   = i18n.Text{EN: "waiting to retry %s", ZH: "等待重试 %s"}
	textJoining   = i18n.Text{EN: "joining branches at %s", ZH: "正在合并于 %s"}
	textHeld      = i18n.Text{EN: "paused before %s", ZH: "停在 %s 之前"}
	// textMore counts further branches.
	textMore      = i18n.Text{EN: ", and %d more", ZH: "，以及另外 %d 处"}
	textCompleted = i18n.Text{EN: "completed", ZH: "已完成"}
	textCancelled = i18n.Text{EN: "cancelled", ZH: "已取消"}
	textFailed    = i18n.Text{EN: "failed: %s", ZH: "失败：%s"}
	// Why a run was cancelled or failed.
	textNoRoute         = i18n.Text{EN: "no way on from here", ZH: "没有可走的路"}
	textTooMany         = i18n.Text{EN: "too many steps", ZH: "执行次数已达上限"}
	textTimedOut        = i18n.Text{EN: "timed out", ZH: "超时"}
	textNodeFailed      = i18n.Text{EN: "a node failed", ZH: "节点失败"}
	textConditionFailed = i18n.Text{EN: "a condition failed", ZH: "条件判断失败"}
	textMergeFailed     = i18n.Text{EN: "the branches could not be joined", ZH: "无法合并分支"}
	textAborted         = i18n.Text{EN: "cancelled", ZH: "已取消"}
	// textNow marks the nodes where the run is, in words.
	textNow = i18n.Text{EN: "now", ZH: "当前"}
	// Marks of nodes.
	textBegin = i18n.Text{EN: "start", ZH: "起点"}
	textEnd   = i18n.Text{EN: "end", ZH: "终点"}
	// textDoubled explains the double lines.
	textDoubled = i18n.Text{EN: "double line: above is the start, below the end", ZH: "双线：上为起点，下为终点"}
	// Conditions of edges.
	textIf       = i18n.Text{EN: "if", ZH: "如果"}
	textElse     = i18n.Text{EN: "else", ZH: "否则"}
	textBranches = i18n.Text{EN: "branches %s, joined at %s", ZH: "分支 %s，合并于 %s"}
	textPath     = i18n.Text{EN: "Path", ZH: "路径"}
	textNoPath   = i18n.Text{EN: "No steps yet", ZH: "还没有执行任何节点"}
	textEarlier  = i18n.Plural{One: "%d earlier step is not shown", Other: "%d earlier steps are not shown", ZH: "更早的 %d 步未显示"}
	// Results of steps.
	textDone     = i18n.Text{EN: "done", ZH: "完成"}
	textError    = i18n.Text{EN: "failed", ZH: "失败"}
	textLate     = i18n.Text{EN: "timed out", ZH: "超时"}
	textCut      = i18n.Text{EN: "interrupted", ZH: "已中断"}
	textYes      = i18n.Text{EN: "yes", ZH: "是"}
	textNo       = i18n.Text{EN: "no", ZH: "否"}
	textChose    = i18n.Text{EN: "chose %s", ZH: "选择 %s"}
	textChoseNo  = i18n.Text{EN: "no condition holds", ZH: "没有条件成立"}
	textUnclear  = i18n.Text{EN: "unclear, counts as no", ZH: "不明确，按否处理"}
	textUnjudged = i18n.Text{EN: "cannot be judged, counts as no", ZH: "无法判断，按否处理"}
	textWaited   = i18n.Text{EN: "waited to retry", ZH: "等待后重试"}
	textMerged   = i18n.Text{EN: "branches joined", ZH: "已合并"}
	textBranch   = i18n.Text{EN: "branch %d", ZH: "分支 %d"}
)
