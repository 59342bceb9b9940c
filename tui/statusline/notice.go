package statusline

import "time"

// noticeTime is how long a message stays that is no error.
const noticeTime = 6 * time.Second

// notices are the message that is shown and the one behind it.
type notices struct {
	trouble string
	news    string
	until   time.Time // the news
}

// Say shows what a command came to, for six seconds. It stands behind an error
// until that was seen. The text is in our own words, one line.
func (r *Room) Say(text string, now time.Time) {
	r.notice.news, r.notice.until = text, now.Add(noticeTime)
}

// Complain shows an error until a key was pressed after it.
func (r *Room) Complain(text string) { r.notice.trouble = text }

// Pressed says that the person has pressed a key: an error has been seen. It says
// whether there was one.
func (r *Room) Pressed() bool {
	seen := r.notice.trouble != ""
	r.notice.trouble = ""
	return seen
}

// Until returns when the message goes by itself, for a timer; false for never.
func (r *Room) Until() (time.Time, bool) { return r.notice.until, r.notice.news != "" }

func (n *notices) tick(now time.Time) {
	if n.news != "" && !now.Before(n.until) {
		n.news = ""
	}
}
