package script

// Parts of the system prompt, as the runtime writes them.
var (
	headBrief    = text{"# Task brief", "# 任务委托书"}
	headContacts = text{"# Contacts", "# 联系人"}
	headWarning  = text{"# Context warning", "# 上下文警告"}
	setUp        = text{"Set up by the user: ", "由用户设置："}
	headStep     = text{"# Your present step: ", "# 当前步骤："}
)

// Texts in briefs and messages; agents read some of them back.
var (
	sayDo = map[work]text{
		steps:     {"Work out the steps of the request.", "列出完成请求的步骤。"},
		known:     {"Say what must be known first.", "指出首先要弄清什么。"},
		risks:     {"Name the risks.", "指出风险。"},
		checklist: {"Make a checklist.", "写出检查清单。"},
		summary:   {"Summarise the text in its own sentences.", "用原文的句子总结文本。"},
		facts:     {"Pick out the facts with their figures.", "挑出带有数字的事实。"},
		questions: {"List what the text leaves open.", "列出文本没有说清的问题。"},
		check:     {"Check what colleagues have sent.", "核对同事发来的内容。"},
	}
	sayAskFirst   = text{"Ask %s for its part first, and check it.", "先向 %s 索取它的部分，并加以核对。"}
	sayErrorFirst = text{"Show an error first: the first model call fails twice before it succeeds.", "先演示错误：第一次模型调用失败两次，然后成功。"}
	sayToolFirst  = text{"Use a tool first, and name it in the report.", "先使用一个工具，并在报告中写明。"}
	sayAskPartner = text{"Please send me your part of “%s”, so that I can check it.", "请把你关于“%s”的部分发给我，我来核对。"}
	sayReportOn   = text{"Report on “%s”", "关于“%s”的报告"}
	sayOnlyThis   = text{"Use only the words of the request and its text; invent nothing.", "只依据请求及其文本，不得编造。"}
	sayMatters    = text{"What matters most to the user: %s", "用户最看重：%s"}
	sayOutputs    = text{"A report as the text of the answer: a section for each thing to be done.", "一份报告，作为回答的正文：每项工作一节。"}
	sayComplete   = text{"Every line rests on the words of the request.", "每一行都以请求的文字为依据。"}
	sayAllOfIt    = text{"Answer the user's request with your team.", "与你的团队一起答复用户的请求。"}
	sayNewTask    = text{"Here is a new task. %s", "这里有一项新任务。%s"}
	sayDismissed  = text{"The user asked for it.", "这是用户的要求。"}
)

// team are the roles that root makes.
var team = []teamRole{
	{
		id: "planner", does: []work{steps},
		name:   text{"Planner", "规划者"},
		prompt: text{"You turn a request into steps that somebody can take, or pick the facts out of a text.", "你把请求变成可以执行的步骤，或者从文本中挑出事实。"},
		serves: text{"steps of a request, facts of a text", "请求的步骤、文本中的事实"},
	},
	{
		id: "reviewer", does: []work{known, risks}, asks: "planner",
		name:   text{"Reviewer", "审阅者"},
		prompt: text{"You look for what a request or a text leaves open, and check what a colleague has made of it.", "你寻找请求或文本没有说清的地方，并核对同事由此得出的内容。"},
		serves: text{"open questions, risks, checks", "未决问题、风险、核对"},
	},
	{
		id: "writer", does: []work{checklist},
		name:   text{"Writer", "撰写者"},
		prompt: text{"You put into few words what counts: a checklist for a request, a summary of a text in its own sentences.", "你用很少的文字写出要点：请求的检查清单，或用原文的句子写成的摘要。"},
		serves: text{"checklists and summaries", "检查清单和摘要"},
	},
}

var (
	sayInput  = text{"a request, with the text that it is about if there is one", "一个请求，以及相关的文本（如有）"}
	sayOutput = text{"a report, a section for each thing to be done", "一份报告，每项工作一节"}
)

// The sections of a report.
var sayTitle = map[work]text{
	steps:     {"Steps", "步骤"},
	known:     {"What must be known first", "首先要弄清的事"},
	risks:     {"Risks", "风险"},
	checklist: {"Checklist", "检查清单"},
	summary:   {"Summary", "摘要"},
	facts:     {"Facts with figures", "带有数字的事实"},
	questions: {"Open questions", "未决问题"},
	check:     {"Check of what %s sent", "对 %s 所发内容的核对"},
}

var (
	sayKeepTo       = text{"Keep to what is fixed: %s.", "遵守已经确定的内容：%s。"}
	saySettle       = plural{"Settle the one point that is open.", "Settle the %d points that are open.", "先明确 %d 个未决之处。"}
	saySeveral      = text{"ones", "几个"}
	sayAsManyAsCome = text{"as many as come to mind", "能想到的全部"}
	sayCount        = plural{"%d", "%d", " %d 个"}
	sayHold         = text{"Hold the result against the request: “%s”.", "把结果与请求对照：“%s”。"}

	sayMethod = map[kind][]text{
		undertaking: {
			{"Write down in one sentence by what everybody will see that it is done.", "用一句话写下：看到什么就算完成。"},
			{"Do this part: {part}.", "完成这一部分：{part}。"},
			{"Divide it into pieces that one person can finish.", "把它分成一个人能完成的小块。"},
			{"Give each piece a name and a date; do first the one on which most others wait.", "给每一块定下负责人和日期；先做其他各块最依赖的那一块。"},
			{"Look at halftime at what is late, and leave out what is not needed.", "进行到一半时查看哪些落后了，并去掉不需要的部分。"},
		},
		ideas: {
			{"Say in one sentence by what you would know a good one.", "用一句话说明怎样才算好。"},
			{"Collect {3n} without judging any.", "先收集{3n}，不作评判。"},
			{"Strike out what breaks a condition or resembles another.", "划去不合条件的和彼此相似的。"},
			{"Keep the best {n}, each with half a line that says why.", "留下最好的{n}，各用半行写明理由。"},
		},
		writing: {
			{"Write for yourself: who reads it, and what they are to do afterwards.", "先为自己写下：谁来读，读完要做什么。"},
			{"Note the points that it must hold, the most important first.", "列出必须写到的要点，最重要的在前。"},
			{"Write the draft in one go, from the first point to the last.", "从第一点到最后一点，一口气写完初稿。"},
			{"Read it aloud as its reader, and strike out what does not help them.", "以读者的身份朗读一遍，删去对他没有帮助的内容。"},
		},
		choice: {
			{"Put the options side by side.", "把各个选项并排列出。"},
			{"Name what decides, at most five points, before you look at the options.", "先写出最多五条判断标准，再看选项。"},
			{"Judge each option by each point, and mark what is only a guess.", "按每条标准评价每个选项，并标出只是猜测的内容。"},
			{"Decide, and write down what would make you decide otherwise.", "作出决定，并写下什么情况会改变这个决定。"},
		},
		lookup: {
			{"Say what the answer is for; that decides how exact it must be.", "说明答案的用途，这决定了需要多精确。"},
			{"Look it up where somebody answers for what is written.", "在有人对内容负责的地方查找。"},
			{"Compare two sources that do not copy from each other.", "比较两个互不抄录的来源。"},
			{"Write the answer in one sentence, with its source and its date.", "用一句话写出答案，并注明来源和日期。"},
		},
		problem: {
			{"Write down what happens, what should happen, and since when.", "写下发生了什么、应该怎样、从什么时候开始。"},
			{"Make it happen again with as few steps as possible.", "用尽可能少的步骤让它再次出现。"},
			{"Change one thing at a time, first what was changed last.", "一次只改一处，先查最近改动过的地方。"},
			{"When it is gone, bring it back once, so that the cause is sure.", "消失之后再让它出现一次，以确认原因。"},
		},
	}

	sayAsked     = text{"It is asked: %s", "文中问道：%s"}
	sayNotAsked  = text{"%s The request does not say.", "%s请求中没有说明。"}
	sayNotInText = text{"%s The text does not say.", "%s文本中没有说明。"}
	sayAnswered  = text{"Answered: %s", "已有答案：%s"}
	sayMissing   = map[aspect]text{
		date:    {"When?", "什么时间？"},
		cost:    {"What may it cost?", "可以花多少钱？"},
		people:  {"Who does it, and for whom?", "谁来做，为谁做？"},
		place:   {"Where?", "在哪里？"},
		goal:    {"By what will you see that it worked?", "看到什么就算成功？"},
		length:  {"How long may it be?", "可以写多长？"},
		purpose: {"What is it for?", "用来做什么？"},
		tried:   {"What has been tried already?", "已经试过什么？"},
		limits:  {"What must it not be?", "有什么不可以？"},
	}
	sayNothingOpen = text{"Nothing essential is left open.", "没有重要的问题悬而未决。"}
	sayNoRisk      = text{"The wording gives no risk away.", "文字中没有透露风险。"}
	sayNoFact      = text{"There are no figures and no dates.", "没有数字和日期。"}
	sayUnsure      = text{"“%s” leaves it open: %s", "“%s”没有说死：%s"}
	sayAbsolute    = text{"“%s” promises much: %s", "“%s”说得太满：%s"}
	sayCondition   = text{"“%s” makes it depend on something: %s", "“%s”取决于别的事：%s"}
	sayDeadline    = text{"“%s” is a deadline: %s", "“%s”是期限：%s"}
	sayFiguresHang = text{"When one of these changes, look at the others: %s.", "其中一项变化时，请查看其余各项：%s。"}
	sayGuessed     = plural{"One point is open; guessed wrongly, it costs the work that rests on it.", "%d points are open; each that is guessed wrongly costs the work that rests on it.", "有 %d 处未决；猜错一处，依据它所做的工作就要重来。"}
	sayKept        = text{"Kept: %s", "已遵守：%s"}
	sayDone        = text{"Done: %s", "已完成：%s"}
	sayAnswers     = text{"The result answers “%s”.", "结果回答了“%s”。"}

	sayPoints       = plural{"%d point was sent.", "%d points were sent.", "共发来 %d 条。"}
	sayNothingCame  = text{"Nothing came from %s.", "%s 没有发来内容。"}
	sayNothingFixed = text{"The request fixes no figure, date or name that could be missing from them.", "请求没有规定可能被遗漏的数字、日期或名称。"}
	sayAllThere     = text{"All that is fixed stands in them: %s.", "已确定的内容都在其中：%s。"}
	sayLacking      = text{"Not in them, though it is fixed: %s.", "已确定却不在其中：%s。"}
	sayToolUsed     = text{"A tool was used for show: %s.", "已按要求使用工具：%s。"}
)

// Texts to the user.
var (
	sayNoModel = text{
		"_No language model made this: it is computed from your words alone. To connect one, set OPENAI_API_KEY and SOCIETY_MODEL (and OPENAI_BASE_URL for another endpoint than OpenAI's) and start again._",
		"_这不是语言模型写的，全部由你的文字计算得出。要接入语言模型，请设置 OPENAI_API_KEY 和 SOCIETY_MODEL（使用 OpenAI 以外的端点时再设置 OPENAI_BASE_URL），然后重新启动。_",
	}
	sayIntro = text{
		"I am the **offline demo model**: fixed rules, no network, no cost. I lead a real team of agents all the same.",
		"我是**离线演示模型**：固定的规则，不联网，不花钱。但我带领的是一个真实的智能体团队。",
	}
	sayHelp = text{
		"Write any request, in English or Chinese, and I make a team for it: steps, what must be known first, risks, a checklist. Add a text behind a colon or on the next lines, and you get a summary, the facts with figures and the open questions.",
		"用中文或英文写下任何请求，我会为它组建团队：步骤、首先要弄清的事、风险和检查清单。在冒号后面或另起一行附上文本，你会得到摘要、带有数字的事实和未决问题。",
	}
	sayTryThis  = text{"For example:", "例如："}
	sayMoreToDo = text{
		"In a request, “ask me” lets me ask back, “take your time” makes the answer slow enough to be interrupted, “show an error” lets an agent fail twice and recover, “use a tool” lets it use one. “Who is there” lists the team; “dismiss” with a name, or “dismiss everybody”, ends it.",
		"请求中写“先问我”，我会先提问；写“慢慢来”，回答会慢到可以打断；写“演示错误”，会有智能体失败两次再恢复；写“使用工具”，它会使用一个工具。“谁在”列出团队；“解散”加名字或“解散所有智能体”可以终止它们。",
	}
	sayRequest  = text{"Your request: “%s”", "你的请求：“%s”"}
	sayLeftOut  = plural{"The text is long: one line in the middle of it was not worked on.", "The text is long: %d lines in the middle of it were not worked on.", "文本较长：中间的 %d 行未处理。"}
	sayExample  = text{"There was nothing to work on, so I take an example.", "没有可以处理的内容，我用一个例子。"}
	sayWork     = plural{"%d agent works on it:", "%d agents work on it:", "%d 个智能体处理它："}
	sayPart     = text{"- **%s:** %s", "- **%s：** %s"}
	sayAll      = text{"all of it", "全部内容"}
	sayAsks     = text{" It asks %s first.", "它先询问%s。"}
	sayReports  = plural{"%d report is in.", "%d reports are in.", "已收到 %d 份报告。"}
	sayAtWork   = text{"Still at work: %s.", "仍在工作：%s。"}
	sayNoted    = text{"Noted.", "知道了。"}
	sayAck      = text{"I have read “%s” and add it to the answer.", "已读到“%s”，会写进答复。"}
	sayNext     = text{"“%s” comes next, when this is answered.", "“%s”排在下一个，答复完这一个就开始。"}
	sayQuestion = text{"What matters most to you in the answer?", "答复中你最看重什么？"}
	sayWhat     = text{"What shall the team work on?", "团队要处理什么？"}
	sayHear     = text{"I go on as soon as you have answered.", "你一回答，我就继续。"}
	sayAdded    = text{"Added on the way", "途中补充"}
	sayLost     = text{"Missing: %s of %s, because %s.", "缺少：%[2]s 的%[1]s，因为%[3]s。"}
	sayMyself   = text{"I did this myself: %s. %s", "这一部分由我完成：%s。%s"}
	sayLate     = text{"%s has sent this on an earlier request:", "%s 发来了关于先前请求的内容："}

	whyEnded   = text{"it was ended", "它已被终止"}
	whyStopped = text{"it is stopped", "它已被停止"}
	whyAtRest  = text{"it came to rest without a report", "它没有提交报告就停下了"}
	whyFailed  = text{"its turn failed (%s)", "它的处理失败（%s）"}
	whyRefused = text{"No agent could be had (%s).", "无法创建智能体（%s）。"}
	whyNoTool  = text{"I have no tools here to make agents.", "我在这里没有创建智能体的工具。"}

	sayWhoHead   = text{"| agent | role | under | state |", "| 智能体 | 角色 | 上级 | 状态 |"}
	sayEndWhom   = text{"Whom shall I dismiss? There are: %s.", "要解散谁？现有：%s。"}
	sayNobody    = text{"There is no agent of mine to dismiss.", "没有可以解散的智能体。"}
	sayEnded     = text{"%s is dismissed.", "%s 已解散。"}
	sayNotDone   = text{"Not done (%s): %s", "未能完成（%s）：%s"}
	sayNoTool    = text{"I have no tool for that here.", "我在这里没有可用的工具。"}
	sayMemory    = text{"Everything before this is answered; what is open stands here.", "此前的内容均已答复；未完成的事项如下。"}
	thinkPlan    = plural{"The request has one word. I look who can do what of it.", "The request has about %d words. I look who can do what of it.", "请求约有 %d 个词。我看看谁能做其中的哪一部分。"}
	thinkWork    = text{"My task: %s", "我的任务：%s"}
	sayWorker    = text{"I am %s (%s). Send me a request or a text. What I do with it: %s", "我是 %s（%s）。发给我请求或文本，我会：%s"}
	sayDecideFor = text{"**Decision by count:** for it. Points that stand: %d, points that are open: %d.", "**按条数决定：**赞成。成立的要点 %d 条，未决的要点 %d 条。"}
	sayDecideNot = text{"**Decision by count:** not yet. Points that stand: %d, points that are open: %d; settle those first.", "**按条数决定：**暂不。成立的要点 %d 条，未决的要点 %d 条；请先解决未决之处。"}
	sayFrom      = text{"From %s (%s)", "%s（%s）的答复"}
	sayView      = text{"On “%s”", "关于“%s”"}
	sayDraft     = text{"**Draft** of “%s”", "“%s”的**初稿**"}
	sayReview    = text{"**Review** of “%s”", "“%s”的**审阅**"}
	sayFinal     = text{"**The text** of “%s”", "“%s”的**定稿**"}
	sayWeigh     = text{"**What speaks for and against** “%s”", "“%s”的**正反两面**"}
	sayStillOpen = text{"Still open", "仍未确定"}
	judgeMend    = plural{"Yes. The review names %d open point.", "Yes. The review names %d open points.", "是。审阅指出 %d 处未决。"}
	judgeGood    = text{"No. Another draft would mend nothing.", "否。再写一稿也不会更好。"}
	judgeNone    = text{"0. None of them can be told from the words.", "0。仅凭文字无法判断其中任何一项。"}
)

// Examples returns three requests to try: one without and one with a text, and one
// with directions.
func Examples(l Language) []string {
	var all []string
	for _, e := range examples {
		all = append(all, e.in(l))
	}
	return all
}

var examples = []text{
	{
		"Plan a farewell party for 30 people in May, with a budget of 400 euros",
		"策划五月的送别会，30 人参加，预算 4000 元",
	},
	{
		`What is in this note, and what does it leave open?

The library on Mill Street was closed in March because a storm had damaged the roof. The city paid 84,000 euros for the repair. Since then the reading room has been open again, but it is cold in winter, and visitors keep their coats on. A new heating was promised two years ago. It will probably arrive by October, if the council agrees.`,
		`这份记录写了什么，还有什么没说清？

磨坊街的图书馆三月因屋顶被暴风雨损坏而关闭。市里为修缮支付了 84 万元。此后阅览室重新开放，但冬天很冷，读者只好穿着外套。新的暖气两年前就答应了。如果议会同意，大概十月之前能装好。`,
	},
	{
		"Should we move our shop to the station or stay where we are? Ask me first, and show an error.",
		"我们的店应该搬到车站旁边，还是留在原处？先问我，并演示错误。",
	},
}
