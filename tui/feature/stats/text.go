package stats

import "society-tui/runtime/i18n"

var (
	textCopy     = i18n.Text{EN: "Copy", ZH: "复制"}
	textUnsaved  = i18n.Text{EN: "saving failed: %s", ZH: "保存失败：%s"}
	textEnded    = i18n.Text{EN: ", %s terminated", ZH: "，已终止 %s 个"}
	textRetries  = i18n.Plural{One: ", %[2]s retry", Other: ", %[2]s retries", ZH: "，重试 %[2]s 次"}
	textTook     = i18n.Text{EN: ", %s in all", ZH: "，用时 %s"}
	textSociety  = i18n.Text{EN: "The society", ZH: "整个团队"}
	textAgents   = i18n.Text{EN: "agents", ZH: "智能体"}
	textMade     = i18n.Text{EN: "created", ZH: "累计创建"}
	textMessages = i18n.Text{EN: "messages sent", ZH: "发送的消息"}
	textTokens   = i18n.Text{EN: "tokens", ZH: "词元"}
	textCalls    = i18n.Text{EN: "model calls", ZH: "模型调用"}
	textSaved    = i18n.Text{EN: "saved", ZH: "已保存"}
	textStore    = i18n.Text{EN: "store", ZH: "存储"}
	textOfAll    = i18n.Text{EN: " (of all: /to root, then /stats)", ZH: "（看全部：/to root，再 /stats）"}
	textRoles    = i18n.Text{EN: "By role", ZH: "按角色"}
	textRole     = i18n.Plural{One: "%[2]s agent", Other: "%[2]s agents", ZH: "%[2]s 个智能体"}
	textModels   = i18n.Text{EN: "By model", ZH: "按模型"}
	textNoModel  = i18n.Text{EN: "summaries, judgements", ZH: "摘要、判断"}
	textTasks    = i18n.Text{EN: "By task (a task goes on until /new)", ZH: "按任务（一个任务持续到 /new）"}
	textDays     = i18n.Text{EN: "By day", ZH: "按日"}
	textSpent    = i18n.Text{EN: "in %s out %s", ZH: "入 %s 出 %s"}
	textOfCalls  = i18n.Plural{One: "%[2]s call", Other: "%[2]s calls", ZH: "%[2]s 次调用"}
	textGone     = i18n.Text{EN: "terminated", ZH: "已终止的"}
	textRootGone = i18n.Text{EN: "terminated, model tests", ZH: "已终止的、模型测试"}
	textEarlier  = i18n.Text{EN: "earlier", ZH: "此前"}
	textNoTask   = i18n.Text{EN: "no task", ZH: "无任务"}
)
