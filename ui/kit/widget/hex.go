package widget

import (
	"fmt"
	"strings"
)

// PerRow is how many bytes a row of the byte view shows on w cells: 16, or 8 where it is narrow.
func PerRow(w int) int {
	if w >= 12+16*3+1+2+16 {
		return 16
	}
	return 8
}

// HexRow is one row of the byte view: where it stands, its bytes, and what is printable of them.
// The bytes from (counted from the start of the file) up to to are marked.
func HexRow(offset int64, data []byte, per int, from, to int64, place, marked Style) string {
	var hex, text strings.Builder
	for i := range per {
		if i > 0 && i%8 == 0 {
			hex.WriteByte(' ')
		}
		if i >= len(data) {
			hex.WriteString("   ")
			continue
		}
		at, c := offset+int64(i), data[i]
		char := "."
		if c >= 0x20 && c < 0x7f {
			char = string(rune(c))
		}
		two := fmt.Sprintf("%02x", c)
		if at >= from && at < to {
			two, char = marked.Styled(two), marked.Styled(char)
		}
		hex.WriteString(two + " ")
		text.WriteString(char)
	}
	return place.Styled(fmt.Sprintf("%010x", offset)) + "  " + hex.String() + " " + text.String()
}
