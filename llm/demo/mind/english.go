package mind

// english holds every phrase that the model says in English.
var english = map[string]string{
	"section_brief": "# Task brief", "section_contacts": "# Contacts", "set_up": "Set up by the user: ", "section_warning": "# Context warning",
	"section_step": "# Your present step: ",
	"colon":        ": ", "comma": ", ", "space": " ",
	"section_of_job": "Request %d · %s",

	"skill_summary": "Summary", "skill_outline": "Outline", "skill_comparison": "Comparison", "skill_count": "Figures",
	"skill_critique": "Critique", "skill_facts": "Facts", "skill_questions": "Open questions", "skill_risks": "Risks",
	"skill_advice": "What to change", "skill_check": "Cross-check",

	"do_summary":    "Summarise the text in its own sentences.",
	"do_outline":    "Outline the text, point by point.",
	"do_comparison": "Compare the two parts of the text, side by side.",
	"do_count":      "Count its words, sentences and characters.",
	"do_critique":   "Review the wording and name what makes it hard to read.",
	"do_facts":      "Pick out the facts with their figures, dates and names.",
	"do_questions":  "List the open questions and what is left unsaid.",
	"do_risks":      "Name the risks that the wording gives away.",

	"post_editor": "Editor", "post_critic": "Critic", "post_counter": "Counter",
	"post_analyst": "Analyst", "post_sceptic": "Sceptic", "post_checker": "Checker",
	"prompt_editor":  "You condense and order texts. You keep the author's own sentences, and where a colleague has found weak spots you turn them into a list of what to change.",
	"prompt_critic":  "You read a text for how it is written: long sentences, doubled and worn words, passive voice, filler. You name the place of everything that you find.",
	"prompt_counter": "You count: words, sentences, lines, characters, the terms that come most often. You give numbers, not opinions.",
	"prompt_analyst": "You take a text apart: its facts, figures and names, or two versions of it side by side.",
	"prompt_sceptic": "You look for what a text leaves open: questions without an answer, guesses, conditions, deadlines.",
	"prompt_checker": "You go over a colleague's findings. You work them out again from the text and say how far you agree.",
	"serves_editor":  "summaries, outlines, lists of what to change", "serves_critic": "critiques of wording", "serves_counter": "figures about texts",
	"serves_analyst": "facts and comparisons", "serves_sceptic": "open questions and risks", "serves_checker": "second opinions on findings",
	"input_format": "a text", "output_format": "a list of findings, one a line",

	"only_the_text":   "Use only the text in inputs; invent nothing.",
	"answer_in_en":    "Answer in English.",
	"answer_in_zh-CN": "Answer in Chinese.",
	"outputs":         "A list of findings, one a line.",
	"completion":      "Each finding quotes the text or gives a number taken from it.",
	"reference":       "Request %d",
	"check_objective": "Check a colleague's work: %s",
	"error_first":     "Show an error first: this agent's first model call fails twice before it succeeds.",
	"merge_first":     "Ask %s for its findings first, and turn them into a list of what to change.",
	"check_first":     "Ask %s for its findings first, and check each of them.",
	"next_task":       "Here is another task for you. %s",
	"go_on_without":   "%s cannot report. Please go on without it.",
	"dismiss_reason":  "The person asked for it.",

	"ask_length":      "How much do you want to read in the end?",
	"reply_short":     "Keep it short",
	"reply_full":      "With all details",
	"ask_what":        "You did not give me a text. Which of these shall I work on?",
	"waiting_for_you": "I go on as soon as you have answered.",

	"intro":      "I am the **offline demo model**: no network, no cost, and no understanding either. I lead a real society of agents all the same, and what they find is computed from your words.",
	"plan":       "I have your text (sentences: %d, words: %d) and share the work like this:",
	"plan_line":  "**%s:** %s",
	"spare":      "Here too, but without a part in this: %s. As the offline model I can only give out what I can compute.",
	"plan_check": "**%s:** Check what the %s finds.",
	"plan_merge": " Then turn what the %s finds into a list of what to change.",
	"at_work":    "At work now: %s. I answer when all reports are in. Meanwhile you can watch them, or add something, for example “also count the words”.",
	"one_more":   "The report of %s is in (%d of %d). Still at work: %s.",
	"still_open": "So far %d of %d reports are in. Still at work: %s.",
	"cut_short":  "First what was cut short (%s):",
	"late":       "%s has sent a report on an earlier request:",
	"noted":      "Noted.",

	"think_plan":   "The request comes down to: %s. The text has %d characters. First I see which roles there are already, so that none is made twice.",
	"think_step":   "Parts: %d, for request %d. I give each one that is ready to an agent, with all it needs in its brief.",
	"think_finish": "Nothing is outstanding. I put the sections (%d) together, in the order in which one reads them.",
	"think_work":   "My task: %s. The text (sentences: %d, words: %d) is here. I look around before I begin.",
	"think_report": "I have gone through the whole text (sentences: %d, words: %d), for: %s. Only what stands there counts.",

	"ack": "Understood. ", "ack_skills": "I add: %s.", "ack_en": "The answer will be in English.", "ack_zh-CN": "The answer will be in Chinese.",
	"ack_short": "I keep it short.", "ack_full": "I give all details.", "ack_finish": "I do not wait any longer.",
	"ack_trouble": "The next agent that begins will show an error first.", "ack_slow": "I take my time.",
	"ack_noted": "I have read “%s”. It changes nothing in what I can do, so the work goes on.",

	"hello":          "Hello! Give me a text and say what to do with it; I make agents for it and put together what they find.",
	"welcome":        "You are welcome. Whenever you have another text, send it.",
	"help":           "For that I lack what a real model has: I know nothing and guess nothing. I can take a text apart by rules.",
	"need_text":      "I would start at once (%s), but there is no text yet. Write it after a colon or on the next lines.",
	"plan_team":      "I have your request (sentences: %d, words: %d). %s is here for that (%s) and gets all of it.",
	"team_objective": "Answer the person's request with your team.",
	"team_outputs":   "One answer, as the text of a message.",
	"team_done":      "Everybody in the team has been heard.",
	"team_wait":      "Waiting for %s.",
	"team_silent":    "%s has found nothing.",
	"team_rule":      "_These are rules, not judgement: all of it is computed from your own words._",

	"step_draft":   "**A first draft** on “%s”",
	"step_redraft": "**The draft, mended,** on “%s”. Changed after the review:",
	"step_review":  "**Review.** Things found in the wording: %d.",
	"step_final":   "**The text** on “%s”, after drafting and review (steps: %d)",
	"step_weigh":   "**What speaks for and against it:** “%s”",
	"judge_yes":    "Yes. %s", "judge_no": "No. %s",
	"judge_mend": "What the review found can be mended (places: %d).",
	"judge_good": "Nothing is left that one more draft would mend (found: %d).",

	"think_team_plan":     "Before I write the plan, the critic is to look for what would make it fail. Messages: %d.",
	"think_team_research": "I divide the question, so that nobody does another's part. Messages: %d.",
	"think_team_debate":   "Each side gets the whole question and what it is to look for. Messages: %d.",

	"plan_goal": "**Goal:** %s", "plan_steps": "Steps", "plan_settle": "Settle first: %s",
	"plan_last":       "At the end, hold what has come about against the goal.",
	"plan_objections": "What %s objected",
	"report_on":       "**Question:** %s", "found_by": "Found by %s", "checked_by": "Checked by %s",
	"side_for": "For it: %s", "side_against": "Against it: %s",
	"decide_for":     "**Decision:** for it: “%s”. Points that stand: %d, points that are open: %d.",
	"decide_against": "**Decision:** not yet: “%s”. Points that stand: %d, points that are open: %d; settle those first.",

	"you_can":     "Try one of these:",
	"you_can_too": "Write “ask me” in a request and I ask back, “show an error” and an agent fails twice and recovers, “take your time” and I write slowly enough to be interrupted, “who is there” or “dismiss” with a name. For a real model set OPENAI_API_KEY (OPENAI_BASE_URL, SOCIETY_MODEL) and start again.",

	"no_such_tool": "I have no tool for that here.", "nobody_to_end": "There is no agent of mine to dismiss.",
	"end_whom": "Whom shall I dismiss? There are: %s.", "not_ended": "%s was not dismissed: %s", "ended_with": "%s is dismissed, and with it: %s.",
	"ended": "%s is dismissed.", "not_told": "I was not told who is there: %s",
	"org_title": "### Who is there", "org_head": "| agent | role | made by | state |", "paused": ", paused",
	"summary": "Requests so far: %d. Agents that can be given more work: %s.", "summary_last": "The last text, for %s, was:",

	"result_title":  "## Result: %s",
	"result_lead":   "Made from your text alone (sentences: %d, words: %d).",
	"left_out":      "It is long: of it I worked on the beginning and the end, without the %d lines between.",
	"added":         "Added on the way: %s.",
	"skipped":       "Left out, as you did not want to wait: %s.",
	"quotes_stay":   "Quotations stay in the language of the text.",
	"who_title":     "### Who did what",
	"said_instead":  "- **%s** said instead of a report: %s",
	"did_it_myself": "I did this myself (%s), because %s.",
	"why_gone":      "%s was dismissed before it reported",
	"why_no_tool":   "I have no tools here to make agents",
	"why_refused":   "no agent could be had (%s)",
	"why_answered":  "%s did not report it",
	"count_head":    "| figure | value |",
	"slow_title":    "### Sentence by sentence",
	"slow_line":     "*(words: %d)*",

	"worker_summary":   "I am the %s. Last done: %s.",
	"wait_for_partner": "I have my part and wait for the findings of %s. If nothing comes, write “go on” to me.",
	"ask_to_merge":     "Please send me what you have found in our text, so that I can make a list of what to change.",
	"ask_to_check":     "Please send me what you have found in our text, so that I can work it out again.",
	"worker_intro":     "I am %s of the offline demo model. Send me a text; what I do with it: %s.",
	"worker_last":      "My last text began “%s”.",

	"kind_gist": "says", "kind_keywords": "key words", "kind_kept": "sentences kept",
	"kind_point": "point", "kind_subpoint": "beneath it",
	"kind_words": "words", "kind_han": "Chinese characters", "kind_letters": "characters without spaces", "kind_characters": "characters",
	"kind_sentences": "sentences", "kind_lines": "lines", "kind_paragraphs": "paragraphs", "kind_average": "words per sentence",
	"kind_longest": "words in the longest sentence", "kind_frequent": "most frequent",
	"kind_sides": "sides", "kind_side_words": "words of each side", "kind_side_sentences": "sentences of each side", "kind_side_average": "words per sentence of each side",
	"kind_side_figures": "figures and dates of each side", "kind_side_hedges": "unsure words of each side",
	"row_side_words": "words", "row_side_sentences": "sentences", "row_side_average": "words per sentence",
	"row_side_figures": "figures and dates", "row_side_hedges": "unsure words",
	"kind_in_both": "in both", "kind_only_first": "only in the first", "kind_only_second": "only in the second",
	"kind_resemblance": "terms in common", "kind_nothing_to_match": "there are no two parts to compare",
	"kind_long_sentence": "long sentence (words)", "kind_doubled": "doubled word", "kind_repeated": "often repeated", "kind_passive": "passive voice",
	"kind_filler": "filler word", "kind_same_start": "sentences begin alike", "kind_shouting": "exclamation marks", "kind_no_heading": "no heading (words)",
	"kind_no_fault": "nothing to find fault with",
	"kind_fact":     "fact", "kind_figures": "figures and dates", "kind_names": "names", "kind_no_facts": "no figures, dates or names",
	"kind_asked": "asked", "kind_no_cost": "no cost is named", "kind_no_date": "no date is named", "kind_no_people": "nobody is named who does it",
	"kind_no_place": "no place is named", "kind_no_measure": "no goal is named that can be measured", "kind_all_said": "nothing essential is left open",
	"kind_unsure": "unsure", "kind_absolute": "promises much", "kind_condition": "depends", "kind_deadline": "deadline", "kind_no_risks": "no risky wording",
	"kind_shorten": "shorten (words now)", "kind_drop": "drop", "kind_vary": "say it in another way", "kind_make_active": "say who does it",
	"kind_begin_other": "begin otherwise", "kind_calm_down": "fewer exclamation marks", "kind_add_headings": "add headings (words now)",
	"kind_answer_this": "answer this", "kind_say_cost": "say what it costs", "kind_say_date": "say when", "kind_say_who": "say who does it all",
	"kind_say_where": "say where", "kind_say_goal": "say how you will see that it worked", "kind_settle": "find out", "kind_soften": "promise less",
	"kind_fall_back": "decide what happens otherwise", "kind_plan_for": "put into the calendar", "kind_leave_it": "leave it as it is",
	"kind_no_colleague": "nothing came from the colleague",
	"kind_agree":        "findings that agree", "kind_differ": "came to something else than", "kind_verbatim": "quotations that stand in the text",

	"example_title_1": "Summarise and critique a note",
	"example_title_2": "Compare two plans",
	"example_title_3": "Think an idea through",
	"example_hint_1":  "an editor and a critic work on it together",
	"example_hint_2":  "side by side, with figures and a cross-check",
	"example_hint_3":  "facts, open questions and risks, and what to settle",
	"example_1": `Summarise and critique this note, then merge both:

The library on Mill Street was closed in March because the roof was damaged by a storm. The repair was really expensive, and the city paid 84,000 euros for it. Since then the reading room has been open again, but it is very cold in winter, and visitors basically keep their coats on. A new heating, which was promised two years ago and which the council has discussed in at least five long meetings without a decision, should arrive by October.`,
	"example_2": `Compare these two plans and count their words:

Plan A: We rent the small hall on Friday and invite 40 guests. Everyone brings a dish, so the evening costs about 120 euros.

Plan B: We book a restaurant on Saturday and invite 25 guests. The menu costs 38 euros for each guest, but nobody has to cook or clean.`,
	"example_3": `In June we want to open a small tea house near the station with three friends. We have saved 18,000 euros, and the rent will probably be 900 euros a month. Maybe we can open earlier if the permit arrives by May. Who will do the bookkeeping, and what does the first week have to bring in?`,

	"tour": `Then let me tell you slowly what you are looking at. While I write, try it: press esc twice in the composer to interrupt me, or write something and send it; it waits until I have finished this answer.

## A society in a terminal

On one side there is the tree. At its top is the person, you; beneath you is root, and that is me. When you give me a text, I make roles, and on each role I put an agent. Every agent has a conversation of its own. Choose one in the tree and you read what it reads, see which tools it calls, and can talk to it directly, without going through me.

## Messages

Agents send each other messages too. A critic tells an editor what it has found; a checker asks for figures and works them out again. Each message says whom it is from. What an agent has not read yet waits in its queue, in order, and nothing in it is lost when the program ends.

## The three verbs

Interrupting cuts off the answer that is being written, and nothing else: the agent keeps its queue and waits for you. Stopping halts an agent together with all agents beneath it, until you resume them. Terminating removes them for good, and asks you first, because it cannot be undone.

## What I am

I am a set of rules. I count, I pick sentences, I compare lists of words, and I am the same every time. That makes me dull company, but a patient one: you can stop me, start me and interrupt me as often as you like, and see what the program does. When you have seen enough, give it a real model.

Now it is your turn. Send me a text and say what to do with it.`,
}
