package shell

import (
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
)

var (
	textHeldBack = i18n.Text{EN: "not prevented: %s", ZH: "未能阻止：%s"}
	textLandlock = i18n.Text{EN: "version %d of the kernel's Landlock does not limit all", ZH: "内核的 Landlock 版本 %d 不能限制全部操作"}
	textNone     = i18n.Text{EN: "this system has no means to hold in commands", ZH: "此系统没有限制命令的手段"}
	textUntried  = i18n.Text{EN: "the sandbox cannot be made: %s", ZH: "无法建立沙箱：%s"}
)

// acts are what a command tries, as users and models read it.
var acts = map[sandbox.Act]i18n.Text{
	sandbox.ActWrite:   {EN: "writing files", ZH: "写入文件"},
	sandbox.ActRead:    {EN: "reading files", ZH: "读取文件"},
	sandbox.ActMode:    {EN: "changing modes of files", ZH: "更改文件权限"},
	sandbox.ActNetwork: {EN: "another computer over the network", ZH: "通过网络访问其他计算机"},
	sandbox.ActLocal:   {EN: "a port of the loopback on which nothing of the command listened", ZH: "访问回环上命令自身未监听的端口"},
	sandbox.ActUnix:    {EN: "a Unix socket of another program", ZH: "访问其他程序的 Unix 套接字"},
	sandbox.ActSocket:  {EN: "a socket of another kind", ZH: "其他类型的套接字"},
	sandbox.ActEnviron: {EN: "reading the environment of the program", ZH: "读取程序的环境变量"},
	sandbox.ActTrace:   {EN: "looking into other processes", ZH: "查看其他进程"},
	sandbox.ActSignal:  {EN: "signalling other processes", ZH: "向其他进程发送信号"},
}

// Reason returns why a sandbox is not whole, as the user reads it. Errors of the system itself have
// no translation.
func Reason(r sandbox.Reason) i18n.Text {
	said := textLandlock.With(r.Landlock)
	switch {
	case r.Err == sandbox.ErrUnavailable: //nolint:errorlint // a wrapped one says more
		return textNone
	case r.Err != nil:
		said = textUntried.With(r.Err)
	case r.Act != "":
		said = textHeldBack.With(acts[r.Act])
	}
	return i18n.Text{EN: said.In(protocol.English), ZH: said.In(protocol.Chinese)}
}
