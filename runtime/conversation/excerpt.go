package conversation

import (
	"strings"
	"unicode/utf8"
)

// A Budget bounds how many bytes of one text a model is sent.
type Budget struct {
	Whole int // a text that is no longer is sent whole
	Part  int // of a longer one, with the line that stands for what is left out
}

// Budgets are for the texts of one request. They depend on the model's window alone, so
// that the same text is always cut at the same place for it.
type Budgets struct{ Message, Result Budget }

const (
	leastPart  = 4 << 10  // however small the window is
	mostResult = 32 << 10 // however large it is

	// leftOutBytes and leftOutTokens are about the size of the line in place of what is left
	// out.
	leftOutBytes  = 256
	leftOutTokens = 48
	// aroundPage is the size of the text around a page in the result of a reading call:
	// the line numbers, and a warning if the call was repeated.
	aroundPage = 512
)

// BudgetsFor returns the budgets for a model with a window of so many tokens, 0
// if that is not known: a message may take half of the window, a result a quarter.
// Of a longer message half as much is sent, because the window must also have
// room for reading the rest. A token is taken for 3.5 bytes.
func BudgetsFor(window int) Budgets {
	if window <= 0 {
		return Budgets{Message: Budget{96 << 10, 48 << 10}, Result: Budget{mostResult, mostResult}}
	}
	quarter := max(window*7/8, leastPart)
	result := min(quarter, mostResult)
	return Budgets{Message: Budget{max(window*7/4, leastPart), quarter}, Result: Budget{result, result}}
}

// LeastBudgets returns those for a model whose window turns out to be smaller than known.
func LeastBudgets() Budgets { return BudgetsFor(1) }

// Within returns the budgets where so many tokens are left of the window beside prompt and
// tools: a result leaves a fourteenth of them to the summary and the call.
func (b Budgets) Within(tokens int) Budgets {
	most := min(b.Result.Part, max(tokens*13/4, leastPart))
	b.Result = Budget{most, most}
	return b
}

// Page returns how many bytes of a text one result can hold without being cut itself.
func (b Budgets) Page() int { return b.Result.Part - aroundPage }

// Cut returns what is sent of an entry's text, and false if that is all of it. Of
// a message only the sender's text is cut: what the runtime wrote around it stays.
func (b Budgets) Cut(e *Entry) (x Excerpt, cut bool) {
	budget := b.Message
	switch e.Kind {
	case Result:
		budget = b.Result
	case Summary: // it is the summary of a full context
		budget.Whole = budget.Part
	}
	if len(e.Text) <= budget.Whole {
		return x, false
	}
	from, text := e.Own()
	if x, cut = budget.Cut(text); cut {
		x.Begin, x.End = x.Begin+from, x.End+from
	}
	return x, cut
}

// Own returns the text of an entry without what the runtime wrote around it, and
// where in the entry's text it begins.
func (e *Entry) Own() (from int, text string) {
	if (e.Kind == Inbound || e.Kind == Dropped) && len(e.Attached) > 0 { // with what stands in it: between the first line and the last
		begin, end := strings.IndexByte(e.Text, '\n')+1, strings.LastIndexByte(e.Text, '\n')
		if begin <= end {
			return begin, e.Text[begin:end]
		}
	}
	if e.Kind == Inbound && e.Body != "" {
		if from := strings.Index(e.Text, e.Body); from >= 0 {
			return from, e.Body
		}
	}
	return 0, e.Text
}

// Cut returns what is sent of a text, and false if that is all of it.
func (b Budget) Cut(text string) (x Excerpt, cut bool) {
	if len(text) <= b.Whole {
		return x, false
	}
	return excerptOf(text, b.Part-leftOutBytes), true
}

// weigh estimates what a text adds to a context, if at most that much of it is sent.
func (b Budget) weigh(text string) int {
	x, cut := b.Cut(text)
	return weighed(text, x, cut)
}

func weighed(text string, x Excerpt, cut bool) int {
	if !cut {
		return Weigh(text)
	}
	return Estimate(text[:x.Begin]) + leftOutTokens + Estimate(text[x.End:]) + around
}

// An Excerpt is the part of a long text that is sent: before Begin, and from End on. Of
// the text's Lines, Left in a row from line From on are not sent whole.
type Excerpt struct{ Begin, End, From, Left, Lines int }

// excerptOf returns the beginning and the end of a text, together at most so many
// bytes, in whole lines unless these are so long that much room would be left.
func excerptOf(text string, most int) Excerpt {
	half := max(most/2, 0)
	few := half * 3 / 4
	x := Excerpt{End: len(text), From: 1}
	last := 0 // line that is not whole in the end
	for at := 0; at < len(text); {
		if at >= len(text)-half && x.End == len(text) {
			x.End, last = at, x.Lines
		}
		at = lineEnd(text, at)
		x.Lines++
		if at <= half {
			x.Begin, x.From = at, x.Lines+1
		}
	}
	if x.End == len(text) {
		last = x.Lines
	}
	if x.Begin < few {
		for x.Begin = half; x.Begin > 0 && !utf8.RuneStart(text[x.Begin]); {
			x.Begin--
		}
	}
	if len(text)-x.End < few {
		for x.End = len(text) - half; x.End < len(text) && !utf8.RuneStart(text[x.End]); {
			x.End++
		}
	}
	x.Left = last - x.From + 1
	return x
}

// A longer line of a text is split, so that a file or a paragraph in one line can be
// read in parts too. A line fits into one result, however small the window is.
const (
	lineRunes = 2000
	lineBytes = leastPart - aroundPage
)

// lineEnd returns where the line that begins at from ends, its line break
// included.
func lineEnd(text string, from int) int {
	text = text[from:min(len(text), from+lineBytes+utf8.UTFMax)]
	if n := strings.IndexByte(text[:min(len(text), lineRunes+1)], '\n'); n >= 0 {
		return from + n + 1
	}
	at := 0
	for range lineRunes {
		if at == len(text) || text[at] == '\n' {
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		if at+size >= lineBytes { // the line break has room too
			return from + at
		}
		at += size
	}
	if at < len(text) && text[at] == '\n' {
		at++
	}
	return from + at
}

// A Page is some lines of a text in a row: First to Last of Lines, counted from 1.
// Put together, the pages of a text are the text.
type Page struct {
	Text               string
	First, Last, Lines int
}

// PageOf returns the lines from number first on: so many, and of them as many as
// have room in so many bytes, but one at least. It is empty if first is past the
// end.
func PageOf(text string, first, lines, bytes int) Page {
	p := Page{First: first, Last: first - 1}
	begin, end := 0, 0
	for at := 0; at < len(text); {
		next := lineEnd(text, at)
		p.Lines++
		switch {
		case p.Lines == first:
			begin, end, p.Last = at, next, first
		case p.Lines == p.Last+1 && p.Lines > first && p.Lines-first < lines && next-begin <= bytes:
			end, p.Last = next, p.Lines
		}
		at = next
	}
	p.Text = text[begin:end]
	return p
}
