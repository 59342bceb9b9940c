package script

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A request is a parsed request.
type request struct {
	words string // as written
	ask   string // the words without text and directions
	text  string // to work on; "" for none
	lang  Language
	kind  kind
	left  int // lines that the runtime left out of a long text

	// The directions.
	question, slow, trouble, tool bool
}

// A kind is the kind of work that a request asks for.
type kind int

const (
	undertaking kind = iota
	ideas
	writing
	choice
	lookup
	problem
)

// kinds match the words of each kind; the first match counts.
var kinds = []struct {
	kind  kind
	words *regexp.Regexp
}{
	{choice, regexp.MustCompile(`(?i)^(?:should|shall|which|decide|choose|compare|is it (?:better|worth))\b|\bwhether\b|\bbetter\b.*\bor\b|\bvs\b|是否|要不要|该不该|值得|还是|哪个|哪种|比较|选择`)},
	{writing, regexp.MustCompile(`(?i)^(?:write|draft|compose|reply|answer|translate|rewrite|rephrase|edit|shorten|summari[sz]e|proofread|review)\b|写|起草|撰|翻译|润色|总结|摘要|回信|回复`)},
	{problem, regexp.MustCompile(`(?i)^(?:fix|repair|debug|solve)\b|\b(?:error|broken|fails|crash\w*|(?:does|do|is|will)(?:n't| not) (?:work|start|open|print)\w*)\b|报错|修复|修理|坏了|故障|打不开|不工作|失败`)},
	{ideas, regexp.MustCompile(`(?i)^(?:\d+|two|three|four|five|six|seven|eight|nine|ten|some|a few)\s|\b(?:ideas?|names?|suggestions?|titles|slogans?|brainstorm|gifts?)\b|取名|起名|名字|点子|主意|建议|口号|礼物|^[\d一二两三四五六七八九十]+个`)},
	{lookup, regexp.MustCompile(`(?i)^(?:what|who|whose|when|where|why|how|is|are|was|were|does|do|did|has|have|can|explain|research|investigate|look up|find out|tell me)\b|[?？]$|什么|为什么|怎么|怎样|如何|多少|哪里|哪些|几点|吗$|解释|查一?下|查找|调查|研究`)},
}

// Directions ask for a feature of the program and are no part of the request.
var (
	askMe     = regexp.MustCompile(`(?i)\bask me(?: first| back)?\b|(?:先|反)问我|^[^\p{L}\p{N}]*问我|[，。、；并和]问我`)
	takeTime  = regexp.MustCompile(`(?i)\btake your time\b|慢慢来|慢慢写`)
	anError   = regexp.MustCompile(`(?i)\bshow (?:me )?an error\b|演示(?:一次)?错误`)
	useATool  = regexp.MustCompile(`(?i)\buse a tool\b|使用(?:一个)?工具|用(?:一下|一个)工具`)
	direction = regexp.MustCompile(strings.Join([]string{askMe.String(), takeTime.String(), anError.String(), useATool.String(), `(?i)\b(?:and|then|please|first)\b|请|并且|并|然后`}, "|"))
	// glue matches the words that joined a direction, which is now a zero, to the rest.
	glue = regexp.MustCompile(`(?i)(?:[\s,;:…，；：、]|\band\b|\bthen\b|并且|并|然后)*\x00(?:[\s,.;:!…，。；：！、\x00]|\band\b|\bthen\b|并且|并|然后)*`)
	// polite matches polite words before a request.
	polite = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:(?:hello|hi|hey|root|there|please|now|then|also|next|could you|can you|would you|will you|i want (?:you )?to|i(?:'d| would) like (?:you )?to|i need (?:you )?to|help me(?: to)?|let us|let's|we want to)\b[\s,.!]*)+|^(?:你好|请问|请|麻烦|帮我|帮忙|再|然后|现在|我们?想要?|[，。！ ])+`)
	// chatter matches greetings, which ask for no work.
	chatter = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:(?:hello|hi|hey|good (?:morning|evening|afternoon|day)|greetings|great|ok(?:ay)?|help|what can you do|who are you)\b(?: (?:root|there|all|everyone|you|me))*|(?:你好|您好|早上好|下午好|晚上好|嗨|好的|帮助|你能做什么|你会做什么|你是谁)[啊呀了]*)[^\p{L}\p{N}]*$`)
	thanks  = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:(?:thanks|thank you|cheers)\b.{0,40}|(?:谢谢|多谢|感谢).{0,60})$`)
)

// gap matches the runtime's line for the lines that it left out of a long text.
var gap = regexp.MustCompile(`(?m)^(?:… (\d+) lines left out, of .* …|…… 此处省略 (\d+) 行（.* ……)\n`)

// read parses a request; other is the language of words without letters.
func read(words string, other Language) request {
	q := request{words: words}
	if m := gap.FindStringSubmatch(words); m != nil {
		q.left, _ = strconv.Atoi(m[1] + m[2]) // digits, if not too many
		words = strings.Replace(words, m[0], "\n", 1)
	}
	q.ask, q.text = divide(strings.TrimSpace(words))
	for _, d := range []struct {
		wanted *bool
		words  *regexp.Regexp
	}{{&q.question, askMe}, {&q.slow, takeTime}, {&q.trouble, anError}, {&q.tool, useATool}} {
		*d.wanted = d.words.MatchString(q.ask)
		q.ask = d.words.ReplaceAllString(q.ask, "\x00")
	}
	q.ask = strings.TrimSpace(glue.ReplaceAllString(q.ask, " "))
	q.lang = languageOf(q.ask, languageOf(words, other))
	bare := polite.ReplaceAllString(q.ask, "")
	for _, k := range kinds {
		if k.words.MatchString(bare) {
			q.kind = k.kind
			break
		}
	}
	return q
}

// isDirect reports whether the request needs no team: a greeting, thanks, no words,
// or only the direction to be slow.
func (q request) isDirect() bool {
	if q.text != "" || q.question || q.trouble || q.tool {
		return false
	}
	return q.isBare() || chatter.MatchString(q.ask) || thanks.MatchString(q.ask)
}

// isBare reports whether there are no words to work on.
func (q request) isBare() bool { return !strings.ContainsFunc(q.source(), isWordRune) }

// help describes the model and its abilities; in short in answer to thanks.
func (q request) help() string {
	if thanks.MatchString(q.ask) {
		return sayHelp.in(q.lang)
	}
	lines := []string{sayTryThis.in(q.lang)}
	for i, e := range Examples(q.lang) {
		lines = append(lines, strconv.Itoa(i+1)+". "+clip(e, 100))
	}
	return paragraphs(sayIntro.in(q.lang), sayHelp.in(q.lang), strings.Join(lines, "\n"), sayMoreToDo.in(q.lang))
}

// source returns the words to work on, as many as are read.
func (q request) source() string {
	if q.text != "" {
		return q.text[:min(len(q.text), longestRead)]
	}
	return q.ask
}

// title returns the first sentence of the request.
func (q request) title() string {
	for _, s := range sentences(q.ask + "\n\n" + q.text) {
		return strings.TrimRight(clip(s, 100), " .。:：,，")
	}
	return ""
}

var (
	// textual matches a request that is about a text.
	textual = regexp.MustCompile(`(?i)\b(?:this|these|those|that|following|below|text|notes?|letter|e?mail|article|paragraphs?|minutes|report|summar\w+|proofread|shorten|review|translate)\b|这|以下|下面|下文|文本|文章|文字|邮件|笔记|纪要|报告|总结|摘要|概括|翻译|润色|审阅`)
	colon   = regexp.MustCompile(`[:：](?:\s|["“]|\p{Han})|：`)
	item    = regexp.MustCompile(`^\s*(?:[-*+•]|\d{1,3}[.)、])`)
)

// longestAsk bounds a request; more is a text.
const longestAsk = 4 << 10

// divide splits words into a request and its text: behind a colon, on further
// lines, or a long one.
func divide(words string) (ask, text string) {
	if first, rest, more := strings.Cut(words, "\n"); more {
		heads := strings.HasSuffix(first, ":") || strings.HasSuffix(first, "：") ||
			strings.HasPrefix(strings.TrimLeft(rest, " \t\r"), "\n") || textual.MatchString(first)
		if heads && len(first) < longestAsk && size(first) <= 40 && isText(rest) {
			return strings.TrimRight(first, " :："), strings.TrimSpace(rest)
		}
	}
	if at := colon.FindStringIndex(words[:min(len(words), 400)]); at != nil {
		before, after := words[:at[0]], strings.TrimLeft(words[at[0]:], ":： \n")
		n := size(after[:min(len(after), longestAsk)])
		if directed := direction.ReplaceAllString(before, ""); size(directed) == 0 {
			ask, text = divide(after)
			return before + ": " + ask, text
		}
		if size(before) <= 20 && (n >= 25 || n >= 8 && len(sentences(after)) > 1 || n >= 5 && textual.MatchString(before)) {
			return before, after
		}
	}
	if len(words) > longestAsk {
		return "", words
	}
	if all := sentences(words); size(words) >= 60 && len(all) >= 3 {
		for _, s := range []string{all[0], all[len(all)-1]} {
			if size(s) <= 25 && textual.MatchString(s) && (isQuestion(s) || polite.MatchString(s) || kinds[1].words.MatchString(s)) {
				return s, strings.TrimSpace(strings.Replace(words, s, "", 1))
			}
		}
		return "", words
	}
	return words, ""
}

// isText reports whether lines are a text, not the points of a request.
func isText(lines string) bool {
	points := true
	for line := range strings.Lines(lines) {
		points = points && (strings.TrimSpace(line) == "" || item.MatchString(line))
	}
	n := size(lines[:min(len(lines), longestAsk)])
	return n >= 60 || n >= 12 && !points
}

const (
	monthNames = `January|February|March|April|May|June|July|August|September|October|November|December`
	dayNames   = `Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday`
	number     = `\d(?:[\d.,:]*\d)?`
	hanUnit    = `[万亿]?(?:个月|小时|分钟|公里|[元块人位名年月日号天周岁次个只本张件份句页点分条])`
	hanNumber  = `[0-9一二两三四五六七八九十百千万亿半]`
)

var (
	figure = regexp.MustCompile(`[$€£¥]\s?` + number + `|` + number + `\s?(?:%|` + hanUnit + `)|\b` + number + `(?:[ -]\p{Latin}+)?|\b(?:` + monthNames + `|` + dayNames + `)\b|` +
		hanNumber + `{1,6}` + hanUnit + `|(?:周|星期|礼拜)[一二三四五六日天]`)
	// joint matches a word behind a number that is no unit.
	joint = regexp.MustCompile(`(?i)[ -](?:a|an|and|or|to|in|on|at|of|by|for|from|with|is|are|was|but|the|so|as|it|we|if|then|since|per)$`)
	name  = regexp.MustCompile(`\s(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*)`)
)

// figures returns the figures and dates in a text, each once.
func figures(s string) []string {
	found := figure.FindAllString(s, 200)
	for i, f := range found {
		found[i] = joint.ReplaceAllString(f, "")
	}
	// May is mostly the verb, at best a month without a day.
	return unique(slices.DeleteFunc(found, func(f string) bool { return f == "May" }))
}

// given returns the figures, dates and names of the request.
func (q request) given() []string {
	found := figures(q.source())
	for _, s := range sentences(q.source()) {
		for _, m := range name.FindAllStringSubmatch(s, 20) {
			if !strings.Contains(strings.Join(found, " "), m[1]) {
				found = append(found, m[1])
			}
		}
	}
	return first(8, found)
}

var (
	counted = regexp.MustCompile(`(?i)\b(\d{1,3}|two|three|four|five|six|seven|eight|nine|ten)\b|(\d{1,3}|[两二三四五六七八九十])\s*[个条种只本句]`)
	numbers = strings.Fields("two 两 two 二 three 三 four 四 five 五 six 六 seven 七 eight 八 nine 九 ten 十")
)

// wanted returns the number of things that the request asks for, or 0.
func (q request) wanted() int {
	m := counted.FindStringSubmatch(q.ask)
	if m == nil {
		return 0
	}
	said := strings.ToLower(m[1] + m[2])
	if i := slices.Index(numbers, said); i >= 0 {
		return max(2, i/2+1)
	}
	n, _ := strconv.Atoi(said) // the pattern lets nothing else through
	return n
}

// clause matches the end of a part of a request.
var clause = regexp.MustCompile(`(?i)[;；\n]|,\s*(?:and|then)\s|\s+(?:and )?then\s|，|并且|然后`)

// parts returns the parts of the request, if it has several.
func (q request) parts() []string {
	var found []string
	for _, p := range clause.Split(strings.Join(first(1, sentences(q.ask)), ""), -1) {
		if p = strings.Trim(p, " ,.。，!！"); size(p) > 1 {
			found = append(found, clip(p, 120))
		}
	}
	if len(found) < 2 {
		return nil
	}
	return first(6, found)
}
