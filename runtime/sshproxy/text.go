package sshproxy

import "society-tui/runtime/i18n"

var (
	textNoAddress = i18n.Text{EN: "%s; an address is written ssh://[user@]host[:port][/session]", ZH: "%s；地址的写法是 ssh://[用户@]主机[:端口][/会话]"}
	textNoScheme  = i18n.Text{EN: "the address begins with %q, not with ssh://", ZH: "地址以 %q 开头，而不是 ssh://"}
	textNoURL     = i18n.Text{EN: "the address has a character or a port that none can have", ZH: "地址中有不允许的字符或端口"}
	textNoHost    = i18n.Text{EN: "%q is not the name of a machine", ZH: "%q 不是主机名"}
	textNoUser    = i18n.Text{EN: "%q is not the name of a user", ZH: "%q 不是用户名"}
	textNoPort    = i18n.Text{EN: "%q is not a port from 1 to 65535", ZH: "%q 不是 1 到 65535 的端口"}
	textTooMuch   = i18n.Text{EN: "%q does not belong in an address", ZH: "地址中不应有 %q"}
	textPassword  = i18n.Text{EN: "an address holds no password; ssh asks for it", ZH: "地址中不写密码；ssh 会询问"}
	textNoSSH     = i18n.Text{EN: "the program ssh was not found: %s", ZH: "找不到程序 ssh：%s"}
	textFailed    = i18n.Text{EN: "ssh did not connect to %s (exit code %d)", ZH: "ssh 未能连接 %s（退出码 %d）"}
	textSaid      = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textNotThere  = i18n.Text{EN: "society-tui was not found on %s; install it there, in a folder of the PATH that ssh sees", ZH: "在 %s 上找不到 society-tui；请安装到那里 ssh 所见 PATH 的文件夹中"}
	textTooOld    = i18n.Text{EN: "society-tui on %s did not answer (exit code %d); it may be too old for that", ZH: "%s 上的 society-tui 没有应答（退出码 %d）；它可能版本太旧"}
	textSpeaks    = i18n.Text{EN: "society-tui on %s speaks another protocol of proxy (%d, here %d); install the same version on both machines", ZH: "%s 上的 society-tui 使用另一种代理协议（%d，这里是 %d）；请在两台机器上安装相同版本"}
	textRefused   = i18n.Text{EN: "society-tui on %s refused: %s", ZH: "%s 上的 society-tui 拒绝了：%s"}
	textBadData   = i18n.Text{EN: "--data has a character that shells do not agree on: %q", ZH: "--data 含有各种 shell 解释不一致的字符：%q"}

	// TextNotOpen is the error when nobody has the session open there: session, host, and
	// the command that opens it.
	TextNotOpen = i18n.Text{EN: "session %s is not open on %s; open it with: %s", ZH: "会话 %s 在 %s 上没有打开；打开它：%s"}
)
