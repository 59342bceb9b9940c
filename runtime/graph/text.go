package graph

import "society-tui/runtime/i18n"

// What is wrong with a graph.
var (
	textTooManyNodes   = i18n.Text{EN: "with those of sub-graphs there are more than %d nodes", ZH: "连同子图共有超过 %d 个节点"}
	textNoName         = i18n.Text{EN: "the graph has no name", ZH: "图没有名称"}
	textUnknownRouting = i18n.Text{EN: "the routing %q is none of %q and %q", ZH: "routing %q 应为 %q 或 %q"}
	textNoNodes        = i18n.Text{EN: "the graph has no nodes", ZH: "图没有节点"}
	textTooMany        = i18n.Text{EN: "there are %d %s; at most %d are allowed", ZH: "有 %d 个%s，最多 %d 个"}
	textTooLong        = i18n.Text{EN: "its %s has %d bytes; at most %d are allowed", ZH: "%s 有 %d 字节，最多 %d 字节"}
	textLimit          = i18n.Text{EN: "%s is %d, and must be from 0 to %d", ZH: "%s 是 %d，应在 0 到 %d 之间"}
	textSpan           = i18n.Text{EN: "%s is %s, and must be from 0 to %s", ZH: "%s 是 %s，应在 0 到 %s 之间"}
	textEmptyKey       = i18n.Text{EN: "a node has no key", ZH: "有节点没有 key"}
	textBadKey         = i18n.Text{EN: "a key has at most %d bytes, no blanks and no slash", ZH: "key 最多 %d 字节，不能有空格和斜杠"}
	textTwoKeys        = i18n.Text{EN: "two nodes have this key", ZH: "有两个节点用这个 key"}
	textEntryAlone     = i18n.Text{EN: "it has an entry but is not a sub-graph", ZH: "有 entry，但不是子图"}
	textForNodes       = i18n.Text{EN: "prompt, model, tools, retries and timeout are for the nodes of a sub-graph, not for the sub-graph", ZH: "prompt、model、tools、retries 和 timeout 属于子图中的节点，不属于子图"}
	textNoEntryNamed   = i18n.Text{EN: "the sub-graph has several entry points, and entry names none", ZH: "子图有多个起点，而 entry 没有指明哪一个"}
	textNoSuchEntry    = i18n.Text{EN: "the sub-graph has no entry point %q", ZH: "子图没有起点 %q"}
	textTooDeep        = i18n.Text{EN: "sub-graphs are nested more than %d deep", ZH: "子图嵌套超过 %d 层"}
	textNoNode         = i18n.Text{EN: "%s %q is not a node", ZH: "%s %q 不是节点"}
	textEdgeTwice      = i18n.Text{EN: "the edge to %q is listed twice", ZH: "通向 %q 的边重复了"}
	textEdgeFromEnd    = i18n.Text{EN: "the edge to %q is never taken: this is an end point", ZH: "通向 %q 的边不会走到：这里是终点"}
	textTwoDefaults    = i18n.Text{EN: "it has several ways on that need no condition; a fan-out is such a way", ZH: "有多条无条件的去路；分叉也算一条"}
	textTwoFanOuts     = i18n.Text{EN: "it has several fan-outs", ZH: "有多个分叉"}
	textMixedChoice    = i18n.Text{EN: "with the routing %q its conditions must be all questions or all functions", ZH: "routing 为 %q 时，条件须全是问题或全是函数"}
	textBlankQuestion  = i18n.Text{EN: "a condition has an empty question", ZH: "条件没有问题"}
	textTwoConditions  = i18n.Text{EN: "a condition is a question or a function, not both", ZH: "条件是问题或函数，不能两者都是"}
	textNoCondition    = i18n.Text{EN: "there is no condition %q", ZH: "没有条件 %q"}
	textFanOutFromEnd  = i18n.Text{EN: "the fan-out is never taken: this is an end point", ZH: "分叉不会走到：这里是终点"}
	textNoBranches     = i18n.Text{EN: "the fan-out has no branches", ZH: "分叉没有分支"}
	textNoJoin         = i18n.Text{EN: "the fan-out has no join", ZH: "分叉没有合并节点"}
	textMergeUnsaid    = i18n.Text{EN: "merge is missing: how the join combines its branches", ZH: "没有写明如何合并（merge）"}
	textUnknownMerge   = i18n.Text{EN: "the merge %q is none of %q, %q and %q", ZH: "merge %q 应为 %q、%q 或 %q"}
	textNoMerge        = i18n.Text{EN: "there is no merge %q", ZH: "没有合并函数 %q"}
	textMergeNamed     = i18n.Text{EN: "it names the function %q and merges with %q", ZH: "写了函数 %q，却用 %q 合并"}
	textTwoBranches    = i18n.Text{EN: "two branches begin at %q", ZH: "有两个分支从 %q 开始"}
	textLacks          = i18n.Text{EN: "the graph has no %s", ZH: "图没有%s"}
	textListedTwice    = i18n.Text{EN: "it is listed twice as an %s", ZH: "作为%s列出了两次"}
	textUnreachable    = i18n.Text{EN: "no way leads here from an entry point", ZH: "从起点无法到达这里"}
	textNoWayOut       = i18n.Text{EN: "no way leads from here to an end point", ZH: "从这里无法到达终点"}
	textBranchIsJoin   = i18n.Text{EN: "a branch begins at the join %q", ZH: "有分支从合并节点 %q 开始"}
	textBranchMisses   = i18n.Text{EN: "the branch at %q never leads to the join %q", ZH: "从 %q 开始的分支到不了合并节点 %q"}
	textBranchReturns  = i18n.Text{EN: "a branch leads back to its fan-out without passing the join %q", ZH: "有分支不经过合并节点 %q 就回到分叉"}
	textBranchHasEnd   = i18n.Text{EN: "the end point %q lies in a branch; a branch leads to its join", ZH: "终点 %q 在分支之中；分支只能通向合并节点"}
	textCrossedJoins   = i18n.Text{EN: "this fan-out lies in a branch of the one at %q and must join before it does, at a node of its own", ZH: "这个分叉在 %q 的分支之中，须在它之前在另外的节点合并"}
	textNodes          = i18n.Text{EN: "nodes", ZH: "节点"}
	textEdges          = i18n.Text{EN: "edges", ZH: "边"}
	textFanOuts        = i18n.Text{EN: "fan-outs", ZH: "分叉"}
	textEntries        = i18n.Text{EN: "entry points", ZH: "起点"}
	textEnds           = i18n.Text{EN: "end points", ZH: "终点"}
	textBranches       = i18n.Text{EN: "branches", ZH: "分支"}
	textEntry          = i18n.Text{EN: "entry point", ZH: "起点"}
	textEnd            = i18n.Text{EN: "end point", ZH: "终点"}
	textThe            = i18n.Text{EN: "the %s", ZH: "%s"}
	textEdgeStart      = i18n.Text{EN: "the start of an edge", ZH: "边的来源（from）"}
	textEdgeEnd        = i18n.Text{EN: "the end of an edge", ZH: "边的去向（to）"}
	textFanOutStart    = i18n.Text{EN: "the start of a fan-out", ZH: "分叉的来源（from）"}
	textJoin           = i18n.Text{EN: "the join", ZH: "合并节点"}
	textNamedTwice     = i18n.Text{EN: "its condition %q has the name of another", ZH: "条件 %q 与另一个同名"}
	textMergeTwice     = i18n.Text{EN: "its merge %q has the name of another", ZH: "合并函数 %q 与另一个同名"}
	textAsksNothing    = i18n.Text{EN: "the edge to %q is conditional and asks nothing", ZH: "通向 %q 的边有条件，却没有问题"}
	textNoFunc         = i18n.Text{EN: "the condition of the edge to %q has no name", ZH: "通向 %q 的边的条件没有名称"}
	textTwoNamed       = i18n.Text{EN: "two conditions are called %q", ZH: "有两个条件叫 %q"}
	textTwoMerges      = i18n.Text{EN: "two merges are called %q", ZH: "有两个合并函数叫 %q"}
	textAt             = i18n.Text{EN: "%q: %s", ZH: "%q：%s"}
	textBranchStart    = i18n.Text{EN: "the beginning of a branch", ZH: "分支的第一个节点"}
)
