package chatapi

import (
	"math"
	"strconv"

	"society-tui/llm"
)

// counts are the tokens that an endpoint reports, as it counts them.
type counts struct {
	input, output, total     int
	cached, written, thought int
	cost                     *float64
}

// parseUsage reads the counts under the names that are in use, in our way of counting: what
// was cached is part of the input, what was thought part of the output. Endpoints differ in
// that, and their total decides.
func parseUsage(v value) llm.Usage {
	var c counts
	fields := v.members()
	for key, member, more := fields.next(); more; key, member, more = fields.next() {
		switch string(key) {
		case "prompt_tokens", "input_tokens":
			c.input = max(c.input, tokens(member))
		case "completion_tokens", "output_tokens":
			c.output = max(c.output, tokens(member))
		case "total_tokens":
			c.total = tokens(member)
		case "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens":
			c.cached = max(c.cached, tokens(member))
		case "cache_creation_input_tokens", "cache_write_tokens":
			c.written = max(c.written, tokens(member))
		case "reasoning_tokens":
			c.thought = max(c.thought, tokens(member))
		case "prompt_tokens_details", "input_tokens_details":
			c.cached = max(c.cached, tokens(member.member("cached_tokens")))
			c.written = max(c.written, tokens(member.member("cache_write_tokens")), tokens(member.member("cache_creation_tokens")))
		case "completion_tokens_details", "output_tokens_details":
			c.thought = max(c.thought, tokens(member.member("reasoning_tokens")))
		case "cost", "total_cost":
			c.price(member)
		}
	}
	return c.usage()
}

// price reads what the answer cost: a number, or an object with the sum.
func (c *counts) price(v value) {
	if v.isObject() {
		v = v.member("total_cost")
	}
	if n, ok := v.number(); ok && n >= 0 && !math.IsInf(n, 0) {
		c.cost = &n
	}
}

func (c *counts) usage() llm.Usage {
	around := c.cached + c.written
	input, output := c.input, c.output
	switch rest := c.total - c.input - c.output; {
	case c.total == 0 && c.input > 0 && around > c.input: // a part is never more than the whole
		input += around
	case c.total == 0 || rest == 0:
	case rest == around:
		input += around
	case rest == c.cached:
		input += c.cached
	case rest == c.thought:
		output += c.thought
	case rest == around+c.thought:
		input, output = input+around, output+c.thought
	default:
		input = max(c.total-output, 0)
	}
	u := llm.Usage{InputTokens: input, OutputTokens: output, Cost: c.cost}
	u.CachedTokens = min(c.cached, input)
	u.CacheWriteTokens = min(c.written, input-u.CachedTokens)
	u.ReasoningTokens = min(c.thought, output)
	return u
}

func tokens(v value) int {
	n, ok := v.number()
	if !ok || n < 0 || n > 1e12 {
		return 0
	}
	return int(n)
}

// writeUsage writes the counts in canonical form, in which parseUsage reads them again.
func writeUsage(w *writer, v value) {
	if !v.isObject() {
		return
	}
	u := parseUsage(v)
	w.members++
	count := func(name string, n int) {
		w.out = append(w.out, name...)
		w.out = strconv.AppendInt(w.out, int64(n), 10)
	}
	count(`,"usage":{"prompt_tokens":`, u.InputTokens)
	count(`,"completion_tokens":`, u.OutputTokens)
	count(`,"total_tokens":`, u.InputTokens+u.OutputTokens)
	count(`,"prompt_tokens_details":{"cached_tokens":`, u.CachedTokens)
	count(`,"cache_write_tokens":`, u.CacheWriteTokens)
	count(`},"completion_tokens_details":{"reasoning_tokens":`, u.ReasoningTokens)
	w.out = append(w.out, '}')
	if u.Cost != nil {
		w.out = append(w.out, `,"cost":`...)
		w.out = strconv.AppendFloat(w.out, *u.Cost, 'g', -1, 64)
	}
	w.out = append(w.out, '}')
}
