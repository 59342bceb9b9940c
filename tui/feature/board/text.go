package board

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/replica"
)

var (
	textTitle        = i18n.Text{EN: "Board", ZH: "总表"}
	textSort         = i18n.Text{EN: "Sort by a column; once more reverses it", ZH: "按某一列排序；再按一次反向"}
	textSortBy       = i18n.Text{EN: "Sort by: %s", ZH: "排序：%s"}
	textSortNext     = i18n.Text{EN: "Sort by the next column", ZH: "按右侧一列排序"}
	textSortPrevious = i18n.Text{EN: "Sort by the previous column", ZH: "按左侧一列排序"}
	textReverse      = i18n.Text{EN: "Reverse the order", ZH: "反转顺序"}
	textOnlyHere     = i18n.Text{EN: "only on the board", ZH: "仅在总表中"}
	textHintSort     = i18n.Text{EN: "sort", ZH: "排序"}
	textHintVerbs    = i18n.Text{EN: "stop/terminate", ZH: "停止/终止"}
	textKeep         = i18n.Text{EN: "keep filter", ZH: "保留筛选"}
	textMarked       = i18n.Text{EN: "%d marked", ZH: "已标记 %d"}
	textNoMatch      = i18n.Text{EN: "No agent matches “%s” · esc shows all", ZH: "没有匹配“%s”的智能体 · esc 显示全部"}
	textNoneShown    = i18n.Text{EN: "No agent matches “%s” · {board.show} changes the filter, esc shows all", ZH: "没有匹配“%s”的智能体 · {board.show} 切换筛选，esc 显示全部"}
	textEmpty        = i18n.Text{EN: "No agents yet", ZH: "还没有智能体"}
)

// shows are the filters by state.
var shows = map[replica.Show]i18n.Text{
	replica.All:      {EN: "all", ZH: "全部"},
	replica.Problems: {EN: "problems", ZH: "问题"},
	replica.Running:  {EN: "running", ZH: "运行中"},
}
