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

// offline is the name of the offline model, by which records and settings know it.
const offline = "offline demo model"

// ModelName returns the name of a model as users read it: that of the offline one is of the
// program, and in the language of the printer.
func ModelName(p i18n.Printer, name string) string {
	if name == offline {
		return p.T(textOffline)
	}
	return name
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
