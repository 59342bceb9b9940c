package tui

import (
	"slices"

	"society-tui/runtime/i18n"
	"society-tui/tui/dialog"
	"society-tui/tui/symbols"
)

var (
	recentNotices = i18n.Text{EN: "Recent notifications", ZH: "最近的通知"}
	noticeTimes   = i18n.Text{EN: " (%s times)", ZH: "（%s 次）"}
	noNotices     = i18n.Text{EN: "No notifications yet", ZH: "还没有通知"}
)

// showNotices shows what was said in the row of messages, the newest first.
func (a *app) showNotices() {
	var body []dialog.Line
	for _, s := range slices.Backward(a.notices.log) {
		line := dialog.Line{Key: s.at, Text: s.text}
		if s.times > 1 {
			line.Text += a.text(noticeTimes, symbols.Count(s.times))
		}
		if s.warned {
			line.Tone = dialog.Danger
		}
		body = append(body, line)
	}
	if len(body) == 0 {
		body = dialog.Text(a.text(noNotices))
	}
	a.deps().Report(a.text(recentNotices), body)
}
