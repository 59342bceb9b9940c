package programtest

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// What is marked with the mouse reaches the clipboard of the terminal.
func TestScreen51WhatIsMarkedReachesTheClipboard(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(100, 30).opened()
	x.sees("Tell root what you want. It makes roles")
	x.write("Count the words of this: one two three.")
	x.press("enter")
	rows := x.sees("I would start at once", "demo model ok")
	for y, row := range rows {
		if before, _, ok := strings.Cut(row, "I would start"); ok {
			at := len([]rune(before)) + 1
			x.write(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<32;%d;%dM\x1b[<32;%d;%dM\x1b[<0;%d;%dm", at, y+1, at+5, y+1, at+12, y+1, at+12, y+1))
		}
	}
	x.sees("“I would start”", "characters: 13")
	// Behind the frame.
	x.writes("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("I would start")))
	x.press("ctrl+c") // copies it again, and takes the mark away
	x.quit()
}
