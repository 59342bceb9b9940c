package script

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/llm/lazyregexp"
)

// A request is a parsed request.
type request struct {
	words string // as written
	ask   string // the words without text and directions
	text  string // to work on; "" for none
	lang  Language
	kind  *kind
	left  int // lines that the runtime left out of a long text

	// The directions, which ask for a feature of the program.
	question, slow, trouble, tool bool
}

const (
	askFirst = `\bask me(?: first| back)?\b|(?:先|反)问我|^[^\p{L}\p{N}]*问我|[，。、；并和]问我`
	takeTime = `\btake your time\b|慢慢来|慢慢写`
	anError  = `\bshow (?:me )?an error\b|演示(?:一次)?错误`
	useATool = `\buse a tool\b|使用(?:一个)?工具|用(?:一下|一个)工具`
	// aDirection is a direction with the words that join it to the rest.
	aDirection = `(?:[\s,;:…，；：、]|` + joining + `)*(?:` + askFirst + `|` + takeTime + `|` + anError + `|` + useATool + `)(?:[\s,.;:!…，。；：！、]|` + joining + `)*`
	joining    = `\b(?:and|then|please|first)\b|请|并且|并|然后`
)

var (
	asksFirst   = lazyregexp.New(`(?i)` + askFirst)
	takesTime   = lazyregexp.New(`(?i)` + takeTime)
	showsError  = lazyregexp.New(`(?i)` + anError)
	usesTool    = lazyregexp.New(`(?i)` + useATool)
	directions  = lazyregexp.New(`(?i)` + aDirection)
	opensDirect = lazyregexp.New(`(?i)^(?:` + aDirection + `)+`)
	// polite matches polite words before a request.
	polite = lazyregexp.New(`(?i)^[^\p{L}\p{N}]*(?:(?:hello|hi|hey|root|there|please|now|then|also|next|could you|can you|would you|will you|i want (?:you )?to|i(?:'d| would) like (?:you )?to|i need (?:you )?to|help me(?: to)?|let us|let's|we want to)\b[\s,.!]*)+|^(?:你好|请问|请|麻烦|帮我|帮忙|再|然后|现在|我们?想要?|[，。！ ])+`)
	// chatter matches greetings and thanks, which ask for no work.
	chatter = lazyregexp.New(`(?i)^[^\p{L}\p{N}]*(?:(?:hello|hi|hey|good (?:morning|evening|afternoon|day)|greetings|great|ok(?:ay)?|help|what can you do|who are you)\b(?: (?:root|there|all|everyone|you|me))*|(?:你好|您好|早上好|下午好|晚上好|嗨|好的|帮助|你能做什么|你会做什么|你是谁)[啊呀了]*)[^\p{L}\p{N}]*$|^(?:thanks|thank you|cheers)\b.{0,40}$|^(?:谢谢|多谢|感谢).{0,60}$`)
	// gap matches the runtime's line for the lines that it left out of a long text.
	gap = lazyregexp.New(`(?m)^(?:… (\d+) lines left out, of .* …|…… 此处省略 (\d+) 行（.* ……)\n`)
)

// read parses a request; other is the language of words without letters.
func read(words string, other Language) request {
	q := request{words: words}
	if m := gap.FindStringSubmatch(words); m != nil {
		q.left, _ = strconv.Atoi(m[1] + m[2]) // digits, if not too many
		words = strings.Replace(words, m[0], "\n", 1)
	}
	words = strings.TrimSpace(words)
	opening := opensDirect.FindString(words)
	q.ask, q.text = divide(words[len(opening):])
	directed := opening + q.ask
	q.question, q.slow = asksFirst.MatchString(directed), takesTime.MatchString(directed)
	q.trouble, q.tool = showsError.MatchString(directed), usesTool.MatchString(directed)
	q.ask = strings.TrimSpace(directions.ReplaceAllString(q.ask, " "))
	q.lang = languageOf(q.ask, languageOf(words, other))
	q.kind = &kinds[len(kinds)-1]
	if bare := polite.ReplaceAllString(q.ask, ""); q.text == "" { // else the kind is that of the text
		q.kind = &kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.words.MatchString(bare) })]
	}
	return q
}

// isDirect reports whether the request needs no team: a greeting, thanks, no words,
// or only the direction to be slow.
func (q request) isDirect() bool {
	return q.text == "" && !q.question && !q.trouble && !q.tool && (q.isBare() || chatter.MatchString(q.ask))
}

// aboutFolder matches a request that concerns the files of a workspace, bareReview one that
// asks a team that reviews to begin.
var (
	aboutFolder = lazyregexp.New(`(?i)\b(?:folders?|director(?:y|ies)|workspaces?|repo(?:sitor(?:y|ies))?|code ?base|code|project|tests?)\b|文件夹|目录|工作区|仓库|代码|项目|测试`)
	bareReview  = lazyregexp.New(`(?i)^[^\p{L}]*(?:review|check|audit|inspect|look|have a look|begin|start|go)\b|审查|检查|看看|看一下|开始`)
)

// isReview reports whether the request is one to review the files of a workspace.
func (q request) isReview() bool {
	return aboutFolder.MatchString(q.ask) || q.text == "" && bareReview.MatchString(polite.ReplaceAllString(q.ask, ""))
}

// isBare reports whether there are no words to work on.
func (q request) isBare() bool { return !strings.ContainsFunc(q.source(), isWordRune) }

// help describes the model and its abilities.
func (q request) help() string {
	return paragraphs(sayIntro.in(q.lang), sayHelp.in(q.lang), sayDirections.in(q.lang))
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

// border matches the place before a text: a colon, or the end of the first line.
var border = lazyregexp.New(`\n|[:：](?:\s|["“]|\p{Han})|：`)

// longestAsk bounds a request; more is a text.
const longestAsk = 4 << 10

// divide splits words into a request and its text: behind a colon, on further lines,
// or a long one.
func divide(words string) (ask, text string) {
	begin := words[:min(len(words), longestAsk)]
	if at := border.FindStringIndex(begin); at != nil && size(words[:at[0]]) <= 40 && size(begin[at[0]:]) >= 10 {
		return words[:at[0]], strings.Trim(words[at[0]:], ":： \r\n")
	}
	if len(words) > longestAsk || size(words) >= 60 && len(sentences(words)) > 2 {
		return "", words
	}
	return words, ""
}

const (
	monthNames = `January|February|March|April|May|June|July|August|September|October|November|December`
	dayNames   = `Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday`
	number     = `\d(?:[\d.,:]*\d)?`
	hanUnit    = `[万亿]?(?:个月|小时|分钟|公里|[元块人位名年月日号天周岁次个只本张件份句页点分条字])`
	hanNumber  = `[0-9一二两三四五六七八九十百千万亿半]`
)

var (
	figure = lazyregexp.New(`[$€£¥]\s?` + number + `|` + number + `\s?(?:%|` + hanUnit + `)|\b` + number + `(?:[ -]\p{Latin}+)?|\b(?:` + monthNames + `|` + dayNames + `)\b|` +
		hanNumber + `{1,6}` + hanUnit + `|(?:周|星期|礼拜)[一二三四五六日天]`)
	// joint matches a word behind a number that is no unit.
	joint = lazyregexp.New(`(?i)[ -](?:a|an|and|or|to|in|on|at|of|by|for|from|with|is|are|was|but|the|so|as|it|we|if|then|since|per)$`)
	name  = lazyregexp.New(`\s(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*)`)
)

// figures returns the figures and dates in a text, each once.
func figures(s string) []string {
	var found []string
	for _, at := range figure.FindAllStringIndex(s, 200) {
		if f := s[at[0]:at[1]]; !endsName(s[:at[0]], f) {
			found = append(found, joint.ReplaceAllString(f, ""))
		}
	}
	// May is mostly the verb, at best a month without a day, and 一个 is an article.
	return unique(slices.DeleteFunc(found, func(f string) bool { return f == "May" || f == "一个" }))
}

// endsName reports whether a figure is the number of a name in Chinese, as in 冬游计划2.
func endsName(before, figure string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	_, err := strconv.Atoi(figure)
	return err == nil && len(figure) <= 2 && unicode.Is(unicode.Han, last)
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
