package script

import "society-tui/llm/lazyregexp"

// A kind describes the requests of a kind.
type kind struct {
	words *lazyregexp.Regexp
	needs []aspect // what must be known for them
	steps []text
}

// An aspect is something that must be known before the work begins.
type aspect struct {
	question text
	named    *lazyregexp.Regexp // words that name it
}

// kinds are looked for in this order; the last holds all other requests.
var kinds = []kind{
	{
		lazyregexp.New(`(?i)^(?:should|shall|which|decide|choose|compare|is it (?:better|worth))\b|\bwhether\b|\bbetter\b.*\bor\b|\bvs\b|是否|要不要|该不该|值得|还是|哪个|哪种|比较|选择`),
		[]aspect{goal, cost, date},
		[]text{
			{"List the options side by side.", "把各个选项并排列出。"},
			{"Rate each by at most five criteria, and mark what is a guess.", "按最多五条标准逐一评价，并标出哪些只是猜测。"},
			{"Decide, and note what would change the decision.", "作出决定，并记下什么情况会改变它。"},
		},
	},
	{
		lazyregexp.New(`(?i)^(?:write|draft|compose|reply|answer|translate|rewrite|rephrase|edit|shorten|summari[sz]e|proofread|review)\b|写|起草|撰|翻译|润色|总结|摘要|回信|回复`),
		[]aspect{people, purpose, date},
		[]text{
			{"Note who reads it, and what they should do afterwards.", "记下谁来读，读完要做什么。"},
			{"List the points that it must make, the most important first.", "列出必须写到的要点，最重要的在前。"},
			{"Write the draft in one go, from the first point to the last.", "从第一点到最后一点，一次写完初稿。"},
		},
	},
	{
		lazyregexp.New(`(?i)^(?:fix|repair|debug|solve)\b|\b(?:error|broken|fails|crash\w*|(?:does|do|is|will)(?:n't| not) (?:work|start|open|print)\w*)\b|报错|修复|修理|坏了|故障|打不开|不工作|失败`),
		[]aspect{date, goal},
		[]text{
			{"Write down what happens, what should happen, and since when.", "写下发生了什么、应该怎样、从什么时候开始。"},
			{"Make it happen again in as few steps as possible.", "用尽可能少的步骤让它再次出现。"},
			{"Change one thing at a time, beginning with what changed last.", "一次只改一处，从最近改动过的地方开始。"},
		},
	},
	{
		lazyregexp.New(`(?i)^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|some|a few)\s|\b(?:ideas?|names?|suggestions?|titles|slogans?|brainstorm|gifts?)\b|取名|起名|名字|点子|主意|建议|口号|礼物|^[\d一二两三四五六七八九十]+个`),
		[]aspect{purpose, people},
		[]text{
			{"Say in one sentence what makes a good one.", "用一句话说明怎样才算好。"},
			{"Collect three times as many as you need, without judging any.", "先收集三倍的数量，不作评判。"},
			{"Cross out what breaks a condition or resembles another.", "划去不合条件的和彼此相似的。"},
			{"Keep the best, each with a short reason.", "留下最好的，各附一句理由。"},
		},
	},
	{
		lazyregexp.New(`(?i)^(?:what|who|whose|when|where|why|how|is|are|was|were|does|do|did|has|have|can|explain|research|investigate|look up|find out|tell me)\b|[?？]$|什么|为什么|怎么|怎样|如何|多少|哪里|哪些|几点|吗$|解释|查一?下|查找|调查|研究`),
		[]aspect{purpose},
		[]text{
			{"Say what the answer is for: that decides how exact it must be.", "说明答案的用途，这决定了需要多精确。"},
			{"Look it up in a source that is responsible for what it says.", "在对内容负责的来源中查找。"},
			{"Write the answer in one sentence, with its source and date.", "用一句话写出答案，并注明来源和日期。"},
		},
	},
	{
		lazyregexp.New(``),
		[]aspect{date, cost, people, place, goal},
		[]text{
			{"Write down in one sentence how everybody will see that it is done.", "用一句话写下怎样才算完成。"},
			{"Split it into tasks that one person can finish.", "拆成一个人就能完成的任务。"},
			{"Give each task an owner and a date. Start with the one that the others wait for.", "为每项任务定下负责人和日期，先做其他任务所依赖的那一项。"},
		},
	},
}

var (
	date    = aspect{text{"When?", "什么时间？"}, lazyregexp.New(`(?i)\b(?:` + monthNames + `|` + dayNames + `|today|tonight|tomorrow|weekend|spring|summer|autumn|winter|morning|evening|week|month|year|(?:19|20)\d\d)s?\b|\d+ (?:days|hours|minutes)|` + hanNumber + `+[月日号天周年]|今天|今晚|明天|周末|下周|下个?月|明年|今年|[春夏秋冬]天|星期|礼拜|早上|晚上`)}
	cost    = aspect{text{"What may it cost?", "可以花多少钱？"}, lazyregexp.New(`(?i)[$€£¥]|\b(?:euros?|dollars?|pounds?|yuan|costs?|budget|prices?|rent|pay|paid|money|cheap|expensive|free)\b|元|块钱|预算|费用|价格|租金|成本|花费|免费|便宜|钱`)}
	people  = aspect{text{"Who does it, and for whom?", "谁来做，为谁做？"}, lazyregexp.New(`(?i)\b(?:we|i|me|my|our|us|for (?:a|an|the|my|our) \w+|friends?|team|staff|family|kids|children|colleagues?|parents|customers?|guests?|volunteers?|people|she|he|they)\b|我|他|她|朋友|同事|团队|家人|孩子|员工|客人|顾客|客户|家长|志愿者|人`)}
	place   = aspect{text{"Where?", "在哪里？"}, lazyregexp.New(`(?i)\b(?:at|near|street|station|city|town|village|room|house|office|school|park|garden|shop|kitchen|building|hall|online|home)\b|\b(?:in|to) \p{Lu}\w+|在[^，。；]{1,8}(?:里|边|旁|附近)|[去到]\p{Han}{2}|街|城|镇|村|公园|学校|办公室|车站|家里|店|网上`)}
	goal    = aspect{text{"How will you see that it worked?", "怎样才算成功？"}, lazyregexp.New(`(?i)\b(?:goal|target|at least|at most|success\w*|measure|until it|so that|break even|enough|better than)\b|目标|至少|最多|成功|达到|指标|以便|使得`)}
	purpose = aspect{text{"What is it for?", "用来做什么？"}, lazyregexp.New(`(?i)\b(?:because|so that|in order to|for (?:a|an|the|my|our)|i need|to decide)\b|因为|为了|用来|用于|给`)}
)
