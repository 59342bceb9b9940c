package script

// Texts in briefs and messages; agents read some of them back.
var (
	sayAskFirst   = text{"Ask %s for its part first, and check it.", "先向 %s 索取它的部分，并加以核对。"}
	sayErrorFirst = text{"Show an error first: the first model call fails twice before it succeeds.", "先演示错误：第一次模型调用失败两次，然后成功。"}
	sayShownError = text{"an error for show, as you asked (%d of %d)", "应你的要求演示的错误（%[2]d 次中的第 %[1]d 次）"}
	sayToolFirst  = text{"Use a tool first, and name it in the report.", "先使用一个工具，并在报告中写明。"}
	sayReportOn   = text{"Report on “%s”", "关于“%s”的报告"}
	sayOnlyThis   = text{"Use only the words of the request and its text. Invent nothing.", "只依据请求及其文本，不得编造。"}
	sayMatters    = text{"What matters most: %s", "最看重：%s"}
	sayOutputs    = text{"A report as the text of the answer, with a section for each task.", "一份报告，作为回答的正文：每项工作一节。"}
	sayComplete   = text{"Every line is based on the words of the request.", "每一行都以请求的文字为依据。"}
	sayNewTask    = text{"Here is a new task. %s", "这里有一项新任务。%s"}
	sayDismissed  = text{"The user asked for it.", "这是用户的要求。"}
	sayMemory     = text{"Everything before this is answered; what is open follows.", "此前的内容均已答复；未完成的事项如下。"}
)

// Texts in the sections of reports.
var (
	sayKeepTo      = text{"Keep to what is fixed: %s.", "遵守已经确定的内容：%s。"}
	saySettle      = text{"Settle what is open.", "先明确未决之处。"}
	sayCompare     = text{"Compare the result with the request, word by word.", "把结果与请求逐字对照。"}
	sayAsked       = text{"The text asks: %s", "文中问道：%s"}
	sayNothingOpen = text{"Nothing essential is open.", "没有重要的未决之处。"}
	sayNoRisk      = text{"The wording shows no risk.", "文字中没有显出风险。"}
	sayNoFact      = text{"There are no figures and no dates.", "没有数字和日期。"}
	sayConnected   = text{"If one of these changes, check the others: %s.", "其中一项变化时，请检查其余各项：%s。"}
	sayGuessed     = text{"A wrong guess at what is open costs the work that depends on it.", "未决之处一旦猜错，依据它所做的工作就要重来。"}
	sayKept        = text{"Kept: %s", "已遵守：%s"}
	sayAnswered    = text{"Answered: %s", "已有答案：%s"}
	sayAnswers     = text{"The result answers “%s”.", "结果回答了“%s”。"}
	sayCheck       = text{"Check of what %s sent", "对 %s 所发内容的核对"}
	sayNothingCame = text{"%s sent nothing.", "%s 没有发来内容。"}
	sayAllThere    = text{"Every figure, date and name that the request fixes is in it.", "请求中规定的数字、日期和名称都在其中。"}
	sayLacking     = text{"Fixed in the request, but not in it: %s.", "请求中已确定，却不在其中：%s。"}
	sayToolUsed    = text{"Tool used, as you asked: %s.", "已按要求使用工具：%s。"}
)

// Texts to the user.
var (
	sayNoModel = text{
		"_No language model made this: it is computed from your words alone. To connect one, use /models, or set OPENAI_API_KEY and SOCIETY_MODEL (and OPENAI_BASE_URL for an endpoint other than OpenAI's) and start again._",
		"_这不是语言模型写的，全部由你的文字计算得出。要接入语言模型，请用 /models；或设置 OPENAI_API_KEY 和 SOCIETY_MODEL（使用 OpenAI 以外的端点时再设置 OPENAI_BASE_URL），然后重新启动。_",
	}
	sayIntro = text{
		"I am the **offline demo model**: fixed rules, no network, no cost. The team of agents that I lead is real.",
		"我是**离线演示模型**：固定的规则，不联网，不花钱。但我带领的是一个真实的智能体团队。",
	}
	sayHelp = text{
		"Write any request, in English or Chinese, and I create a team for it: steps, what must be known first, risks, a checklist. Add a text after a colon or on the next lines to get a summary, the facts with figures and the open questions.",
		"用中文或英文写下任何请求，我会为它组建团队：步骤、首先要弄清的事、风险和检查清单。在冒号后面或另起一行附上文本，你会得到摘要、带有数字的事实和未决问题。",
	}
	sayDirections = text{
		"In a request, “ask me” lets me ask back, “take your time” makes the answer slow enough to be interrupted, “show an error” lets an agent fail twice and recover, “use a tool” lets it use one. “Who is there” lists the team; “dismiss” with a name, or “dismiss everybody”, ends it.",
		"请求中写“先问我”，我会先提问；写“慢慢来”，回答会慢到可以打断；写“演示错误”，会有智能体失败两次再恢复；写“使用工具”，它会使用一个工具。“谁在”列出团队；“解散”加名字或“解散所有智能体”可以终止它们。",
	}
	sayRequest  = text{"The **offline demo model** works on your request: “%s”", "**离线演示模型**处理你的请求：“%s”"}
	sayLeftOut  = text{"The text is long. Lines in the middle of it that were not worked on: %d.", "文本较长，中间的 %d 行未处理。"}
	sayWork     = text{"Agents that work on it:", "处理它的智能体："}
	sayPart     = text{"- **%s:** %s", "- **%s**：%s"}
	sayAtWork   = text{"Still at work: %s.", "仍在工作：%s。"}
	sayAgain    = text{"Nobody works on it any more. I ask again: %s.", "已经没有智能体在处理它，我再次请求：%s。"}
	sayNoted    = text{"Noted.", "知道了。"}
	sayQuestion = text{"What matters most to you in the answer?", "答复中你最看重什么？"}
	sayWhat     = text{"What should the team work on?", "团队要处理什么？"}
	sayHear     = text{"I will go on when you have answered.", "你一回答，我就继续。"}
	sayAdded    = text{"Added on the way", "途中补充"}
	sayMissing  = text{"Missing: “%s” of %s, because %s. I did it myself.", "缺少：%[2]s 的“%[1]s”，因为%[3]s。这一部分由我完成。"}
	sayLate     = text{"The report of %s came after the answer.", "%s 的报告在答复之后才到。"}
	sayWorker   = text{"I am %s (%s). Send me a request or a text, and I answer with: %s.", "我是 %s（%s）。发给我请求或文本，我的答复包括：%s。"}
	thinkWork   = text{"My task: %s", "我的任务：%s"}

	whyEnded   = text{"it was ended", "它已被终止"}
	whyFailed  = text{"its turn failed (%s)", "它的处理失败（%s）"}
	whyRefused = text{"no agent could be created (%s)", "无法创建智能体（%s）"}
	whyStopped = text{"it is stopped", "它已被停止"}
	whyAtRest  = text{"it came to rest without a report", "它没有提交报告就停下了"}
	whyNoTool  = text{"I have no tools here to create agents", "我在这里没有创建智能体的工具"}

	sayTeam    = text{"| agent | id | under | state |", "| 智能体 | ID | 上级 | 状态 |"}
	sayYou     = text{"you", "你"}
	sayEndWhom = text{"Whom should I dismiss? There are: %s.", "要解散谁？现有：%s。"}
	sayNobody  = text{"There is no agent of mine to dismiss.", "没有可以解散的智能体。"}
	sayEnded   = text{"%s is dismissed.", "%s 已解散。"}
)

// stateWords are the states of agents in words.
var stateWords = map[string]text{
	"idle": {"idle", "空闲"}, "waiting_llm": {"at work", "工作中"}, "processing": {"at work", "工作中"},
	"stopping": {"stopping", "正在停止"}, "stopped": {"stopped", "已停止"}, "terminating": {"terminating", "正在终止"},
}

// Texts about the files of a folder.
var (
	todoFolder = []text{
		{"Look at the folder", "查看文件夹"},
		{"Write the outline of the report", "写出报告的提纲"},
		{"Delegate the tests, and search for notes and long functions", "转交测试部分，查找待办标记和过长的函数"},
		{"Wait for the part on the tests", "等待关于测试的部分"},
		{"Write my part into the report", "把我的部分写入报告"},
		{"Keep the report as an artifact", "把报告保存为产出"},
	}
	todoTests = []text{
		{"Look at the report and the folder", "查看报告和文件夹"},
		{"Count the tests, and find what has none", "统计测试，找出没有测试的部分"},
		{"Write my part into the report", "把我的部分写入报告"},
	}

	sayOnlyFiles     = text{"Name only what you find in the files. Change none but the report.", "只写在文件中找到的内容，除报告外不更改任何文件。"}
	sayCompleteFiles = text{"Every finding has its place.", "每项发现都注明位置。"}

	sayIntoFile  = text{"Write your part into the file “%s”, in place of this line: %s", "把你的部分写入文件“%s”，替换这一行：%s"}
	sayBusy      = text{"_The part of the role “%s” is not written yet._", "_角色“%s”的部分尚未写入。_"}
	sayFilesPart = text{"Files, notes and functions", "文件、待办标记和函数"}
	sayCounted   = text{"Counted from names, sizes and searches by the offline demo model. No language model has read the files.", "由离线演示模型根据名称、大小和搜索结果统计得出，没有语言模型读过这些文件。"}

	sayFiles         = text{"Files: %d, %s. Most are: %s.", "%d 个文件，共 %s。最多的类型：%s。"}
	sayLargest       = text{"The largest: %s.", "最大的文件：%s。"}
	sayEmptyFiles    = text{"Empty files: %d (%s).", "空文件：%d 个（%s）。"}
	sayNotes         = text{"Notes of unfinished work (TODO, FIXME, HACK, XXX): %d.", "未完成工作的标记（TODO、FIXME、HACK、XXX）：%d 处。"}
	sayNotesAtLeast  = text{"Notes of unfinished work (TODO, FIXME, HACK, XXX): at least %d.", "未完成工作的标记（TODO、FIXME、HACK、XXX）：至少 %d 处。"}
	sayNoNotes       = text{"No notes of unfinished work (TODO, FIXME, HACK, XXX).", "没有未完成工作的标记（TODO、FIXME、HACK、XXX）。"}
	sayNoCode        = text{"No source files in a language whose functions I can count.", "没有我能统计函数的源文件。"}
	sayLongest       = text{"The longest functions in the largest source files (%d: %s), from the first line to the closing one:", "最大的 %d 个源文件（%s）中最长的函数，从首行到结束行："}
	sayFunction      = text{"%s, %d lines: %s", "%s，%d 行：%s"}
	sayNested        = text{"The first of them is indented %d levels deep.", "其中第一个最深缩进 %d 层。"}
	sayPartly        = text{"Looked at in part only, because there is too much in it: %s.", "内容过多，只查看了一部分：%s。"}
	sayMore          = text{" and %d more", "等，另有 %d 个"}
	sayEmptyFolder   = text{"The folder is empty. To review one of yours, start with --workspace and its path.", "文件夹是空的。要审查你自己的文件夹，请用 --workspace 加路径启动。"}
	sayNoFiles       = text{"I could not look at any files: the tools for them were not there, or gave no result.", "无法查看文件：没有相应的工具，或工具没有返回结果。"}
	sayNothingToTest = text{"There are no source files, so there is nothing to test.", "没有源文件，因此没有需要测试的内容。"}
	saySources       = text{"Source files: %d. Test files: %d.", "源文件：%d 个。测试文件：%d 个。"}
	sayBareFolders   = text{"Folders with source files and no test file: %d (%s).", "有源文件但没有测试文件的文件夹：%d 个（%s）。"}
	sayUntested      = text{"Source files without a test file of their name: %d. The largest: %s.", "没有同名测试文件的源文件：%d 个。最大的：%s。"}
	sayTests         = text{"Tests: %d.", "测试：%d 个。"}
	sayTestsAtLeast  = text{"Tests: at least %d.", "测试：至少 %d 个。"}
	saySkipped       = text{"Places that skip a test: %d (%s).", "跳过测试之处：%d 处（%s）。"}

	sayLines     = text{"Lines, counted with `wc -l`: %s.", "用 `wc -l` 统计的行数：%s。"}
	sayWhyLines  = text{"To say in the report how long the files are.", "用于在报告中说明文件有多长。"}
	sayNoLines   = text{"Lines were not counted with `wc -l`: %s.", "没有用 `wc -l` 统计行数：%s。"}
	sayPage      = text{"The page that %s names, %s, is called “%s”.", "%s 中给出的网页 %s 标题为“%s”。"}
	sayElsewhere = text{"The page that %s names, %s, sends to %s.", "%s 中给出的网页 %s 重定向到 %s。"}
	sayNoPage    = text{"The page that %s names, %s, was not read: %s.", "%s 中给出的网页 %s 没有读取：%s。"}

	sayWritten    = text{"The report is the file %s of the workspace.", "报告是工作区中的文件 %s。"}
	sayNotWritten = text{"I could not write my part into the file %s: %s.", "无法把我的部分写入文件 %s：%s。"}
	sayNoReport   = text{"The report was not written as a file: %s.", "报告没有写成文件：%s。"}
	sayKeptAs     = text{"It is kept as artifact:%s.", "已保存为 artifact:%s。"}
	sayNotDone    = text{"Missing: “%s” of %s, because %s.", "缺少：%[2]s 的“%[1]s”，因为%[3]s。"}

	whyDenied    = text{"the change was not allowed", "更改未获允许"}
	whyForbidden = text{"it was not allowed", "未获允许"}
	whyGone      = text{"the file is not there any more", "文件已不存在"}
	whyNoFiles   = text{"there are no tools for files here", "这里没有处理文件的工具"}
	whyNoResult  = text{"there was no result", "没有得到结果"}
)

// Texts at the nodes of graphs.
var (
	judgeMend = text{"Yes. Something is still open.", "是。还有未决之处。"}
	judgeGood = text{"No. Another draft would change nothing.", "否。再写一稿也不会更好。"}
	judgeNone = text{"0. None of them can be told from the words.", "0。仅凭文字无法判断其中任何一项。"}
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
