package action

import (
	"slices"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui/sanitize"
)

// currencies are the spellings of currencies, before or behind an amount. Of those that begin or
// end alike, the longer one comes first.
var currencies = [][]string{
	{"us$", "$", "＄", "usd", "dollars", "dollar", "美元", "美金"},
	{"€", "eur", "euros", "euro", "欧元"},
	{"£", "gbp", "英镑"},
	{"¥", "￥", "cny", "rmb", "人民币", "块钱", "元", "块"}, // last: other names end in 元
}

var (
	textOtherCurrency   = i18n.Text{EN: "%q is in another currency; amounts are in %s", ZH: "%q 是另一种货币；金额以 %s 计"}
	textHintOtherChange = i18n.Text{EN: "/settings currency changes that for the next start", ZH: "可用 /settings currency 更改，下次启动生效"}
)

// withoutCurrency returns an amount without its signs or words of a currency, and whether it
// had one. other is set if that is not the currency of the settings, whose sign is given.
func withoutCurrency(text, sign string) (amount string, named, other bool) {
	if strings.HasSuffix(text, tokensInChinese) { // which ends like a currency
		return text, false, false
	}
	sign = strings.ToLower(sign)
	known := currencies
	if !slices.ContainsFunc(known, func(s []string) bool { return slices.Contains(s, sign) }) {
		known = append([][]string{{sign}}, known...)
	}
	for _, spellings := range known {
		amount = text
		for _, s := range spellings {
			amount = strings.TrimSpace(strings.TrimPrefix(amount, s))
		}
		for _, s := range spellings {
			amount = strings.TrimSpace(strings.TrimSuffix(amount, s))
		}
		if amount != text {
			return amount, true, sign != "" && !slices.Contains(spellings, sign)
		}
	}
	return text, false, false
}

// InOtherCurrency refuses an amount in another currency than that of the settings; its notice is
// empty for any other text.
func (b *Builder) InOtherCurrency(text string) Notice {
	sign := b.Society.Currency()
	rest, _, other := withoutCurrency(strings.ToLower(strings.TrimSpace(text)), sign)
	if _, ok := b.ReadAmount(rest); !other || !ok {
		return Notice{}
	}
	return Notice{Warned, b.text(textOtherCurrency, sanitize.Line(text, nameCells), sign), b.text(textHintOtherChange)}
}
