package action

import (
	"slices"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/sanitize"
)

// currencies are the spellings of currencies, before or behind an amount.
var currencies = [][]string{
	{"$", "＄", "usd", "dollars", "dollar", "美元"},
	{"€", "eur", "euros", "euro", "欧元"},
	{"£", "gbp", "英镑"},
	{"¥", "￥", "cny", "rmb", "人民币", "元", "块"}, // last: other names end in 元
}

var textOtherCurrency = i18n.Text{EN: "%q is not in %s, as all amounts are; the currency is one of the /settings", ZH: "%q 不是以 %s 计的额度；货币可在 /settings 中更改"}

// withoutCurrency returns an amount without its sign or word of a currency. other is set if
// that is not the currency of the settings, whose sign is given.
func withoutCurrency(text, sign string) (amount string, other bool) {
	for _, spellings := range append([][]string{{strings.ToLower(sign)}}, currencies...) {
		own := sign == "" || slices.Contains(spellings, strings.ToLower(sign))
		for _, s := range spellings {
			rest, found := strings.CutPrefix(text, s)
			if !found {
				rest, found = strings.CutSuffix(text, s)
			}
			if found && s != "" {
				return strings.TrimSpace(rest), !own
			}
		}
	}
	return text, false
}

// otherCurrency refuses an amount in another currency than that of the settings; its notice is
// empty for any other text.
func (b *Builder) otherCurrency(text string) Notice {
	sign := b.Society.Currency()
	rest, other := withoutCurrency(strings.ToLower(strings.TrimSpace(text)), sign)
	if _, ok := b.ReadAmount(rest); !other || !ok {
		return Notice{}
	}
	return Notice{Warned, b.text(textOtherCurrency, sanitize.Line(text, nameCells), sign), ""}
}
