package action

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/runtime/suggest"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

var (
	textBudgetSet     = i18n.Text{EN: "%s may spend %s", ZH: "%s最多可用 %s"}
	textBudgetGone    = i18n.Text{EN: "%s may spend without a limit", ZH: "%s的花费不再受限"}
	textNoBudgetOf    = i18n.Text{EN: "%s had no budget", ZH: "%s没有预算"}
	textStillHeld     = i18n.Text{EN: "still held by the budget of %s", ZH: "仍受限于%s的预算"}
	textHintLift      = i18n.Text{EN: "lift it: /budget %s off", ZH: "解除：/budget %s off"}
	textBudgetOf      = i18n.Text{EN: "%s: %s of %s spent", ZH: "%s：已用 %s，共 %s"}
	textBudgetHolds   = i18n.Text{EN: "Budget spent", ZH: "预算已用完"}
	textUnpriced      = i18n.Text{EN: "%s tokens have no price and are not in it", ZH: "其中 %s 词元没有价格，未计入"}
	textThisTask      = i18n.Text{EN: "this task", ZH: "本任务"}
	textToday         = i18n.Text{EN: "today", ZH: "今天"}
	textAlone         = i18n.Text{EN: "%s alone", ZH: "%s（不含下级）"}
	textTokensOf      = i18n.Text{EN: "%s tokens", ZH: "%s 词元"}
	textAnd           = i18n.Text{EN: "%s and %s", ZH: "%s和%s"}
	textNoBudgets     = i18n.Text{EN: "Nothing limits what is spent", ZH: "没有设定预算"}
	textHintBudget    = i18n.Text{EN: "set: /budget [agent|subtree|task|day] %s|200k|off", ZH: "设定：/budget [智能体|subtree|task|day] %s|200k|off"}
	textNoAmount      = i18n.Text{EN: "%q is no amount", ZH: "%q 不是额度"}
	textNoBudgetScope = i18n.Text{EN: "%q is no agent, task or day", ZH: "%q 不是智能体、任务或今天"}
	textNoTaskYet     = i18n.Text{EN: "There is no task yet", ZH: "还没有任务"}
	textHintNoTaskYet = i18n.Text{EN: "send the request first, or limit the day: /budget day %s", ZH: "请先发送请求，或限制当天：/budget day %s"}
	textMeantBudget   = i18n.Text{EN: "%q: did you mean %s?", ZH: "%q：你是否指 %s？"}
	textNoPrices      = i18n.Text{EN: "no price for %s: not counted", ZH: "%s 没有价格，不计入"}
	textFree          = i18n.Text{EN: "no cost for %s: not limited", ZH: "%s 不另收费，不受此限"}
	textHintFree      = i18n.Text{EN: "limit tokens: /budget %s 200k", ZH: "限制词元：/budget %s 200k"}
	textFreeSoFar     = i18n.Text{EN: "its tokens cost nothing", ZH: "其词元不另收费"}
	textHintNoPrices  = i18n.Text{EN: "limit tokens: /budget %s 200k, or set a price in the settings", ZH: "限制词元：/budget %s 200k，或在设置中写明 price"}
	textHintRaise     = i18n.Text{EN: "raise it: /budget %[1]s AMOUNT · once more: /budget %[1]s more · stop: /budget %[1]s stop", ZH: "提高：/budget %[1]s 额度 · 再来一份：/budget %[1]s more · 停止：/budget %[1]s stop"}
	textBudgetGoOn    = i18n.Plural{One: "%d agent goes on", Other: "%d agents go on", ZH: "%d 个智能体继续工作"}
	textSentHeld      = i18n.Text{EN: "%s keeps the message until its budget is raised", ZH: "%s 会保留消息，直到预算提高"}
	textHintHeld      = i18n.Text{EN: "raise it: /budget %s AMOUNT", ZH: "提高：/budget %s 额度"}
	textStillBudgeted = i18n.Text{EN: "spent already", ZH: "已用完"}
)

const (
	budgetOff       = "off" // the amount that removes a budget
	tokensInChinese = "词元"
)

// hintBudget returns how to set a budget.
func (b *Builder) hintBudget() string { return b.text(textHintBudget, b.SampleAmount()) }

// SampleAmount returns an amount of money as one may be written.
func (b *Builder) SampleAmount() string {
	return b.SayAmount(society.Amount{Cost: society.MoneyOf(2.5)})
}

// ReadAmount reads an amount as the user writes it: 2.50, 2,50, $2, $2k or 2 USD for money in the
// currency of the settings, 200k, 1.5M, 5万 or 3000tok for tokens, 0 or off for none. A comma before
// three digits is refused: it could separate thousands.
func (b *Builder) ReadAmount(text string) (m society.Amount, ok bool) {
	number, money, other := withoutCurrency(strings.ToLower(strings.TrimSpace(width.Narrow.String(text))), b.Society.Currency())
	if other {
		return m, false
	}
	if (number == budgetOff || number == "不限") && !money {
		number = "0"
	}
	number, factor, tokens := withoutUnit(number, money)
	if whole, part, comma := strings.Cut(number, ","); comma && (len(part) == 1 || len(part) == 2) {
		number = whole + "." + part
	}
	n, err := strconv.ParseFloat(number, 64)
	if n *= factor; err != nil || math.IsNaN(n) || n < 0 || n > 1e12 || !tokens && n > 1e9 {
		return m, false
	}
	if tokens {
		return society.Amount{Tokens: int(n)}, n == 0 || n >= 1
	}
	return society.Amount{Cost: society.MoneyOf(n)}, true
}

// withoutUnit returns a number without its unit, and what that stands for. An amount of money is
// not one of tokens.
func withoutUnit(number string, money bool) (rest string, factor float64, tokens bool) {
	for _, unit := range []string{"tokens", "token", "tok", "t", tokensInChinese} {
		if short, found := strings.CutSuffix(number, unit); found && !money {
			number, tokens = strings.TrimSpace(short), true
			break
		}
	}
	for unit, times := range map[string]float64{"k": 1e3, "m": 1e6, "g": 1e9, "千": 1e3, "万": 1e4, "亿": 1e8} {
		if short, found := strings.CutSuffix(number, unit); found {
			return short, times, !money
		}
	}
	return number, 1, tokens
}

// IsLikeAmount reports whether a word is an amount or its currency, or a wrong one rather than a
// name.
func (b *Builder) IsLikeAmount(word string) bool {
	_, ok := b.ReadAmount(word)
	number, _, _ := withoutCurrency(strings.ToLower(word), b.Society.Currency())
	first, _ := utf8.DecodeRuneInString(strings.TrimPrefix(number, "@"))
	return ok || !unicode.IsLetter(first)
}

// SayAmount says an amount.
func (b *Builder) SayAmount(m society.Amount) string {
	money, tokens := symbols.Money(m.Cost, b.Society.Currency()), b.text(textTokensOf, symbols.Tokens(m.Tokens))
	switch {
	case m.Tokens == 0:
		return money
	case m.Cost == 0:
		return tokens
	}
	return b.text(textAnd, money, tokens)
}

// BudgetScope names what a budget is for.
func (b *Builder) BudgetScope(of society.BudgetScope, alone bool) string {
	switch {
	case of.Agent != "" && alone:
		return b.text(textAlone, b.Society.Name(of.Agent))
	case of.Agent != "":
		return b.text(textForSubtree, b.Society.Name(of.Agent))
	case of.Task != "":
		return b.text(textThisTask)
	}
	return b.text(textToday)
}

// budgetSubject names what a budget is for, at the beginning of a sentence.
func (b *Builder) budgetSubject(of society.BudgetScope, alone bool) string {
	scope := b.BudgetScope(of, alone)
	if of.Agent != "" && alone { // which begins with a name
		return scope
	}
	return i18n.Capitalized(scope)
}

// AboutBudget says in one line how much of a budget is spent.
func (b *Builder) AboutBudget(s *society.BudgetStatus) string {
	spent := society.Amount{}
	if s.Limit.Cost > 0 {
		spent.Cost = s.Spent.Cost
	}
	if s.Limit.Tokens > 0 {
		spent.Tokens = s.Spent.Tokens()
	}
	said := b.SayAmount(spent)
	if s.Limit.Tokens == 0 && s.Spent.Tokens() > 0 && !s.Spent.IsPriced() {
		said = symbols.NoPrice
	} else if (s.Spent.Estimated > 0 || s.Limit.Cost > 0 && s.Spent.OldPrice > 0) && !isFree(s) {
		said = "~" + said
	}
	text := b.text(textBudgetOf, b.budgetSubject(s.BudgetScope, s.Alone), said, b.SayAmount(s.Limit))
	if isFree(s) {
		text += b.Dot + b.text(textFreeSoFar)
	}
	if s.Limit.Cost > 0 && s.Spent.Unpriced() > 0 {
		text += b.Dot + b.text(textUnpriced, symbols.Tokens(s.Spent.Unpriced()))
	}
	return text
}

// isFree reports whether a budget of money alone is for tokens that cost nothing, so that it holds
// nobody.
func isFree(s *society.BudgetStatus) bool {
	return s.Limit.Tokens == 0 && s.Spent.IsPriced() && s.Spent.Cost == 0
}

// NewsOfBudget is the notice about a budget that is nearly or wholly spent.
func (b *Builder) NewsOfBudget(s *society.BudgetStatus) Notice {
	if s.IsSpent() {
		return Notice{Warned, b.text(textBudgetHolds) + b.Dot + b.AboutBudget(s), b.text(textHintRaise, symbols.BudgetWord(s.BudgetScope))}
	}
	return Notice{Cautioned, b.AboutBudget(s), b.hintBudget()}
}

// BudgetNamed returns the budget that a line of the timeline is about.
func (b *Builder) BudgetNamed(line string) (s society.BudgetStatus, ok bool) {
	for _, s := range b.Society.Budgets() {
		if strings.HasPrefix(line, s.Name()+" ") {
			return s, true
		}
	}
	return s, false
}

// Budgets is the notice that lists the budgets in force.
func (b *Builder) Budgets() Notice {
	var said []string
	for _, s := range b.Society.Budgets() {
		said = append(said, b.AboutBudget(&s))
	}
	if said == nil {
		said = []string{b.text(textNoBudgets)}
	}
	return Notice{Told, strings.Join(said, b.Dot), b.hintBudget()}
}

// NoAmount refuses what is no amount.
func (b *Builder) NoAmount(text string) Notice {
	if other := b.InOtherCurrency(text); !other.Empty() {
		return other
	}
	return Notice{Warned, b.text(textNoAmount, sanitize.Line(text, nameCells)), b.hintBudget()}
}

// NoBudgetScope refuses a word that names nothing to set a budget for, and suggests the
// nearest agent, or else the nearest of words.
func (b *Builder) NoBudgetScope(word string, words []string) Notice {
	said := Notice{Warned, b.text(textNoBudgetScope, sanitize.Line(word, nameCells)), b.hintBudget()}
	meant := suggest.Nearest(word, words)
	if near := b.near(word); len(near) > 0 {
		meant = b.Few(near)
	}
	if meant != "" {
		said.Text = b.text(textMeantBudget, sanitize.Line(word, nameCells), meant)
	}
	return said
}

// NoTaskYet refuses a budget of the task of an agent that has none.
func (b *Builder) NoTaskYet() Notice {
	return Notice{Warned, b.text(textNoTaskYet), b.text(textHintNoTaskYet, b.SampleAmount())}
}

// countsNoPrice adds to the notice about a budget of money that tokens of some of the models that
// it is for have no price or cost nothing, with what to do.
func (b *Builder) countsNoPrice(said Notice, cmd society.SetBudget, limit society.Amount) Notice {
	if limit.Cost == 0 {
		return said
	}
	unpriced, free := b.uncounted(cmd)
	word := symbols.BudgetWord(society.BudgetScope{Agent: cmd.Agent, Task: cmd.Task})
	if len(free) > 0 && limit.Tokens == 0 {
		said.Level, said.Text = Cautioned, said.Text+b.Dot+b.text(textFree, b.Printer.List(free))
		said.Hint = b.text(textHintFree, word)
	}
	if len(unpriced) > 0 {
		said.Level, said.Text = Cautioned, said.Text+b.Dot+b.text(textNoPrices, b.Printer.List(unpriced))
		said.Hint = b.text(textHintNoPrices, word)
	}
	return said
}

// CountsNoPrice is countsNoPrice for a budget of the settings, which is for all agents.
func (b *Builder) CountsNoPrice(said Notice, limit society.Amount) Notice {
	return b.countsNoPrice(said, society.SetBudget{Day: true}, limit)
}

// uncounted returns the models with which the agents think that a budget is for: those without a
// price, and those that cost nothing. Prices in dollars do not count beside settings in another
// currency.
func (b *Builder) uncounted(cmd society.SetBudget) (unpriced, free []string) {
	models := map[string]api.Model{}
	sign := b.Society.Currency()
	for _, m := range b.Client.Models() {
		models[sanitize.Line(m.Name, nameCells)] = m
	}
	agents := b.Society.Subtree(cmp.Or(cmd.Agent, society.Root))
	if cmd.Alone {
		agents = agents[:min(len(agents), 1)]
	}
	for _, id := range agents {
		row, _ := b.Society.Row(id)
		name := symbols.ModelName(b.Printer, row.Model)
		if row.Model == "" || cmd.Task != "" && row.Task != cmd.Task || slices.Contains(unpriced, name) || slices.Contains(free, name) {
			continue
		}
		m := models[row.Model]
		switch {
		case m.Price != nil && m.Price.Included:
			free = append(free, name)
		case m.Price != nil && (sign == "" || sign == "$" || m.PriceFrom.Source == api.KnownFromSetting):
		case row.Usage.Tokens() > 0 && row.Usage.Unpriced() == 0: // its endpoint tells what it costs
		default:
			unpriced = append(unpriced, name)
		}
	}
	return unpriced, free
}

// budgetGone is the notice about a removed budget: whether there was one, and which other budget
// still holds agents.
func (b *Builder) budgetGone(of society.BudgetScope, was bool) Notice {
	form := textBudgetGone
	if !was {
		form = textNoBudgetOf
	}
	said := Notice{Text: b.text(form, b.budgetSubject(of, false))}
	for _, other := range b.Society.Budgets() {
		if other.Holds == 0 || isSameScope(other.BudgetScope, of) {
			continue
		}
		said.Level = Cautioned
		said.Text += b.Dot + b.text(textStillHeld, b.BudgetScope(other.BudgetScope, other.Alone))
		said.Hint = b.text(textHintLift, symbols.BudgetWord(other.BudgetScope))
		break
	}
	return said
}

// isSameScope compares scopes; that of a command names no day.
func isSameScope(a, b society.BudgetScope) bool { return a.Agent == b.Agent && a.Task == b.Task }

// SetBudget makes the action that sets a budget, or adds to it.
func (b *Builder) SetBudget(cmd society.SetBudget) Action {
	was := slices.ContainsFunc(b.Society.Budgets(), func(s society.BudgetStatus) bool {
		return isSameScope(s.BudgetScope, society.BudgetScope{Agent: cmd.Agent, Task: cmd.Task})
	})
	return newAction(b, Other, []society.AgentID{society.Root},
		func(society.AgentID) society.SetBudget { return cmd },
		func(well []answered[society.BudgetSet]) Notice {
			reply := well[0].reply
			of := society.BudgetScope{Agent: cmd.Agent, Task: cmd.Task}
			if reply.Budget.Limit.IsZero() {
				return b.budgetGone(of, was)
			}
			said := Notice{Text: b.text(textBudgetSet, b.budgetSubject(of, cmd.Alone), b.SayAmount(reply.Budget.Limit))}
			switch {
			case reply.Budget.IsSpent():
				said.Level, said.Text = Cautioned, said.Text+b.Dot+b.text(textStillBudgeted)
			case reply.Resumed > 0:
				said.Text += b.Dot + b.Printer.N(textBudgetGoOn, reply.Resumed)
			}
			return b.countsNoPrice(said, cmd, reply.Budget.Limit)
		})
}
