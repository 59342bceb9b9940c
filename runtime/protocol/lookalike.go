package protocol

import (
	"strings"
	"unicode"
)

// reserved are the names with authority, as skeletons.
var reserved = map[string]string{
	"user": UserID, "theuser": UserID, "用户": UserID,
	"root":    "root",
	"runtime": RuntimeID, "theruntime": RuntimeID,
	"system": "system", "thesystem": "system", "系统": "system",
}

// lookAlike returns the reserved name that a reader could take name for, or "".
func lookAlike(name string) string {
	return reserved[skeleton(name)]
}

// skeleton reduces a name to what a hurried reader sees: lower-case letters and
// digits, look-alikes of other scripts and styles as the ASCII letter they
// resemble, accents, blanks and punctuation gone.
func skeleton(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r = plainForm(r); unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainForm returns the ASCII letter that r resembles, else r in lower case.
func plainForm(r rune) rune {
	r = unicode.ToLower(styled(r))
	if ascii, ok := resembling[r]; ok {
		return ascii
	}
	return r
}

// styled undoes the styles that Unicode keeps as characters of their own:
// full-width, circled, parenthesised, squared, mathematical.
func styled(r rune) rune {
	switch {
	case r >= 0xFF01 && r <= 0xFF5E: // full-width
		return r - 0xFF01 + '!'
	case r >= 0x24B6 && r <= 0x24CF: // circled capitals
		return r - 0x24B6 + 'a'
	case r >= 0x24D0 && r <= 0x24E9: // circled small letters
		return r - 0x24D0 + 'a'
	case r >= 0x249C && r <= 0x24B5: // parenthesised
		return r - 0x249C + 'a'
	case r >= 0x1F110 && r <= 0x1F129: // parenthesised capitals
		return r - 0x1F110 + 'a'
	case r >= 0x1F130 && r <= 0x1F149: // squared
		return r - 0x1F130 + 'a'
	case r >= 0x1F150 && r <= 0x1F169: // circled, negative
		return r - 0x1F150 + 'a'
	case r >= 0x1F170 && r <= 0x1F189: // squared, negative
		return r - 0x1F170 + 'a'
	case r >= 0x1F1E6 && r <= 0x1F1FF: // regional indicators
		return r - 0x1F1E6 + 'a'
	case r >= 0x1D400 && r <= 0x1D6A3: // mathematical alphabets of 52 letters
		return (r-0x1D400)%26 + 'a'
	}
	return r
}

// resembling maps lower-case characters to the ASCII letter of a reserved name
// that they can be taken for.
var resembling = invert(map[rune]string{
	'u': "υυսᴜᵘᵤ꞉ùúûüũūŭůűųưǔǖǘǚǜȕȗụủứừửữựμʋꭒꭎꓴ",
	's': "ѕꜱˢₛſśŝşšșṡṣṥṧṩƽ5$ꓢᏚ",
	'e': "еєҽεᴇᵉₑℯéèêëēĕėęěȅȇȩḕḗḙḛẹẻẽếềểễệ3ꓰꭼℰℇ",
	'r': "гᴦʀᵣʳŕŗřȑȓṙṛṝṟɾꓣꮁℛℜℝᏒ",
	'o': "оοσօᴏᵒₒ0òóôõöøōŏőơǒǫǭȍȏȫȭȯȱọỏốồổỗộớờởỡợ०੦०౦๐໐ⲟꓳ〇ℴᐤ",
	't': "тτᴛᵗₜţťŧțṫṭṯṱ7+ꓔᎢ†",
	'n': "пηոɴⁿₙñńņňṅṇṉṋꓠ",
	'i': "іιɩıⁱᵢìíîïĩīĭįǐȉȋḭịỉ1l|!ꓲ",
	'm': "мᴍᵐₘṁṃꓟ",
	'y': "уүγʏʸýÿŷȳẏỵỷỹꓬ",
	'h': "һнʜʰₕհĥħḣḥḧḩḫꓧ",
})

func invert(lookAlikes map[rune]string) map[rune]rune {
	table := map[rune]rune{}
	for ascii, list := range lookAlikes {
		for _, r := range list {
			table[unicode.ToLower(r)] = ascii
		}
	}
	return table
}
