package plain

import (
	"society-tui/runtime/i18n"
	"society-tui/tui/command"
)

// onlyOnScreen are the commands of the screen that make no sense in lines, and why, with what
// does the same here.
var onlyOnScreen = map[string]i18n.Text{
	"/copy":   {EN: "/copy needs a screen: copy the text in your terminal, or write a conversation to a file with /export", ZH: "/copy 需要全屏界面：请在终端中复制文字，或用 /export 把对话写入文件"},
	"/filter": {EN: "/filter narrows the tree of the screen: /board state lists those first that need you, /find finds a text", ZH: "/filter 用于筛选界面中的树：/board state 先列出需要你的智能体，/find 查找文字"},
	"/mouse":  {EN: "/mouse needs a screen: here the mouse belongs to your terminal", ZH: "/mouse 需要全屏界面：这里鼠标由终端使用"},
	"/theme":  {EN: "/theme colours the screen: here the colours are those of your terminal; /settings theme NAME sets the screen's", ZH: "/theme 用于界面的颜色：这里使用终端的颜色；/settings theme 名称 设置界面的主题"},
}

// refused returns the commands that are answered with the reason why they are not here. No list
// shows them.
func (f *frontend) refused() (all []*command.Command) {
	for slash, why := range onlyOnScreen {
		all = append(all, &command.Command{
			Slash: slash, Hidden: true, Group: command.GroupView, Title: why, Args: []command.Arg{command.Text()},
			Run: command.With(func(command.Input) { f.warn(f.printer.T(why)) }),
		})
	}
	return all
}
