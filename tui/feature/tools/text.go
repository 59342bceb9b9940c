package tools

import "society-tui/runtime/i18n"

var (
	textTitle    = i18n.Text{EN: "Tools and rules", ZH: "工具和规则"}
	textOfAgent  = i18n.Text{EN: "This agent", ZH: "当前智能体"}
	textCommands = i18n.Text{EN: "Commands", ZH: "命令"}
	textRules    = i18n.Text{EN: "Rules: what is denied, asked or allowed beside the mode", ZH: "规则：在模式之外拒绝、询问或允许什么"}
	textRoles    = i18n.Text{EN: "Roles", ZH: "角色"}
	textServers  = i18n.Text{EN: "MCP servers", ZH: "MCP 服务器"}
	textGroups   = i18n.Text{EN: "groups: %s", ZH: "工具组：%s"}
	textTools    = i18n.Plural{One: "%d tool", Other: "%d tools", ZH: "%d 个工具"}
	textMissing  = i18n.Plural{One: "%d not offered", Other: "%d not offered", ZH: "%d 项未提供"}
	textNoRules  = i18n.Text{EN: "No rules; the mode decides.", ZH: "没有规则，由模式决定。"}
	textNumber   = i18n.Text{EN: "rule %d", ZH: "规则 %d"}
	// textFromSettings says where a rule stands.
	textFromSettings = i18n.Text{EN: "from %s", ZH: "来自 %s"}

	textToolsOf = i18n.Text{EN: "Tools of %s", ZH: "%s 的工具"}
	// Why a tool is not offered.
	textNoRoom       = i18n.Text{EN: "Not offered: no room for their descriptions in the model's window", ZH: "未提供：模型窗口放不下它们的说明"}
	textNotInSociety = i18n.Text{EN: "Not offered by this society: see tools.groups in the settings", ZH: "此团队未提供：见设置 tools.groups"}
	hintRules        = i18n.Text{EN: "/rule adds and removes rules", ZH: "/rule 添加和删除规则"}
	hintRoles        = i18n.Text{EN: "/roles shows the role", ZH: "/roles 查看角色"}

	hintAdd          = i18n.Text{EN: "add rule", ZH: "添加规则"}
	hintRemove       = i18n.Text{EN: "remove", ZH: "删除"}
	textAddTitle     = i18n.Text{EN: "Add a rule", ZH: "添加规则"}
	textAddBody      = i18n.Text{EN: "allow, ask or deny, then a tool (* for all), then its files: allow edit docs/**", ZH: "先写 allow、ask 或 deny，再写工具（* 表示全部），然后是文件：allow edit docs/**"}
	textAddCommands  = i18n.Text{EN: "For commands, the words that they begin with: allow bash go test", ZH: "对于命令，写其开头的词：allow bash go test"}
	textAddScope     = i18n.Text{EN: "For some only: role NAME, agent NAME, or under NAME for an agent and its subtree.", ZH: "仅限部分智能体：role 角色名、agent 名称，或 under 名称（含其下级）。"}
	textAddWhy       = i18n.Text{EN: "A denial may end in: why REASON. Models are told the reason.", ZH: "拒绝规则可以 why 原因 结尾，模型会得知此原因。"}
	textRule         = i18n.Text{EN: "Rule:", ZH: "规则："}
	textAdd          = i18n.Text{EN: "Add rule", ZH: "添加规则"}
	textPickRule     = i18n.Text{EN: "Select a rule first", ZH: "请先选择一条规则"}
	textSettingsStay = i18n.Text{EN: "This rule stands in the settings; change it there", ZH: "此规则来自设置，请在设置中更改"}
	textRemoveTitle  = i18n.Text{EN: "Remove rule %d?", ZH: "删除规则 %d？"}
	textRemoveBody   = i18n.Text{EN: "Later calls are decided without it. What waits goes on waiting.", ZH: "以后的调用不再使用它。正在等待的请求继续等待。"}
	textRemove       = i18n.Text{EN: "Remove rule", ZH: "删除规则"}
)
