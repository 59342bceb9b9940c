package mcp

import "society-tui/runtime/i18n"

var (
	textTitle = i18n.Text{EN: "MCP servers", ZH: "MCP 服务器"}
	textNone  = i18n.Text{
		EN: "No MCP servers. Add one to the settings, as /help tools shows: [[mcp]] name = \"docs\", command = \"npx\", args = [\"-y\", \"PACKAGE\"]",
		ZH: "没有 MCP 服务器。请在设置中添加，见 /help tools：[[mcp]] name = \"docs\"，command = \"npx\"，args = [\"-y\", \"PACKAGE\"]",
	}
	textOne = i18n.Text{EN: "MCP server %s", ZH: "MCP 服务器 %s"}

	textSince     = i18n.Text{EN: "since %s", ZH: "自 %s"}
	textProblem   = i18n.Text{EN: "It ended or did not start: %s", ZH: "已结束或未能启动：%s"}
	textCommand   = i18n.Text{EN: "Command: %s", ZH: "命令：%s"}
	textAddress   = i18n.Text{EN: "Address: %s", ZH: "地址：%s"}
	textEnv       = i18n.Text{EN: "It gets these environment variables: %s", ZH: "它得到的环境变量：%s"}
	textProtocol  = i18n.Text{EN: "Protocol: %s", ZH: "协议：%s"}
	textCalled    = i18n.Text{EN: "It calls itself: %s", ZH: "它自称：%s"}
	textTrusted   = i18n.Text{EN: "The settings trust what it says of its tools.", ZH: "设置信任它对自身工具的说明。"}
	textForRoles  = i18n.Text{EN: "Roles that are given its tools: %s", ZH: "得到其工具的角色：%s"}
	textForNobody = i18n.Text{EN: "No role is given its tools. Ask root to make one with the group %s.", ZH: "没有角色得到其工具。可要求 root 建立带有工具组 %s 的角色。"}
	textOffered   = i18n.Text{EN: "Tools that agents are offered, in the group %s", ZH: "提供给智能体的工具，属于工具组 %s"}
	textLeft      = i18n.Text{EN: "Not offered", ZH: "未提供"}
	textReadOnly  = i18n.Text{EN: "only reads", ZH: "只读"}
	textOutput    = i18n.Text{EN: "Standard error", ZH: "标准错误"}
	textCut       = i18n.Text{EN: "Its last lines (%d).", ZH: "最后 %d 行。"}

	titleStartOrStop = i18n.Text{EN: "Start or stop the MCP server", ZH: "启动或停止 MCP 服务器"}
	titleRestart     = i18n.Text{EN: "Restart the MCP server", ZH: "重启 MCP 服务器"}
	hintStart        = i18n.Text{EN: "start", ZH: "启动"}
	hintStop         = i18n.Text{EN: "stop", ZH: "停止"}
	hintRestart      = i18n.Text{EN: "restart", ZH: "重启"}
)
