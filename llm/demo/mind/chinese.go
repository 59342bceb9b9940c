package mind

// chinese holds every phrase that the model says in Chinese.
var chinese = map[string]string{
	"section_brief": "# 任务委托书", "section_contacts": "# 联系人", "set_up": "由用户设置：", "section_warning": "# 上下文警告",
	"section_step": "# 当前步骤：",
	"colon":        "：", "comma": "、", "space": "",
	"section_of_job": "任务 %d · %s",

	"skill_summary": "摘要", "skill_outline": "提纲", "skill_comparison": "对比", "skill_count": "统计",
	"skill_critique": "点评", "skill_facts": "事实", "skill_questions": "待解决的疑问", "skill_risks": "风险",
	"skill_advice": "修改清单", "skill_check": "交叉复核",

	"do_summary":    "用原文的句子总结文本。",
	"do_outline":    "逐点列出文本的提纲。",
	"do_comparison": "把文本的两部分并排比较。",
	"do_count":      "统计它的字、句和字符。",
	"do_critique":   "审阅行文，指出难读之处。",
	"do_facts":      "挑出带有数字、日期和名称的事实。",
	"do_questions":  "列出疑问和没有说明的地方。",
	"do_risks":      "指出行文透露的风险。",

	"post_editor": "编辑", "post_critic": "评论员", "post_counter": "计数员",
	"post_analyst": "分析员", "post_sceptic": "质疑员", "post_checker": "复核员",
	"prompt_editor":  "你负责浓缩和整理文本。保留作者自己的句子；同事发现薄弱之处时，把它们变成一份修改清单。",
	"prompt_critic":  "你只看文本写得怎样：过长的句子、重复和用滥的词、被动语态、赘词。每一处发现都要指明位置。",
	"prompt_counter": "你负责计数：字、词、句、行、字符，以及最常出现的词。只给数字，不给意见。",
	"prompt_analyst": "你负责拆解文本：其中的事实、数字和名称，或者把两个版本并排放在一起。",
	"prompt_sceptic": "你寻找文本没有说清的地方：没有答案的问题、猜测、条件和期限。",
	"prompt_checker": "你复核同事的发现：根据文本重新算一遍，说明在多大程度上一致。",
	"serves_editor":  "摘要、提纲、修改清单", "serves_critic": "行文点评", "serves_counter": "文本的数字",
	"serves_analyst": "事实与对比", "serves_sceptic": "疑问与风险", "serves_checker": "对发现的第二意见",
	"input_format": "一段文本", "output_format": "发现的列表，每行一条",

	"only_the_text":   "只依据 inputs 中的文本，不得编造。",
	"answer_in_en":    "用英文回答。",
	"answer_in_zh-CN": "用中文回答。",
	"outputs":         "发现的列表，每行一条。",
	"completion":      "每条发现都引用原文，或给出由原文得到的数字。",
	"reference":       "任务 %d",
	"check_objective": "复核同事的工作：%s",
	"error_first":     "先演示错误：这个智能体的第一次模型调用会失败两次，然后成功。",
	"merge_first":     "先向 %s 索取它的发现，再把它们变成修改清单。",
	"check_first":     "先向 %s 索取它的发现，再逐条复核。",
	"next_task":       "这里有一项新任务。%s",
	"go_on_without":   "%s 无法报告，请不要再等它。",
	"dismiss_reason":  "这是用户的要求。",

	"ask_length":      "最后的结果您想看多少？",
	"reply_short":     "简短一些",
	"reply_full":      "要全部细节",
	"ask_what":        "您还没有给我文本。我用下面哪一个？",
	"waiting_for_you": "您一回答，我就继续。",

	"intro":      "我是**离线演示模型**：不联网，不花钱，也并不理解内容。但我领导的是一个真实的智能体社会，它们的发现都是由您写的文字算出来的。",
	"plan":       "共 %d 句、%d 字。我这样分工：",
	"plan_line":  "**%s：** %s",
	"spare":      "这里还有没有分到工作的：%s。作为离线模型，我只能分配自己能计算的工作。",
	"plan_check": "**%s：** 复核%s的发现。",
	"plan_merge": "再把%s的发现变成修改清单。",
	"at_work":    "正在工作：%s。报告到齐后我就回答。您可以看着它们，也可以补充要求，例如“再统计一下字数”。",
	"one_more":   "%s 的报告到了（%d/%d）。仍在工作：%s。",
	"still_open": "目前收到 %d/%d 份报告。仍在工作：%s。",
	"cut_short":  "先给出刚才被中断的结果（%s）：",
	"late":       "%s 送来了一份关于先前任务的报告：",
	"noted":      "知道了。",

	"think_plan":   "这个请求归结为：%s。文本有 %d 个字符。我先看看已经有哪些角色，免得重复创建。",
	"think_step":   "共 %d 份工作，属于任务 %d：把可以开始的交给智能体，委托书里写全所需的一切。",
	"think_finish": "没有未完的事了。我把 %d 个部分按阅读的顺序合在一起。",
	"think_work":   "我的任务：%s。文本有 %d 句、%d 字。开始之前先看看周围。",
	"think_report": "我看完了全部 %d 句、%d 字，所做的是：%s。只有文中写着的才算数。",

	"ack": "明白。", "ack_skills": "我会加上：%s。", "ack_en": "结果将用英文写。", "ack_zh-CN": "结果将用中文写。",
	"ack_short": "我会写得简短。", "ack_full": "我会给出全部细节。", "ack_finish": "我不再等了。",
	"ack_trouble": "下一个开始的智能体会先演示错误。", "ack_slow": "我慢慢来。",
	"ack_noted": "我读到了“%s”。它不改变我能做的事，所以工作照常继续。",

	"hello":          "您好！给我一段文本，并说明要怎么处理；我会为它创建智能体，再把它们的发现合在一起。",
	"welcome":        "不客气。有新的文本时，随时发给我。",
	"help":           "这件事需要真正的模型：我什么也不知道，也不猜测。我能做的是按规则拆解一段文本。",
	"need_text":      "我可以马上开始（%s），但还没有文本。请写在冒号后面，或者另起一行。",
	"plan_team":      "您的需求已收到（句子：%d，词：%d）。%s（%s）正是为此而设，由它全部处理。",
	"team_objective": "与您的团队一起答复用户的需求。",
	"team_outputs":   "一个答复，作为消息的正文。",
	"team_done":      "团队中每一位都已发言。",
	"team_wait":      "等待 %s。",
	"team_silent":    "%s 没有发现。",
	"team_rule":      "_这是规则，不是判断：全部由您自己的文字计算得出。_",

	"step_draft":   "**初稿**：“%s”",
	"step_redraft": "**修改稿**：“%s”。根据审阅所作的修改：",
	"step_review":  "**审阅。**发现行文问题 %d 处。",
	"step_final":   "**定稿**：“%s”，经过 %d 个起草与审阅步骤",
	"step_weigh":   "**正反两面：**“%s”",
	"judge_yes":    "是。%s", "judge_no": "否。%s",
	"judge_mend": "审阅发现 %d 处可以改进。",
	"judge_good": "再改一稿也不会更好（发现 %d 处）。",

	"think_team_plan":     "写计划之前，先请批评者找出会使其失败之处。消息数：%d。",
	"think_team_research": "我把问题分开，避免重复。消息数：%d。",
	"think_team_debate":   "双方都得到完整的问题和各自要找的内容。消息数：%d。",

	"plan_goal": "**目标：** %s", "plan_steps": "步骤", "plan_settle": "先明确：%s",
	"plan_last":       "最后，把结果与目标对照。",
	"plan_objections": "%s 的意见",
	"report_on":       "**问题：** %s", "found_by": "%s 的发现", "checked_by": "%s 的核查",
	"side_for": "正方：%s", "side_against": "反方：%s",
	"decide_for":     "**决定：** 赞成：“%s”。成立的要点：%d，未决的要点：%d。",
	"decide_against": "**决定：** 暂不：“%s”。成立的要点：%d，未决的要点：%d；请先解决未决之处。",

	"you_can":     "不妨试试：",
	"you_can_too": "在请求里写“问我”，我会反问您；写“演示错误”，会有一个智能体失败两次再恢复；写“慢慢来”，我会写得慢到足以被打断；也可以写“谁在”，或者“解散”加上名字。要用真实模型，请设置 OPENAI_API_KEY（OPENAI_BASE_URL、SOCIETY_MODEL）后重新启动。",

	"no_such_tool": "我在这里没有可用的工具。", "nobody_to_end": "没有可以解散的智能体。",
	"end_whom": "要解散谁？现有：%s。", "not_ended": "没有解散 %s：%s", "ended_with": "%s 已解散，随同解散的有：%s。",
	"ended": "%s 已解散。", "not_told": "没能得知谁在：%s",
	"org_title": "### 现有成员", "org_head": "| 智能体 | 角色 | 创建者 | 状态 |", "paused": "，已暂停",
	"summary": "至今的任务数：%d。可以继续派活的智能体：%s。", "summary_last": "上一段文本（%s）是：",

	"result_title":  "## 结果：%s",
	"result_lead":   "只依据您的文本得出：共 %d 句、%d 字。",
	"left_out":      "文本较长：只处理了开头和结尾，未包括中间的 %d 行。",
	"added":         "途中加上：%s。",
	"skipped":       "您不想再等，所以略去：%s。",
	"quotes_stay":   "引文保留原来的语言。",
	"who_title":     "### 分工",
	"said_instead":  "- **%s** 没有报告，而是说：%s",
	"did_it_myself": "这一项由我自己完成（%s），因为%s。",
	"why_gone":      "%s 在报告之前被解散了",
	"why_no_tool":   "我在这里没有创建智能体的工具",
	"why_refused":   "无法得到智能体（%s）",
	"why_answered":  "%s 没有报告它",
	"count_head":    "| 项目 | 数值 |",
	"slow_title":    "### 逐句来看",
	"slow_line":     "*（%d 字）*",

	"worker_summary":   "我是%s。上一次完成的是：%s。",
	"wait_for_partner": "我的部分已经好了，正在等 %s 的发现。如果一直没有消息，请对我说“继续”。",
	"ask_to_merge":     "请把您在我们的文本里的发现发给我，我要据此列出修改清单。",
	"ask_to_check":     "请把您在我们的文本里的发现发给我，我要重新算一遍并核对。",
	"worker_intro":     "我是离线演示模型的 %s。给我一段文本，我能做的是：%s。",
	"worker_last":      "我上一段文本的开头是“%s”。",

	"kind_gist": "要点", "kind_keywords": "关键词", "kind_kept": "保留的句数",
	"kind_point": "条目", "kind_subpoint": "其下",
	"kind_words": "单词", "kind_han": "汉字", "kind_letters": "字符（不计空格）", "kind_characters": "字符",
	"kind_sentences": "句子", "kind_lines": "行", "kind_paragraphs": "段落", "kind_average": "平均每句字数",
	"kind_longest": "最长一句的字数", "kind_frequent": "最常出现",
	"kind_sides": "双方", "kind_side_words": "各方字数", "kind_side_sentences": "各方句数", "kind_side_average": "各方平均每句字数",
	"kind_side_figures": "各方数字与日期", "kind_side_hedges": "各方不确定的词",
	"row_side_words": "字数", "row_side_sentences": "句数", "row_side_average": "平均每句字数",
	"row_side_figures": "数字与日期", "row_side_hedges": "不确定的词",
	"kind_in_both": "双方都有", "kind_only_first": "只在前者", "kind_only_second": "只在后者",
	"kind_resemblance": "共有词语", "kind_nothing_to_match": "没有可以对比的两部分",
	"kind_long_sentence": "长句（字数）", "kind_doubled": "叠用的词", "kind_repeated": "反复出现", "kind_passive": "被动语态",
	"kind_filler": "赘词", "kind_same_start": "句子开头相同", "kind_shouting": "感叹号", "kind_no_heading": "没有标题（字数）",
	"kind_no_fault": "没有可挑剔之处",
	"kind_fact":     "所述事实", "kind_figures": "数字与日期", "kind_names": "名称", "kind_no_facts": "没有数字、日期或名称",
	"kind_asked": "文中之问", "kind_no_cost": "没有提到费用", "kind_no_date": "没有提到时间", "kind_no_people": "没有提到由谁来做",
	"kind_no_place": "没有提到地点", "kind_no_measure": "没有可以衡量的目标", "kind_all_said": "没有遗漏要点",
	"kind_unsure": "不确定", "kind_absolute": "说得太满", "kind_condition": "取决于条件", "kind_deadline": "期限", "kind_no_risks": "行文没有风险",
	"kind_shorten": "缩短（现有字数）", "kind_drop": "删去", "kind_vary": "换个说法", "kind_make_active": "说明是谁做的",
	"kind_begin_other": "换个开头", "kind_calm_down": "减少感叹号", "kind_add_headings": "加上标题（现有字数）",
	"kind_answer_this": "回答这一问", "kind_say_cost": "说明费用", "kind_say_date": "说明时间", "kind_say_who": "说明由谁来做",
	"kind_say_where": "说明地点", "kind_say_goal": "说明怎样算成功", "kind_settle": "先弄清楚", "kind_soften": "少作保证",
	"kind_fall_back": "想好另一种情况", "kind_plan_for": "记入日程", "kind_leave_it": "保持原样",
	"kind_no_colleague": "同事没有送来发现",
	"kind_agree":        "一致的发现", "kind_differ": "与此不一致", "kind_verbatim": "原文中确有的引文",

	"example_title_1": "总结并点评一份说明",
	"example_title_2": "比较两个方案",
	"example_title_3": "把一个想法想清楚",
	"example_hint_1":  "编辑和评论员一起处理",
	"example_hint_2":  "并排对比，附数字和复核",
	"example_hint_3":  "事实、疑问和风险，以及先要弄清的事",
	"example_1": `总结并点评这份说明，再把两者合并：

磨坊街的图书馆三月起关闭，因为屋顶被暴风雨损坏了。修缮非常昂贵，市政府为此支付了 84000 元。阅览室现在已经重新开放，但是冬天相当冷，读者其实一直穿着外套看书。新的暖气两年前就承诺要装，议会在至少五次冗长的会议上讨论过却一直没有作出决定，按照最新的说法应该在十月之前装好。`,
	"example_2": `比较这两个方案，并统计字数：

方案A：我们周五租下小礼堂，邀请 40 位客人。每人带一道菜，整个晚上大概花费 800 元。

方案B：我们周六预订一家餐馆，邀请 25 位客人。每位客人的套餐是 180 元，但是没有人需要做饭或打扫。`,
	"example_3": `六月我们想和三个朋友在车站附近开一家小茶馆。我们攒了 12 万元，房租大概是每月 6000 元。如果许可证在五月之前批下来，也许可以早一点开业。谁来记账？第一周要卖多少才合适？`,

	"tour": `那我就慢慢讲讲您眼前的东西。我写的时候，您可以试一试：在输入框里连按两次 esc 打断我，或者写点什么发出来；它会等我写完这个回答。

## 终端里的社会

屏幕上有一棵树。最上面是人，也就是您；您下面是 root，也就是我。您给我一段文本，我就创建角色，并在每个角色上安排一个智能体。每个智能体都有自己的对话。在树里选中一个，您就能读到它读到的内容，看到它调用了哪些工具，也可以不经过我，直接同它说话。

## 消息

智能体之间也会互相发消息。评论员把发现告诉编辑；复核员索取数字，再重新算一遍。每条消息都写明来自谁。还没有读的消息按顺序排在队列里，程序结束时也不会丢失。

## 三个动作

打断只会截断正在写的回答，别的都不动：智能体保留它的队列，等着您。停止会让一个智能体和它下面的所有智能体停下来，直到您恢复它们。终止会把它们永久移除，并且会先问您，因为这无法撤销。

## 我是什么

我是一组规则。我计数，挑句子，比较词表，每次都一样。这让我成为一个无趣但有耐心的伙伴：您可以随意停止我、启动我、打断我，看看程序会怎样。看够了，就给它换上真正的模型。

现在轮到您了。给我一段文本，并说明要怎么处理。`,
}
