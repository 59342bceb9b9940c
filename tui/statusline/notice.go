package statusline

import "time"

// noticeTime is how long a notice stays, readTime how long it stays at least
// while the user continues: further actions may make it untrue.
const (
	noticeTime = 6 * time.Second
	readTime   = 1500 * time.Millisecond
)

// notices holds a notice and an error in front of it.
type notices struct {
	trouble string
	mild    bool // trouble is a warning
	news    string
	until   time.Time // end of news
}

// ShowNotice shows a notice for six seconds, or until the user continues after
// readTime. It waits behind an error. The text is our own, in one line.
func (r *Model) ShowNotice(text string, now time.Time) {
	r.notice.news, r.notice.until = text, now.Add(noticeTime)
}

// ShowError shows an error until a key is pressed.
func (r *Model) ShowError(text string) { r.notice.trouble, r.notice.mild = text, false }

// ShowWarning shows a warning until a key is pressed.
func (r *Model) ShowWarning(text string) { r.notice.trouble, r.notice.mild = text, true }

// Pressed dismisses the error after a key, and reports whether there was one.
func (r *Model) Pressed() bool {
	seen := r.notice.trouble != ""
	r.notice.trouble = ""
	return seen
}

// GoesOn dismisses a notice that had time to be read, because the user does
// something else.
func (r *Model) GoesOn(now time.Time) {
	if r.notice.trouble == "" && !now.Before(r.notice.until.Add(readTime-noticeTime)) {
		r.notice.news = ""
	}
}

// Until returns when the notice disappears by itself; false for never.
func (r *Model) Until() (time.Time, bool) { return r.notice.until, r.notice.news != "" }

func (n *notices) tick(now time.Time) {
	if n.news != "" && !now.Before(n.until) {
		n.news = ""
	}
}
