package i18n

import (
	"strconv"
	"strings"
	"time"

	"society-tui/runtime/protocol"
)

// A Duration is a duration in a sentence, as an argument of a text: 2m5s, 2 分 5 秒.
type Duration time.Duration

// In returns the duration in a language.
func (d Duration) In(lang protocol.Lang) string {
	t := time.Duration(d)
	if lang != protocol.Chinese {
		return t.String()
	}
	var parts []string
	for _, unit := range []struct {
		of   time.Duration
		name string
	}{{time.Hour, " 小时"}, {time.Minute, " 分"}} {
		if n := t / unit.of; n > 0 {
			parts, t = append(parts, strconv.FormatInt(int64(n), 10)+unit.name), t%unit.of
		}
	}
	if t != 0 || len(parts) == 0 {
		parts = append(parts, strconv.FormatFloat(t.Seconds(), 'f', -1, 64)+" 秒")
	}
	return strings.Join(parts, " ")
}
