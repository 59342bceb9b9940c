package mcp

import "society-tui/runtime/i18n"

// Why a call has no result, and what to do next.
var (
	textStale    = i18n.Text{EN: "The tool %s has changed since this call was allowed: nothing was done. Look at its description, and call again if it is still wanted.", ZH: "工具 %s 在此调用获准之后已更改：没有执行任何操作。请查看其说明，如仍需要再重新调用。"}
	textDown     = i18n.Text{EN: "The MCP server %s does not run now (%s): nothing was done. Go on without it, or tell the user, who can start it.", ZH: "MCP 服务器 %s 当前没有运行（%s）：没有执行任何操作。请在没有它的情况下继续，或告知可以启动它的用户。"}
	textUnknown  = i18n.Text{EN: "The MCP server %s ended while the call was running; its effect is unknown. Check before you repeat it.", ZH: "MCP 服务器 %s 在调用执行过程中结束，效果未知。重复之前请先检查。"}
	textLate     = i18n.Text{EN: "The MCP server %s gave no answer within %s; the call was cancelled, and its effect is unknown. Check before you repeat it.", ZH: "MCP 服务器 %s 在 %s 内没有回答；调用已取消，效果未知。重复之前请先检查。"}
	textRefused  = i18n.Text{EN: "The MCP server %s has refused the call: %s", ZH: "MCP 服务器 %s 拒绝了此调用：%s"}
	textDeclined = i18n.Text{EN: "While it ran, the MCP server %s wanted to ask the user: %q. It was not asked. If the answer matters, ask the user in a message, and call again with what you were told.", ZH: "执行期间，MCP 服务器 %s 想询问用户：%q。该问题没有提出。如果答案重要，请用消息询问用户，然后带上得到的答案重新调用。"}
)

// Why a server has ended or cannot be used, for the user.
var (
	textWhy       = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textNoProgram = i18n.Text{EN: "program not found", ZH: "找不到程序"}
	textHasEnded  = i18n.Text{EN: "it has ended", ZH: "它已结束"}
	textClosed    = i18n.Text{EN: "it has closed its output", ZH: "它已关闭输出"}
	textStatus    = i18n.Text{EN: "exit status %d", ZH: "退出码 %d"}
	textNotReady  = i18n.Text{EN: "it was not ready after %s", ZH: "%s 后仍未就绪"}
	textNoTools   = i18n.Text{EN: "it did not tell its tools within %s", ZH: "它在 %s 内没有列出工具"}
	textSendsOn   = i18n.Text{EN: "it sends on to another computer, %s", ZH: "它重定向到另一台计算机 %s"}
	textSendsEver = i18n.Text{EN: "it sends on without end", ZH: "它不断重定向"}
)

// What a result holds besides text.
var (
	textImage  = i18n.Text{EN: "[image %s, %s, %d bytes]", ZH: "[图片 %s，%s，%d 字节]"}
	textAudio  = i18n.Text{EN: "[audio, %s, %d bytes: cannot be played to you]", ZH: "[音频，%s，%d 字节：无法播放给你]"}
	textLink   = i18n.Text{EN: "[link to %s: %s]", ZH: "[指向 %s 的链接：%s]"}
	textBlob   = i18n.Text{EN: "[%s, %s, %d bytes: not text]", ZH: "[%s，%s，%d 字节：不是文本]"}
	textOther  = i18n.Text{EN: "[a part of a kind that is not known]", ZH: "[未知类型的部分]"}
	textCut    = i18n.Text{EN: "[%d bytes more were left out: a result may have %d]", ZH: "[还有 %d 字节被省略：结果最多 %d 字节]"}
	textEmpty  = i18n.Text{EN: "The MCP server %s has answered, without a text.", ZH: "MCP 服务器 %s 已回答，但没有文本。"}
	textNoText = i18n.Text{EN: "A tool of the MCP server %s, which does not describe it.", ZH: "MCP 服务器 %s 的工具，服务器没有给出说明。"}
)

// What a call would do, for the user.
var (
	textServer    = i18n.Text{EN: "MCP server %s: %s", ZH: "MCP 服务器 %s：%s"}
	textTool      = i18n.Text{EN: "Tool %s", ZH: "工具 %s"}
	textArguments = i18n.Text{EN: "Arguments:", ZH: "参数："}
	textVariables = i18n.Text{EN: "It is given the variables %s", ZH: "它会得到环境变量 %s"}
)
