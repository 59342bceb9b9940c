package society

import "society-tui/runtime/i18n"

// What is wrong with a template.
var (
	textAt           = i18n.Text{EN: "%s: %s", ZH: "%s：%s"}
	textNameless     = i18n.Text{EN: "the template has no name", ZH: "模板没有名称"}
	textNothing      = i18n.Text{EN: "it has no roles and no agents", ZH: "其中没有角色，也没有智能体"}
	textRoleTwice    = i18n.Text{EN: "roles[%d] is called %q already; give each role its own name", ZH: "roles[%d] 已叫 %q；请给每个角色各取一个名称"}
	textNoPrompt     = i18n.Text{EN: "the role has no prompt: say what an agent of it does, and how", ZH: "角色没有提示词：请写明该角色的智能体做什么、怎么做"}
	textNoRole       = i18n.Text{EN: "there is no role %q in this template", ZH: "此模板中没有角色 %q"}
	textAgentTwice   = i18n.Text{EN: "agents[%d] is called %q already; give each its own name with as", ZH: "agents[%d] 已叫 %q；请用 as 各取一个名称"}
	textNoParent     = i18n.Text{EN: "there is no agent %q in this template; name one by its as, or leave parent out for root", ZH: "此模板中没有智能体 %q；请写某个智能体的 as，上级是 root 时省去 parent"}
	textCircle       = i18n.Text{EN: "an agent cannot be below itself: %s", ZH: "智能体不能是自己的下级：%s"}
	textBriefLacks   = i18n.Text{EN: "its brief lacks %s", ZH: "任务说明缺少 %s"}
	textTooMany      = i18n.Text{EN: "it would make %d agents alive, %d are allowed; end some, or raise limits.agents", ZH: "将有 %d 个智能体，上限为 %d；请先终止一些，或提高 limits.agents"}
	textTooDeep      = i18n.Text{EN: "%s would be at depth %d, %d is allowed; raise limits.depth", ZH: "%s 将在第 %d 层，上限为 %d；请提高 limits.depth"}
	textTooManyBelow = i18n.Text{EN: "%s would have %d children, %d are allowed; end some, or raise limits.children", ZH: "%s 将有 %d 个直接下级，上限为 %d；请先终止一些，或提高 limits.children"}
	textGraphTwice   = i18n.Text{EN: "another graph is called %q already; give each its own name", ZH: "已有图叫 %q；请给每个图各取一个名称"}
	textOfGraph      = i18n.Text{EN: "the graph %q: %s", ZH: "图 %q：%s"}
)
