package symbols

import (
	"strconv"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

// From says where something is known of a model from, and how old it is: "catalogue, 97d".
func From(p i18n.Printer, k api.Known, now time.Time) string {
	source := p.T(knownTexts[k.Source])
	if age := now.Sub(k.At); !k.At.IsZero() && age >= 24*time.Hour {
		return source + p.T(TextComma) + Age(age)
	}
	return source
}

// Price says what a million tokens of a model cost, to be sent and to be answered: "$5/$30",
// "~" before one that may have changed, "–" if it is not known. sign is that of the currency of
// the settings; other prices are in dollars.
func Price(p i18n.Printer, price *api.Price, from api.Known, sign string) string {
	switch {
	case price == nil:
		return NoPrice
	case price.Included:
		return p.T(textIncluded)
	}
	if from.Source != api.KnownFromSetting {
		sign = "$"
	}
	text := sign + amount(price.Input) + "/" + sign + amount(price.Output)
	if from.Old {
		text = "~" + text
	}
	return text
}

// PerMillion is Price in a sentence: "$5/$30 a million", but "included".
func PerMillion(p i18n.Printer, price *api.Price, from api.Known, sign string) string {
	text := Price(p, price, from, sign)
	if price == nil || price.Included {
		return text
	}
	return p.T(textPerMillion, text)
}

func amount(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
