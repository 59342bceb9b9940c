package shell

import "society-tui/runtime/i18n"

// Why a call does nothing, and what to do next.
var (
	textNoWorkspace = i18n.Text{EN: "There is no folder to run commands in: %s. Go on without commands, and tell the user.", ZH: "没有可供运行命令的文件夹：%s。请在不运行命令的情况下继续，并告知用户。"}
	textEmpty       = i18n.Text{EN: "The command is empty. Give what is to be run.", ZH: "命令为空。请给出要运行的内容。"}
	textTooLong     = i18n.Text{EN: "The command has %d bytes, and may have %d. Write a script into a file with write, and run that.", ZH: "命令有 %d 字节，而上限为 %d 字节。请用 write 把脚本写入文件，然后运行该文件。"}
	textZero        = i18n.Text{EN: "The command contains a zero byte, which no shell takes. Leave it out.", ZH: "命令中含有零字节，任何 shell 都不接受。请去掉它。"}
	textBadTimeout  = i18n.Text{EN: "A timeout of %d seconds is not possible: give 1 to %d. What takes longer is started with background true.", ZH: "超时不能是 %d 秒：请给出 1 到 %d。耗时更长的命令请设置 background 为 true 来启动。"}
	textBadWorkdir  = i18n.Text{EN: "%q cannot be the workdir: %s. Name a folder of your workspace, relative to it, or leave workdir out to run in the workspace itself.", ZH: "%q 不能用作 workdir：%s。请指定工作区内的文件夹（相对路径），或省略 workdir 以在工作区中运行。"}
	textNoShell     = i18n.Text{EN: "There is neither bash nor sh on this machine. Go on without commands, and tell the user.", ZH: "这台机器上既没有 bash 也没有 sh。请在不运行命令的情况下继续，并告知用户。"}
	textNotStarted  = i18n.Text{EN: "The command was not started: %s. Try once more; if it stays so, tell the user.", ZH: "命令没有启动：%s。请再试一次；若仍然如此，请告知用户。"}
	textTooMany     = i18n.Text{EN: "%d commands of yours run in the background already: %s. End one with bash_kill first.", ZH: "你已有 %d 条命令在后台运行：%s。请先用 bash_kill 结束其中一条。"}
	textNoProcess   = i18n.Text{EN: "There is no background command %q. Yours are: %s.", ZH: "没有后台命令 %q。你的后台命令有：%s。"}
	textNoneAtAll   = i18n.Text{EN: "There is no background command %q, and you have no others: those of before a restart of the program, a stop or a termination have ended with it. Start it again with bash, background true.", ZH: "没有后台命令 %q，你也没有其他后台命令：程序重启、停止或终止之前的命令已随之结束。请用 bash（background 为 true）重新启动。"}
	textBadWait     = i18n.Text{EN: "A wait of %d seconds is not possible: give 0 to %d.", ZH: "等待不能是 %d 秒：请给出 0 到 %d。"}
	textElsewhere   = i18n.Text{EN: "What was allowed was to run somewhere else, or in a sandbox that is not there now: nothing was run. Call again if it is still wanted.", ZH: "所允许的是在别处运行，或在现已不存在的沙箱中运行：没有执行任何命令。如仍需要，请再次调用。"}
	textNotParsed   = i18n.Text{EN: "The command that a rule allowed cannot be written as plain words: it was not run. Write it as simple calls joined by && or ;.", ZH: "规则所允许的命令无法写成简单的词：没有运行。请写成用 && 或 ; 连接的简单调用。"}
)

// The texts of results.
var (
	textDropped       = i18n.Text{EN: "[… %d bytes left out here …]", ZH: "[……此处省略 %d 字节……]"}
	textExit          = i18n.Text{EN: "exit code %d after %s", ZH: "退出码 %d，用时 %s"}
	textSignal        = i18n.Text{EN: "ended by the signal %s after %s", ZH: "被信号 %s 结束，用时 %s"}
	textNoOutput      = i18n.Text{EN: "(no output)", ZH: "（没有输出）"}
	textTimedOut      = i18n.Text{EN: "[The command did not end within %s, and was ended with all that it had started. Give a longer timeout (at most %d), run less of it at once, or start it with background true.]", ZH: "[命令没有在 %s 内结束，已连同它启动的一切被终止。请给出更长的 timeout（最多 %d），减少一次运行的内容，或设置 background 为 true 来启动。]"}
	textBuiltSoFar    = i18n.Text{EN: "[What was compiled so far is kept: the same command goes on from there.]", ZH: "[已编译的部分会保留：再次运行同一命令会从该处继续。]"}
	textCutShort      = i18n.Text{EN: "[The command was cut short, and was ended with all that it had started.]", ZH: "[命令被中断，已连同它启动的一切被终止。]"}
	textBlocked       = i18n.Text{EN: "[blocked_by_sandbox: the command ran in a sandbox, which is no fault of this machine. It may write to the workspace, $HOME and $TMPDIR alone, reads no other files of the user, reaches no other program over a socket, such as Docker or D-Bus, and has %s.%s If it needs more, call again with outside true and why: the user is asked.]", ZH: "[blocked_by_sandbox：命令在沙箱中运行，这不是机器故障。它只能写入工作区、$HOME 和 $TMPDIR，不能读取用户的其他文件，不能通过套接字访问 Docker、D-Bus 等其他程序，且%s。%s若确实需要更多，请设置 outside 为 true 并给出 why 再次调用：届时会询问用户。]"}
	textOwnLoopback   = i18n.Text{EN: "no network but a loopback of its own", ZH: "除自己的回环外没有网络"}
	textNoNetwork     = i18n.Text{EN: "no network at all, not even the loopback", ZH: "完全没有网络，连回环也没有"}
	textTried         = i18n.Text{EN: " Refused was: %s.", ZH: "被拒绝的是：%s。"}
	textAboveRead     = i18n.Text{EN: "[The repository is in a folder above the workspace: git can read it in the sandbox (status, diff, log), and not write it. To commit, call again with outside true and why: the user is asked.]", ZH: "[仓库位于工作区的上级文件夹：git 在沙箱中可以读取它（status、diff、log），但不能写入。若要提交，请设置 outside 为 true 并给出 why 再次调用：届时会询问用户。]"}
	textAboveSecret   = i18n.Text{EN: "[The repository is in a folder above the workspace, and its configuration seems to hold a credential: git cannot read it in the sandbox. If you need git, call again with outside true and why: the user is asked.]", ZH: "[仓库位于工作区的上级文件夹，其配置中似乎含有凭据：git 在沙箱中不能读取它。若需要 git，请设置 outside 为 true 并给出 why 再次调用：届时会询问用户。]"}
	textRestored      = i18n.Text{EN: "[What was changed of %s while the command ran was put back: hooks and configuration of git are not for commands in the sandbox to change. The changed version is in %s. If the change is wanted, or the user made it, tell the user, who keeps it in /diff by undoing that it was put back.]", ZH: "[命令运行期间对 %s 的更改已被还原：沙箱中的命令不得更改 git 的钩子和配置。更改后的版本在 %s。若确实需要此更改，或更改是用户自己所做，请告知用户，用户可在 /diff 中撤销这次还原以保留它。]"}
	textNotRestored   = i18n.Text{EN: "[What was changed of %s while the command ran could not be put back: %s. Tell the user, who should look at it before using git there.]", ZH: "[命令运行期间对 %s 的更改无法还原：%s。请告知用户，在那里使用 git 之前应先检查。]"}
	textNotAllGuarded = i18n.Text{EN: "[The workspace has too many files for all git repositories in it to be found: hooks and configuration of those that were not found are not put back.]", ZH: "[工作区的文件过多，无法找到其中所有的 git 仓库：未找到的仓库的钩子和配置不会被还原。]"}
	textChangedFiles  = i18n.Text{EN: "[changed: %s]", ZH: "[已更改：%s]"}
	textProtected     = i18n.Text{EN: "[protected: %s. Changes of these are marked in /diff, where the user can undo them. Tell the user why they were needed.]", ZH: "[受保护：%s。这些更改在 /diff 中有标记，用户可以在那里撤销。请告知用户为何需要这些更改。]"}
	textAndMore       = i18n.Text{EN: "%s and %d more", ZH: "%s 等，另有 %d 个"}
	textChangesHidden = i18n.Text{EN: "[The workspace has too many files for changes to be listed: what this command changed of them is not known, and cannot be undone.]", ZH: "[工作区的文件过多，无法列出更改：不知道此命令更改了哪些文件，也无法撤销。]"}
	textStarted       = i18n.Text{EN: "The command runs in the background as %s, for at most an hour. Read what it writes with bash_output, end it with bash_kill. Which files it changes is not listed. It ends when you are stopped or terminated, and with the program.", ZH: "命令正以 %s 在后台运行，最多一小时。用 bash_output 读取其输出，用 bash_kill 结束它。它更改的文件不会列出。当你被停止或终止、或程序结束时，它也随之结束。"}
	textRunning       = i18n.Text{EN: "%s is running, since %s", ZH: "%s 正在运行，已 %s"}
	textEnded         = i18n.Text{EN: "%s has ended: %s", ZH: "%s 已结束：%s"}
	textHour          = i18n.Text{EN: "[It had run for an hour, and was ended.]", ZH: "[它已运行一小时，已被结束。]"}
	textKilled        = i18n.Text{EN: "[It was ended with all that it had started.]", ZH: "[它已连同它启动的一切被结束。]"}
	textNothingNew    = i18n.Text{EN: "(nothing new)", ZH: "（没有新内容）"}
)

// The texts of plans, for the user, who decides.
var (
	textInSandbox  = i18n.Text{EN: "in the sandbox", ZH: "在沙箱内"}
	textOutside    = i18n.Text{EN: "outside the sandbox", ZH: "在沙箱外"}
	textNoSandbox  = i18n.Text{EN: "no sandbox on this machine", ZH: "这台机器上没有沙箱"}
	textBackground = i18n.Text{EN: "in the background", ZH: "在后台"}
	textIn         = i18n.Text{EN: "in %s", ZH: "于 %s"}
)
