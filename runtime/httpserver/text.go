package httpserver

import "society-tui/runtime/i18n"

// Why there is no port.
var (
	// TextPortBusy is the notice that another program has the port.
	TextPortBusy       = i18n.Text{EN: "Port %s is in use: HTTP is off; choose another with --http", ZH: "端口 %s 已被占用：HTTP 关闭；请用 --http 另选端口"}
	textPortRefused    = i18n.Text{EN: "The HTTP API has no port: %s", ZH: "HTTP API 没有端口：%s"}
	textPortTaken      = i18n.Text{EN: "port %s is in use; choose another", ZH: "端口 %s 已被占用；请另选端口"}
	textNoListening    = i18n.Text{EN: "cannot listen on %s: %s", ZH: "无法监听 %s：%s"}
	textBadAddress     = i18n.Text{EN: "%q is not an address of this machine; use one such as 127.0.0.1:3001, a port alone, or off", ZH: "%q 不是本机地址；请用 127.0.0.1:3001 这样的地址、单独的端口，或 off"}
	textNotHere        = i18n.Text{EN: "%q is not an address of this machine; use one such as 127.0.0.1:3001, or a port alone", ZH: "%q 不是本机地址；请用 127.0.0.1:3001 这样的地址，或单独的端口"}
	textForeignAddress = i18n.Text{EN: "%q would let other machines in; use one such as 127.0.0.1:3001, and ssh -L from elsewhere", ZH: "%q 会让其他机器也能连接；请用 127.0.0.1:3001 这样的地址，从别处用 ssh -L"}
	textBadPort        = i18n.Text{EN: "%q is not a port; use a number from 1 to 65535, such as 127.0.0.1:3001", ZH: "%q 不是端口；请用 1 到 65535 的数字，如 127.0.0.1:3001"}
	textNothing        = i18n.Text{EN: "The HTTP API has no socket on this system and no port. Choose a port with --http 127.0.0.1:3000.", ZH: "HTTP API 在此系统上没有套接字，也没有端口。请用 --http 127.0.0.1:3000 选择端口。"}
)

// Why there is no socket.
var (
	textNoSocket         = i18n.Text{EN: "The HTTP API has no socket: %s", ZH: "HTTP API 没有套接字：%s"}
	textNoRuntimeFolder  = i18n.Text{EN: "The HTTP API has no socket: %s. Use another folder with --data, or set XDG_RUNTIME_DIR.", ZH: "HTTP API 没有套接字：%s。请用 --data 换一个文件夹，或设置 XDG_RUNTIME_DIR。"}
	textTooLong          = i18n.Text{EN: "the path %s is too long for a socket", ZH: "路径 %s 对套接字来说太长"}
	textOpenFolder       = i18n.Text{EN: "other users can write to the folder %s; run chmod go-w on it", ZH: "其他用户可以写入文件夹 %s；请对它运行 chmod go-w"}
	textBadRuntimeFolder = i18n.Text{EN: "%s must be a folder of yours with mode 0700; move it away, then start again", ZH: "%s 应为属于你、权限为 0700 的文件夹；请移走后重新启动"}
	textNotOurSocket     = i18n.Text{EN: "%s is not a socket of yours; move it away, then start again", ZH: "%s 不是你的套接字；请移走后重新启动"}
	textSocketServed     = i18n.Text{EN: "another program uses %s; end it, then start again", ZH: "另一个程序正在使用 %s；请结束它后重新启动"}
)

// What is wrong with the token.
var (
	textNoToken      = i18n.Text{EN: "The HTTP API is off: %s", ZH: "HTTP API 已关闭：%s"}
	textTokenNoFile  = i18n.Text{EN: "%s is not a regular file", ZH: "%s 不是普通文件"}
	textTokenForeign = i18n.Text{EN: "%s belongs to another user", ZH: "%s 属于其他用户"}
	textTokenOpen    = i18n.Text{EN: "others can read %s (mode %04o)", ZH: "其他用户可以读取 %s（权限 %04o）"}
	textTokenEmpty   = i18n.Text{EN: "%s contains no token", ZH: "%s 中没有令牌"}
	textTokenMissing = i18n.Text{EN: "%s does not exist", ZH: "%s 不存在"}
	textReplaceToken = i18n.Text{EN: "%s; run society-tui token --new, then start again", ZH: "%s；请运行 society-tui token --new 后重新启动"}
	textCloseToken   = i18n.Text{EN: "%s; run chmod 600 %s", ZH: "%s；请运行 chmod 600 %s"}
	textCopyToken    = i18n.Text{EN: "%s; copy the token into a file of yours: society-tui token, run where the session is open, prints it", ZH: "%s；请把令牌复制到你的文件中：在打开会话的机器上运行 society-tui token 即可输出"}
)
