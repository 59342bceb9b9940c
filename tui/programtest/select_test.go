package programtest

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// Text selected with the mouse reaches the terminal's clipboard.
func TestSelectionReachesTheClipboard(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(100, 30).opened()
	x.sees("Tell root what you want. It makes roles")
	x.write("Thanks!")
	x.press("enter")
	rows := x.sees("Write any request", "demo model ok")
	for y, row := range rows {
		if before, _, ok := strings.Cut(row, "Write any req"); ok {
			at := len([]rune(before)) + 1
			x.write(fmt.Sprintf("\x1b[<0;%d;%dM\x1b[<32;%d;%dM\x1b[<32;%d;%dM\x1b[<0;%d;%dm", at, y+1, at+5, y+1, at+12, y+1, at+12, y+1))
		}
	}
	x.sees("“Write any req”", "Copied 13 characters")
	// Without the frame.
	x.writes("\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte("Write any req")))
	x.press("ctrl+c") // copies again, and clears the selection
	x.quit()
}
