package templates

import "society-tui/runtime/i18n"

var (
	title           = i18n.Text{EN: "Templates: {list.take} adds the team under root", ZH: "模板：按 {list.take} 在 root 下添加团队"}
	takes           = i18n.Text{EN: "add", ZH: "添加"}
	TextNone        = i18n.Text{EN: "No templates", ZH: "没有模板"}
	added           = i18n.Plural{One: "Added %[2]s: %[1]d agent", Other: "Added %[2]s: %[1]d agents", ZH: "已添加 %[2]s：%[1]d 个智能体"}
	hintOwnFolder   = i18n.Text{EN: "They work in an empty folder of the session; start with --workspace PATH to let them into one of yours", ZH: "它们在会话自己的空文件夹中工作；以 --workspace PATH 启动可让它们进入你的文件夹"}
	addedRoles      = i18n.Text{EN: "Added %s: its roles can be used", ZH: "已添加 %s：其角色可以使用"}
	hintAdded       = i18n.Text{EN: "tell root what you want", ZH: "告诉 root 你想要什么"}
	addedBefore     = i18n.Text{EN: "%s was already added to this society", ZH: "%s 已在此会话中添加过"}
	hintAgain       = i18n.Text{EN: "/template %s adds it again", ZH: "/template %s 可再添加一次"}
	notAdded        = i18n.Text{EN: "%s was not added", ZH: "未添加 %s"}
	TextNothingMade = i18n.Text{EN: "Nothing of it was created.", ZH: "没有创建其中任何部分。"}
	againTitle      = i18n.Text{EN: "Add %s again?", ZH: "再次添加 %s？"}
	againBody       = i18n.Text{EN: "It was added to this society before. A second team is created beside the first.", ZH: "它已在此会话中添加过。将另外再创建一个团队。"}
	again           = i18n.Text{EN: "Add again", ZH: "再次添加"}
)
