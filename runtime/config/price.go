package config

import (
	"maps"
	"math"
	"slices"

	"society-tui/llm"
	"society-tui/runtime/i18n"
	"society-tui/runtime/suggest"
)

// included is the price of a model whose tokens are paid for in another way.
const included = "included"

// mostPrice is far above what any million tokens cost, and small enough to calculate with.
const mostPrice = 1e6

// readPrice reads the price of a model; the zero fact is none.
func readPrice(from any) (price llm.Fact[llm.Price], err error) {
	price.Source = llm.FromSetting
	switch v := from.(type) {
	case nil:
		return llm.Fact[llm.Price]{}, nil
	case string:
		switch v {
		case "":
			return llm.Fact[llm.Price]{}, nil
		case included:
			price.Value.Included = true
			return price, nil
		}
	case map[string]any:
		price.Value, err = pricesOf(v)
		return price, err
	}
	return llm.Fact[llm.Price]{}, textNoPrice.With()
}

// pricesOf reads the table of a price.
func pricesOf(table map[string]any) (p llm.Price, err error) {
	columns := []string{"input", "output", "cache_read", "cache_write"}
	amounts := map[string]*float64{}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(columns, key) {
			return p, meant(textPriceColumn.With(key, i18n.List(columns)), suggest.Nearest(key, columns))
		}
		var amount float64
		switch v := table[key].(type) {
		case float64:
			amount = v
		case int64:
			amount = float64(v)
		default:
			return p, textPriceRange.With(key, int(mostPrice))
		}
		if math.IsNaN(amount) || amount < 0 || amount > mostPrice {
			return p, textPriceRange.With(key, int(mostPrice))
		}
		amounts[key] = &amount
	}
	if amounts["input"] == nil || amounts["output"] == nil {
		return p, textHalfPrice.With()
	}
	return llm.Price{
		Input: *amounts["input"], Output: *amounts["output"],
		CacheRead: amounts["cache_read"], CacheWrite: amounts["cache_write"],
	}, nil
}
