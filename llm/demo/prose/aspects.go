package prose

import (
	"regexp"
	"strings"
	"unicode"
)

// What Facts finds.
const (
	Fact    Kind = "fact"    // a sentence with a figure, a date or a name
	Figures Kind = "figures" // the figures and dates
	Names   Kind = "names"
	NoFacts Kind = "no_facts"
)

// What Questions finds: what the text asks, and what it does not say.
const (
	Asked     Kind = "asked"
	NoCost    Kind = "no_cost"
	NoDate    Kind = "no_date"
	NoPeople  Kind = "no_people"
	NoPlace   Kind = "no_place"
	NoMeasure Kind = "no_measure" // how one will see that it is done
	AllSaid   Kind = "all_said"
)

// What Risks finds: a word, and the sentence in which it stands.
const (
	Unsure    Kind = "unsure"    // "maybe"
	Absolute  Kind = "absolute"  // "always"
	Condition Kind = "condition" // "if"
	Deadline  Kind = "deadline"  // "by Friday"
	NoRisks   Kind = "no_risks"
)

const (
	monthNames = `january|february|march|april|may|june|july|august|september|october|november|december`
	dayNames   = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
	hanNumber  = `[0-9一二两三四五六七八九十百千万亿]`
)

var (
	hedges     = regexp.MustCompile(`(?i)\b(?:maybe|perhaps|probably|possibly|might|could|should|hope(?:fully)?|hoping|guess|roughly|around|about|not sure|unclear|i think|we think)\b|可能|也许|大概|或许|希望|应该|左右|估计|不确定|说不定`)
	absolutes  = regexp.MustCompile(`(?i)\b(?:always|never|all|every|everyone|nobody|none|must|guaranteed?|certainly|definitely|impossible)\b|总是|从不|绝对|一定|必须|所有|保证|肯定|永远`)
	conditions = regexp.MustCompile(`(?i)\b(?:if|unless|depends? on|depending on|as long as|provided that|until|waiting for)\b|如果|除非|取决于|只要|要看|等到|假如`)
	deadlines  = regexp.MustCompile(`(?i)\b(?:by|before|until|no later than)\s+(?:the\s+)?(?:end of\s+)?(?:` + monthNames + `|` + dayNames + `|next \w+|tomorrow|\d[\w.:-]*)|\bdeadline\b|截止|(?:` + hanNumber + `+[年月日号]|(?:周|星期)[一二三四五六日天]|[今明]天|下周|[月年]底)[之以]?前|[月年]底`)

	figure  = regexp.MustCompile(`(?i)\d[\d.,]*\s?[万亿千]?(?:元|块|人|位|名|年|月|日|号|天|周|个月|小时|分钟|公里|平米|岁|次)|\d[\d.,]*\s?[万亿]|[$€£¥]\s?\d[\d.,]*\d|[$€£¥]\s?\d|\b\d[\d.,:]*\d?(?:\s?(?:%|euros?|dollars?|pounds?|yuan|people|guests|children|hours?|days?|weeks?|months?|years?|minutes?|km|m²|kg)\b|\s?%)?|\b(?:` + monthNames + `|` + dayNames + `)\b|` + hanNumber + `{1,3}(?:月(?:` + hanNumber + `{1,3}[日号])?|年)|(?:周|星期|礼拜)[一二三四五六日天]`)
	money   = regexp.MustCompile(`(?i)[$€£¥]|\b(?:euros?|dollars?|pounds?|yuan|cost|costs|budget|price|prices|rent|pay|paid|money|cheap|expensive|free)\b|元|块钱|预算|费用|价格|租金|成本|花费|花钱|免费|钱`)
	date    = regexp.MustCompile(`(?i)\b(?:` + monthNames + `|` + dayNames + `|today|tomorrow|weekend|spring|summer|autumn|winter|tonight|next (?:week|month|year)|\d+ (?:days?|weeks?|months?|years?))\b|\b(?:19|20)\d\d\b|` + hanNumber + `+[月日号天周年]|今天|明天|周末|下周|下个?月|明年|今年|春|夏|秋|冬|星期|礼拜`)
	people  = regexp.MustCompile(`(?i)\b(?:we|i|my|our|friends?|team|staff|family|kids|children|colleagues?|partners?|customers?|guests?|she|he|they|people)\b|我|我们|他|她|朋友|同事|团队|家人|孩子|员工|客人|顾客|客户|人`)
	place   = regexp.MustCompile(`(?i)\b(?:at|near|street|station|city|town|village|room|house|office|school|park|garden|shop|kitchen|building|online|home)\b|\b[Ii]n [A-Z]\w+|在[^，。；]{1,8}(?:里|边|旁|附近|街|路|区)|街|路口|城|镇|村|公园|学校|办公室|车站|地铁|家里|店|网上`)
	measure = regexp.MustCompile(`(?i)\b(?:goal|target|at least|at most|success|measure|per (?:day|week|month|year)|until it|so that|break even|enough)\b|目标|至少|最多|成功|达到|指标|收支平衡|以便`)
)

// figures returns the figures and dates in a text, each once, at most so many.
func figures(text string, most int) []string {
	var found []string
	seen := make(map[string]bool)
	for _, f := range figure.FindAllString(text, mostMatches) {
		f = strings.TrimRight(quote(f), ".,:")
		if f == "May" || f == "may" { // mostly the verb, at best a month without a day
			continue
		}
		if key := strings.ToLower(f); !seen[key] && len(found) < most {
			seen[key] = true
			found = append(found, strings.ReplaceAll(f, "|", "/"))
		}
	}
	return found
}

func facts(text string) []Finding {
	var found []Finding
	var named []string
	for _, s := range sentences(text) {
		n := names(s)
		named = append(named, n...)
		if asks(s) || len(figures(s, 1)) == 0 && len(n) == 0 {
			continue
		}
		if len(found) < 6 {
			found = append(found, Finding{Fact, quote(s)})
		}
	}
	if f := figures(text, 8); len(f) > 0 {
		found = append(found, Finding{Figures, quote(strings.Join(f, ", "))})
	}
	if len(named) > 0 {
		found = append(found, Finding{Names, top(rank(named), 6)})
	}
	if len(found) == 0 {
		return []Finding{{NoFacts, ""}}
	}
	return found
}

// names returns the words of a sentence that are written with a capital though
// nothing asks for it.
func names(sentence string) []string {
	var found []string
	for i, t := range tokens(sentence) {
		first := []rune(t.text)[0]
		lower := strings.ToLower(t.text)
		if i > 0 && !t.han && unicode.IsUpper(first) && len(t.text) > 1 && !stopWords[strings.ReplaceAll(lower, "’", "'")] &&
			len(figure.FindString(t.text)) != len(t.text) {
			found = append(found, t.text)
		}
	}
	return found
}

func asks(sentence string) bool { return strings.ContainsAny(sentence, "?？") }

func questions(text string) []Finding {
	var found []Finding
	for _, s := range sentences(text) {
		if asks(s) && len(found) < 6 {
			found = append(found, Finding{Asked, quote(s)})
		}
	}
	for _, open := range []struct {
		kind Kind
		said *regexp.Regexp
	}{{NoCost, money}, {NoDate, date}, {NoPeople, people}, {NoPlace, place}, {NoMeasure, measure}} {
		if !open.said.MatchString(text) {
			found = append(found, Finding{open.kind, ""})
		}
	}
	if len(found) == 0 {
		return []Finding{{AllSaid, ""}}
	}
	return found
}

func risks(text string) []Finding {
	var found []Finding
	for _, s := range sentences(text) {
		for _, sign := range []struct {
			kind Kind
			of   *regexp.Regexp
		}{{Unsure, hedges}, {Absolute, absolutes}, {Condition, conditions}, {Deadline, deadlines}} {
			word := sign.of.FindString(s)
			if word == "" || asks(s) || countOf(found, sign.kind) >= 3 {
				continue
			}
			if sign.kind != Deadline { // which may hold a name
				word = strings.ToLower(word)
			}
			found = append(found, Finding{sign.kind, quote(word) + " · " + quote(s)})
		}
	}
	if len(found) == 0 {
		return []Finding{{NoRisks, ""}}
	}
	return found
}
