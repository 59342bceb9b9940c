package mind

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/llm/demo/prose"
)

// A wish is what somebody wants, as far as fixed patterns can tell.
type wish struct {
	said     string
	skills   []prose.Skill
	material string   // the text to work on, as it was written; empty for none
	left     int      // lines of it that were left out, because it is long
	lang     Language // of the answer; empty if nothing is said
	detail   detail
	check    bool // to check what another found
	ask      bool // to be asked something
	trouble  bool // to see an error
	slow     bool // to see a long answer
	finish   bool // not to wait any longer
	who      bool // to hear who is there
	dismiss  bool // to end agents
	greeting bool
	thanks   bool
}

// A detail is how much of a result is wanted.
type detail string

const (
	short detail = "short"
	full  detail = "full"
)

// A sign is a pattern that stands for a skill.
type sign struct {
	skill prose.Skill
	words *regexp.Regexp
}

var signs = []sign{
	{prose.Summary, regexp.MustCompile(`(?i)\bsummar(?:y|ies|i[sz]e[sd]?|i[sz]ing)\b|\bsum(?:ming)? (?:it |this )?up\b|\btl;?dr\b|\bshorten\b|\bgist\b|\bkey points\b|\bmain points\b|总结|摘要|概括|归纳|小结|概述`)},
	{prose.Outline, regexp.MustCompile(`(?i)\boutlin(?:e[sd]?|ing)\b|\btable of contents\b|\btoc\b|提纲|大纲|目录|纲要`)},
	{prose.Comparison, regexp.MustCompile(`(?i)\bcompar(?:e[sd]?|ing|isons?)\b|\bdifferences? between\b|比较|对比|区别|差异|异同`)},
	{prose.Facts, regexp.MustCompile(`(?i)\bfacts?\b|事实`)},
	{prose.Questions, regexp.MustCompile(`(?i)\b(?:open )?questions\b|\bwhat is missing\b|疑问|未决|缺了什么|没说清`)},
	{prose.Risks, regexp.MustCompile(`(?i)\brisks?\b|风险|隐患`)},
	{prose.Critique, regexp.MustCompile(`(?i)\bcriti(?:que|ques|cize|cise|cism|cal)\b|\breview\b|\bimprove\b|\bproofread\b|\bfeedback\b|\bweak (?:points|spots)\b|点评|评论|批评|审阅|改进|润色|挑毛病|评价|修改意见`)},
	{prose.Count, regexp.MustCompile(`(?i)\bcount(?:s|ed|ing)?\b|\bhow many\b|\bstatistics\b|\bhow long\b|\bfrequent\b|统计|数一数|数数|计数|字数|多少字|多少个?词|词频|几句`)},
}

// skillsIn returns the skills that a text names, each once, in its order.
func skillsIn(text string) []prose.Skill {
	type place struct {
		at    int
		skill prose.Skill
	}
	var places []place
	for _, s := range signs {
		if m := s.words.FindStringIndex(text); m != nil {
			places = append(places, place{m[0], s.skill})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.at - b.at })
	var found []prose.Skill
	for _, p := range places {
		found = append(found, p.skill)
	}
	return found
}

var (
	askMe       = regexp.MustCompile(`(?i)\bask me\b|问我`)
	showError   = regexp.MustCompile(`(?i)\bshow (?:me )?an error\b|演示错误`)
	takeTime    = regexp.MustCompile(`(?i)\btake your time\b|慢慢来|慢慢写`)
	inChinese   = regexp.MustCompile(`(?i)\bin chinese\b|用中文|用汉语|中文回答`)
	inEnglish   = regexp.MustCompile(`(?i)\bin english\b|用英文|用英语|英文回答`)
	briefly     = regexp.MustCompile(`(?i)\b(?:keep it short|short answer|briefly|brief|short|shorter)\b|简短|简单点|简要|短一点|精简`)
	inFull      = regexp.MustCompile(`(?i)\b(?:in detail|detailed|details|in full)\b|详细|完整|细节`)
	noWait      = regexp.MustCompile(`(?i)\b(?:finish now|that is enough|that's enough|don't wait|do not wait|go on|without (?:it|them|him|her|waiting))\b|现在就给|不用等|不等了|到此为止|够了|继续吧|继续$`)
	whoIsThere  = regexp.MustCompile(`(?i)\bwho(?: is|'s) (?:there|here|working|in)\b|\blist (?:the |your |all )*agents\b|\bshow (?:me )?(?:the |your )?(?:team|agents|society|org)\b|\bwhich agents\b|谁在|有哪些(?:智能体|成员)|列出(?:所有)?智能体|看看团队|团队成员`)
	dismissal   = regexp.MustCompile(`(?i)\b(?:terminate|dismiss)\b|^\W*(?:please\s+|now\s+)?(?:fire|remove|stop|end|delete)\b|终止|解散|辞退|^\W*请?(?:停止|结束|移除|删除)`)
	everybody   = regexp.MustCompile(`(?i)\b(?:all|everyone|everybody|them)\b|全部|所有|大家|他们`)
	agentID     = regexp.MustCompile(`\b[a-z0-9]{1,24}-\d+\b`)
	hello       = regexp.MustCompile(`(?i)^\W*(?:hello|hi|hey|good (?:morning|evening|afternoon|day)|greetings)\b|你好|您好|早上好|晚上好|^嗨`)
	thankYou    = regexp.MustCompile(`(?i)\b(?:thanks|thank you|cheers)\b|谢谢|多谢|感谢`)
	checking    = regexp.MustCompile(`(?i)\b(?:check|verify)\b|复核|核对`)
	politeStart = regexp.MustCompile(`(?i)^\W*(?:please|now|then|also|and|could you|can you|would you|will you|i want you to|i'd like you to|i would like|help me|give me|show me|write|make|tell me|list|find|what are|how many|how long)\b|^\W*(?:请|帮|麻烦|给我|再|也|并|同时|另外|顺便|列出|找出)`)
)

// readWish reads what somebody wrote.
func readWish(text string) wish {
	text, left := withoutGap(text)
	asking, material := divide(text)
	asking = asking[:min(len(asking), 4<<10)]
	w := wish{said: text, material: material, left: left, skills: skillsIn(asking)}
	w.ask = askMe.MatchString(asking)
	w.trouble = showError.MatchString(asking)
	w.slow = takeTime.MatchString(asking)
	w.lang = languageIn(asking)
	w.check = checking.MatchString(asking)
	w.finish = noWait.MatchString(asking)
	switch {
	case briefly.MatchString(asking):
		w.detail = short
	case inFull.MatchString(asking):
		w.detail = full
	}
	if material != "" || len(w.skills) > 0 || size(text) > 25 {
		return w
	}
	w.who = whoIsThere.MatchString(text)
	w.dismiss = dismissal.MatchString(text)
	w.greeting = hello.MatchString(text)
	w.thanks = thankYou.MatchString(text)
	return w
}

// gap is the line of the runtime's that stands for what was left out of a long text.
var gap = regexp.MustCompile(`(?m)^(?:… (\d+) lines left out, of .* …|…… 此处省略 (\d+) 行（.* ……)\n`)

// withoutGap returns a text without that line, and how many lines it stands for.
func withoutGap(text string) (string, int) {
	m := gap.FindStringSubmatch(text)
	if m == nil {
		return text, 0
	}
	left, _ := strconv.Atoi(m[1] + m[2]) // digits, if not too many
	return strings.Replace(text, m[0], "\n", 1), left
}

// languageIn returns the language in which an answer is asked for.
func languageIn(text string) Language {
	switch {
	case inChinese.MatchString(text):
		return Chinese
	case inEnglish.MatchString(text):
		return English
	}
	return ""
}

// wantsNothing says whether a wish has nothing in it that this model can do.
func (w wish) wantsNothing() bool {
	return len(w.skills) == 0 && w.material == "" && w.lang == "" && w.detail == "" &&
		!w.ask && !w.trouble && !w.slow && !w.finish && !w.who && !w.dismiss
}

// size is how many words a text has, where a Chinese character counts as one.
func size(text string) int {
	_, n := prose.Size(text)
	return n
}

// sideName is how a wish ends whose last words are the name of the first of two
// texts: "Compare plan A: …".
var sideName = regexp.MustCompile(`(?i)(?:plan|option|version|text|variant|idea|offer|draft|方案|版本|计划|选项|文本|草稿)\s*[a-z0-9一二甲乙]$`)

// divide parts what is asked from the text that it is asked of. Where they
// cannot be told apart, a long text is material and a short one a wish.
func divide(text string) (asking, material string) {
	text = strings.TrimSpace(text)
	rest := text
	if at, width := firstColon(text); at > 0 {
		before := strings.TrimSpace(text[:at])
		if len(skillsIn(before)) > 0 || special(before) {
			from := at + width
			if m := sideName.FindStringIndex(before); m != nil {
				from = m[0]
			}
			asking, rest = text[:min(from, at)], text[from:]
		}
	}
	rest, stripped := strip(rest, asking != "")
	asking += stripped
	enough := size(rest)
	switch {
	case asking != "" && enough >= 4:
		return asking, strings.TrimSpace(rest)
	case asking == "" && isStatement(rest) && enough >= leastWish(rest):
		return "", strings.TrimSpace(rest)
	}
	return text, ""
}

// leastWish is how many words, or Chinese characters, make a text that is worth
// a plan though it names no skill.
func leastWish(text string) int {
	if hanShare(text) > 0.5 {
		return 14
	}
	return 9
}

// isStatement says whether a text is more than one lone question and no order
// to end or show something.
func isStatement(text string) bool {
	s := prose.Sentences(text)
	if len(s) > 1 {
		return true
	}
	return len(s) == 1 && (len(text) > 1000 || !strings.ContainsAny(text, "?？") &&
		!whoIsThere.MatchString(text) && !(dismissal.MatchString(text) && agentID.MatchString(text)))
}

// firstColon finds the colon that may end a wish: near the beginning, and not
// that of a time or an address.
func firstColon(text string) (at, width int) {
	for i, r := range text {
		if i > 400 {
			break
		}
		if r != ':' && r != '：' {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		if r == '：' || unicode.IsSpace(next) || next == '"' || next == '“' || unicode.Is(unicode.Han, next) {
			return i, utf8.RuneLen(r)
		}
	}
	return -1, 0
}

// strip takes sentences off both ends of a text that ask for something, and
// returns what is left and what was taken. Requests that show another side of
// the program are found in the middle too, but stay there.
func strip(text string, afterColon bool) (rest, taken string) {
	list := prose.Sentences(text)
	first, last := 0, len(list)
	of := func(i int) string { return text[list[i].From:list[i].To] }
	asks := isAsking
	if afterColon { // the wish was said; what else is one has to say so
		asks = func(s string) bool { return isAsking(s) && (special(s) || politeStart.MatchString(s)) }
	}
	for !afterColon && first < last && asks(of(first)) {
		taken += "\n" + of(first)
		first++
	}
	for last > first && asks(of(last-1)) {
		taken += "\n" + of(last-1)
		last--
	}
	for i := first; i < min(last, first+mostSearched); i++ {
		if list[i].To-list[i].From < 200 && special(of(i)) && size(of(i)) <= 8 {
			taken += "\n" + of(i)
		}
	}
	if first == last {
		return "", taken
	}
	return text[list[first].From:list[last-1].To], taken
}

// mostSearched is in how many sentences of a text a request is looked for.
const mostSearched = 200

// isAsking says whether a sentence is said to the model instead of being part
// of a text.
func isAsking(sentence string) bool {
	if len(sentence) > 1000 {
		return false
	}
	n := size(sentence)
	if n <= 14 && special(sentence) {
		return true
	}
	if n > 30 || len(skillsIn(sentence)) == 0 {
		return false
	}
	return politeStart.MatchString(sentence) || len(skillsIn(opening(sentence))) > 0
}

// special says whether a text asks for another side of the program, a language
// or a length.
func special(text string) bool {
	return askMe.MatchString(text) || showError.MatchString(text) || takeTime.MatchString(text) ||
		languageIn(text) != "" && size(text) <= 14
}

// opening returns the first words of a sentence: three, or six characters.
func opening(sentence string) string {
	if hanShare(sentence) > 0.5 {
		r := []rune(sentence)
		return string(r[:min(len(r), 6)])
	}
	f := strings.Fields(sentence)
	return strings.Join(f[:min(len(f), 3)], " ")
}

// hanShare is how much of the letters of a text is Chinese, from 0 to 1. It
// looks at the beginning only.
func hanShare(text string) float64 {
	var han, all int
	for _, r := range text {
		if all > 2000 {
			break
		}
		if unicode.Is(unicode.Han, r) {
			han++
			all++
		} else if unicode.IsLetter(r) {
			all++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(han) / float64(all)
}
