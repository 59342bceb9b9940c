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
// "~" before one that may have changed, "–" if it is not known.
func Price(p i18n.Printer, price *api.Price, from api.Known) string {
	switch {
	case price == nil:
		return "–"
	case price.Included:
		return p.T(textIncluded)
	}
	text := "$" + amount(price.Input) + "/$" + amount(price.Output)
	if from.Old {
		text = "~" + text
	}
	return text
}

func amount(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
