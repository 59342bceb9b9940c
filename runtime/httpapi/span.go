package httpapi

import (
	"fmt"
	"strconv"
	"time"
)

// A Span is a time that is not negative. The API and the command line read it alike: with its
// unit, as in 90s or 5m, or as a number of seconds.
type Span time.Duration

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Span) UnmarshalText(text []byte) error {
	given := string(text)
	if _, err := strconv.ParseUint(given, 10, 64); err == nil {
		given += "s"
	}
	d, err := time.ParseDuration(given)
	if err != nil || d < 0 {
		return fmt.Errorf("must be a time such as 90s or 5m, not %q", text)
	}
	*s = Span(d)
	return nil
}
