package action

import "society-tui/runtime/i18n"

var (
	textCut            = i18n.Text{EN: "Connection to %s lost", ZH: "与 %s 的连接已断开"}
	textHintCut        = i18n.Text{EN: "you see what was there then; it is tried again by itself", ZH: "显示的是断开时的内容，正在自动重连"}
	textConnected      = i18n.Text{EN: "Connected to %s again", ZH: "已重新连接 %s"}
	textHintConnecting = i18n.Text{EN: "nothing was sent, your text is kept; try again when it is back", ZH: "没有发送，文字已保留；恢复连接后再试"}

	// TextNotConnected is why something is not there while the connection is cut.
	TextNotConnected = i18n.Text{EN: "Not connected", ZH: "未连接"}
	// TextAttached tells at the start which session another program runs, TextHintAttached
	// what that means.
	TextAttached     = i18n.Text{EN: "Attached to %s", ZH: "已连接 %s"}
	TextHintAttached = i18n.Text{EN: "closing this screen ends nothing", ZH: "关闭此界面不会结束任何工作"}
)

// Connection reports that the connection to a society, which the user calls where, was cut
// or is back, if that changed.
func (b *Builder) Connection(before bool, where string) Notice {
	switch now := b.Society.IsCut(); {
	case now == before:
		return Notice{}
	case now:
		return Notice{Warned, b.text(textCut, where), b.text(textHintCut)}
	}
	return Notice{Told, b.text(textConnected, where), ""}
}

// WhileCut explains why nothing is sent while the connection is cut. It is empty otherwise.
func (b *Builder) WhileCut() Notice {
	if !b.Society.IsCut() {
		return Notice{}
	}
	return b.notConnected()
}

func (b *Builder) notConnected() Notice {
	return Notice{Warned, b.text(TextNotConnected), b.text(textHintConnecting)}
}
