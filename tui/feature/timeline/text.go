package timeline

import "society-tui/runtime/i18n"

var textTimeline = i18n.Text{EN: "Timeline of %s and its subtree", ZH: "%s 及其下级的时间线"}
