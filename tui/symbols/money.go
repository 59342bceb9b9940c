package symbols

import (
	"strconv"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// textIncluded is the price of tokens that are paid for in another way.
var textIncluded = i18n.Text{EN: "included", ZH: "不另收费"}

var textPerMillion = i18n.Text{EN: "%s a million", ZH: "每百万 %s"}

// NoPrice stands for a cost that is not known.
const NoPrice = "–"

// Money formats an amount of money, with the sign of its currency before it. A small amount
// that is not nothing never looks like nothing.
func Money(m society.Money, sign string) string {
	amount := m.Amount()
	minus := ""
	if amount < 0 {
		minus, amount = "-", -amount
	}
	digits := 2
	switch {
	case amount >= 999.5:
		return minus + sign + Tokens(int(amount+0.5))
	case amount >= 99.995:
		digits = 0
	case amount > 0 && amount < 0.0995:
		for least := 0.1; amount < least*0.995 && digits < 9; least /= 10 {
			digits++
		}
	}
	return minus + sign + strconv.FormatFloat(amount, 'f', digits, 64)
}

// Cost formats what was spent: "–" if no price is known, with "~" before an estimate or a sum by old
// prices, and "+" behind a sum without some tokens, whose price is not known. It is "" if nothing was used.
func Cost(u society.Usage, sign string, p i18n.Printer) string {
	switch {
	case u.Tokens() == 0 && u.Cost == 0:
		return ""
	case !u.IsPriced():
		return NoPrice
	}
	text := Money(u.Cost, sign)
	switch {
	case u.Cost == 0:
		text = p.T(textIncluded)
	case u.Estimated > 0 || u.OldPrice > 0:
		text = "~" + text
	}
	if u.Unpriced() > 0 {
		text += "+"
	}
	return text
}

// Spent formats the tokens of a usage, with "~" before an estimate.
func Spent(u society.Usage) string {
	if u.Estimated > 0 {
		return "~" + Tokens(u.Tokens())
	}
	return Tokens(u.Tokens())
}
