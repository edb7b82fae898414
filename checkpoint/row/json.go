package row

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/big"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON writes a value as Spark's own reader shows it: integers exact, decimals as strings with
// every digit of their scale, dates and times as ISO 8601 in UTC with microseconds, binaries in base64,
// NaN and the infinities as strings, intervals as Spark's SQL, null fields written. A struct or a map
// is an object; where a name repeats in a struct the second is "sum#2". What could steer a terminal is
// escaped within strings.
func (v Value) AppendJSON(dst []byte) []byte {
	if v.Null || v.Type == nil {
		return append(dst, "null"...)
	}
	switch v.Type.Kind {
	case Struct:
		dst = append(dst, '{')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, v.Type.Fields[i].Label), ':')
			dst = item.AppendJSON(dst)
		}
		return append(dst, '}')
	case Array:
		dst = append(dst, '[')
		for i, item := range v.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case Map:
		dst = append(dst, '{')
		for i := 0; i+1 < len(v.Items); i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, v.Items[i].Text()), ':')
			dst = v.Items[i+1].AppendJSON(dst)
		}
		return append(dst, '}')
	case String:
		return appendQuoted(dst, v.Bytes)
	case Boolean, Byte, Short, Integer, Long:
		return v.appendText(dst)
	case Float, Double:
		if f := v.Float(); !math.IsNaN(f) && !math.IsInf(f, 0) {
			return v.appendText(dst)
		}
	case Variant:
		return appendVariant(dst, v.Bytes)
	}
	return append(v.appendText(append(dst, '"')), '"')
}

// Text is a value as a person reads it: as its JSON, without the quotes around it and as it is.
func (v Value) Text() string {
	if !v.Null && v.Type != nil && v.Type.Kind == String {
		return string(v.Bytes)
	}
	return string(v.appendText(nil))
}

// appendText writes a value without quotes around it. All but strings, structs, arrays and maps
// are plain ASCII that needs no escapes.
func (v Value) appendText(dst []byte) []byte {
	if v.Null || v.Type == nil {
		return v.AppendJSON(dst)
	}
	switch v.Type.Kind {
	case Boolean:
		return strconv.AppendBool(dst, v.Int != 0)
	case Byte, Short, Integer, Long:
		return strconv.AppendInt(dst, v.Int, 10)
	case Float:
		return appendFloat(dst, v.Float(), 32)
	case Double:
		return appendFloat(dst, v.Float(), 64)
	case Date:
		return appendDate(dst, time.Unix(v.Int*86400, 0).UTC())
	case Timestamp:
		return append(appendTime(dst, v.Int), 'Z')
	case TimestampNTZ:
		return appendTime(dst, v.Int)
	case Time:
		return appendClock(dst, v.Int)
	case Decimal:
		return appendDecimal(dst, v)
	case Binary, Geo:
		return base64.StdEncoding.AppendEncode(dst, v.Bytes)
	case Interval:
		return appendInterval(dst, v.Bytes)
	case YearMonth:
		return appendYearMonth(dst, v.Type.Name, v.Int)
	case DayTime:
		return appendDayTime(dst, v.Type.Name, v.Int)
	case String:
		return append(dst, v.Bytes...)
	}
	return v.AppendJSON(dst)
}

// appendFloat writes the shortest number that gives the same value back, with a point or an exponent
// as Java does, so that it stays a floating-point number.
func appendFloat(dst []byte, f float64, bits int) []byte {
	switch {
	case math.IsNaN(f):
		return append(dst, "NaN"...)
	case math.IsInf(f, 1):
		return append(dst, "Infinity"...)
	case math.IsInf(f, -1):
		return append(dst, "-Infinity"...)
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, 'g', -1, bits)
	for _, c := range dst[start:] {
		if c == '.' || c == 'e' {
			return dst
		}
	}
	return append(dst, ".0"...)
}

// appendDate writes 2026-03-01. Years beyond 9999 and before 0 have a sign, as ISO 8601 has it.
func appendDate(dst []byte, t time.Time) []byte {
	year, month, day := t.Date()
	switch {
	case year > 9999:
		dst = append(dst, '+')
	case year < 0:
		dst, year = append(dst, '-'), -year
	}
	dst = append(appendPadded(dst, int64(year), 4), '-')
	dst = append(appendPadded(dst, int64(month), 2), '-')
	return appendPadded(dst, int64(day), 2)
}

// appendTime writes 2026-03-01T10:00:07.123456.
func appendTime(dst []byte, micros int64) []byte {
	t := time.UnixMicro(micros).UTC()
	dst = append(appendDate(dst, t), 'T')
	hour, minute, second := t.Clock()
	dst = append(appendPadded(dst, int64(hour), 2), ':')
	dst = append(appendPadded(dst, int64(minute), 2), ':')
	dst = append(appendPadded(dst, int64(second), 2), '.')
	return appendPadded(dst, int64(t.Nanosecond()/1000), 6)
}

// appendClock writes a time of day, 10:00:07.123456, with as many digits of a second as there are.
func appendClock(dst []byte, nanos int64) []byte {
	dst = append(appendPadded(dst, nanos/int64(time.Hour), 2), ':')
	dst = append(appendPadded(dst, nanos/int64(time.Minute)%60, 2), ':')
	return appendSeconds(dst, nanos%int64(time.Minute), 9, 2)
}

// appendSeconds writes seconds that are counted in units of 10^-digits, without zeros at the end.
func appendSeconds(dst []byte, n int64, digits, pad int) []byte {
	unit := int64(math.Pow10(digits))
	dst = appendPadded(dst, n/unit, pad)
	rest := n % unit
	if rest == 0 {
		return dst
	}
	fraction := appendPadded(nil, rest, digits)
	return append(append(dst, '.'), strings.TrimRight(string(fraction), "0")...)
}

// appendPadded writes a number with zeros before it to fill width digits.
func appendPadded(dst []byte, n int64, width int) []byte {
	if n < 0 {
		dst = append(dst, '-')
	}
	var digits [20]byte
	at := len(digits)
	for rest := abs(n); rest > 0 || len(digits)-at < width; rest /= 10 {
		at--
		digits[at] = byte('0' + rest%10)
	}
	return append(dst, digits[at:]...)
}

// abs holds for the smallest integer too.
func abs(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// appendDecimal writes every digit of the scale and no exponent: -4.00.
func appendDecimal(dst []byte, v Value) []byte {
	scale := v.Type.Scale
	var digits string
	negative := false
	if v.Type.Precision <= wideDigits {
		digits, negative = strconv.FormatUint(abs(v.Int), 10), v.Int < 0
	} else {
		n := signed(v.Bytes)
		negative = n.Sign() < 0
		digits = n.Abs(n).String()
	}
	if negative {
		dst = append(dst, '-')
	}
	if scale <= 0 {
		dst = append(dst, digits...)
		if digits != "0" {
			dst = append(dst, strings.Repeat("0", -scale)...)
		}
		return dst
	}
	if pad := scale + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	point := len(digits) - scale
	dst = append(append(dst, digits[:point]...), '.')
	return append(dst, digits[point:]...)
}

// signed is a big-endian two's complement integer.
func signed(b []byte) *big.Int {
	n := new(big.Int).SetBytes(b)
	if len(b) > 0 && b[0] >= 0x80 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
	}
	return n
}

// appendInterval writes an interval of months, days and microseconds as CalendarInterval.toString does:
// "1 years 2 months 3 days 4 hours 5 minutes 6.5 seconds".
func appendInterval(dst []byte, b []byte) []byte {
	if len(b) != 16 {
		return dst
	}
	months, days := int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))
	micros := int64(binary.LittleEndian.Uint64(b[8:]))
	var parts []string
	unit := func(n int64, name string) {
		if n != 0 {
			parts = append(parts, strconv.FormatInt(n, 10)+" "+name)
		}
	}
	unit(int64(months/12), "years")
	unit(int64(months%12), "months")
	unit(int64(days), "days")
	unit(micros/3_600_000_000, "hours")
	unit(micros/60_000_000%60, "minutes")
	if rest := micros % 60_000_000; rest != 0 {
		sign := ""
		if rest < 0 {
			sign, rest = "-", -rest
		}
		parts = append(parts, sign+string(appendSeconds(nil, rest, 6, 1))+" seconds")
	}
	if parts == nil {
		return append(dst, "0 seconds"...)
	}
	return append(dst, strings.Join(parts, " ")...)
}

// appendYearMonth writes months as Spark's SQL does: INTERVAL '1-2' YEAR TO MONTH.
func appendYearMonth(dst []byte, name string, months int64) []byte {
	unit := strings.ToUpper(strings.TrimPrefix(name, "interval "))
	dst = append(dst, "INTERVAL '"...)
	if months < 0 {
		dst, months = append(dst, '-'), -months
	}
	switch unit {
	case "YEAR":
		dst = strconv.AppendInt(dst, months/12, 10)
	case "MONTH":
		dst = strconv.AppendInt(dst, months, 10)
	default:
		dst = append(strconv.AppendInt(dst, months/12, 10), '-')
		dst = strconv.AppendInt(dst, months%12, 10)
	}
	return append(append(dst, "' "...), unit...)
}

// dayTimeUnits are the parts of a day-time interval in microseconds, and what stands before each.
var dayTimeUnits = []struct {
	name   string
	before string
	micros uint64
}{{"DAY", "", 86_400_000_000}, {"HOUR", " ", 3_600_000_000}, {"MINUTE", ":", 60_000_000}, {"SECOND", ":", 1_000_000}}

// appendDayTime writes microseconds as Spark's SQL does: INTERVAL '1 02:03:04.5' DAY TO SECOND.
func appendDayTime(dst []byte, name string, micros int64) []byte {
	unit := strings.ToUpper(strings.TrimPrefix(name, "interval "))
	first, last, span := strings.Cut(unit, " TO ")
	if !span {
		last = first
	}
	dst = append(dst, "INTERVAL '"...)
	if micros < 0 {
		dst = append(dst, '-')
	}
	rest, within := abs(micros), false
	for _, u := range dayTimeUnits {
		if u.name == first {
			within = true
		} else if within {
			dst = append(dst, u.before...)
		}
		switch {
		case !within:
			continue
		case u.name == "DAY":
			dst = strconv.AppendUint(dst, rest/u.micros, 10)
		case u.name == "SECOND":
			dst = appendSeconds(dst, int64(rest), 6, 2)
		default:
			dst = appendPadded(dst, int64(rest/u.micros), 2)
		}
		rest %= u.micros
		if u.name == last {
			break
		}
	}
	return append(append(dst, "' "...), unit...)
}

const hexDigits = "0123456789abcdef"

// appendQuoted writes text as a JSON string. What is no UTF-8 becomes U+FFFD; control characters and
// those that turn the direction of writing are escaped.
func appendQuoted[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c < 0x7F {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r != utf8.RuneError && !escaped(r) {
			i += n
			continue
		}
		dst = append(dst, s[start:i]...)
		switch r {
		case '"', '\\':
			dst = append(dst, '\\', byte(r))
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		case utf8.RuneError:
			dst = append(dst, "\uFFFD"...)
		default:
			for _, u := range utf16.AppendRune(nil, r) {
				dst = append(dst, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
			}
		}
		i += n
		start = i
	}
	return append(append(dst, s[start:]...), '"')
}

// escaped are the characters that a JSON string may not hold as they are, and those that could steer
// a terminal or change how the rest of a line reads.
func escaped(r rune) bool {
	return r < 0x20 || r == '"' || r == '\\' || r == 0x7F ||
		r > 0x7F && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co))
}
