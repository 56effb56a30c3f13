package simulator

import (
	"errors"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// SMS spec, Limits.
const (
	minText  = 2
	maxText  = 1600
	maxItems = 1000
	minPhone = 8
)

// Assumption: exactly one of fnr and telefonnummer; the specification does not show which one wins.
func (m smsMessage) check() error {
	if err := checkText(m.Text); err != nil {
		return err
	}
	switch {
	case m.NationalID != nil && m.Phone != nil:
		return errors.New("both fnr and telefonnummer")
	case m.Phone != nil:
		return checkPhone(*m.Phone)
	case m.NationalID == nil:
		return errors.New("neither fnr nor telefonnummer")
	case !isDigits(*m.NationalID) || len(*m.NationalID) != 11:
		return errors.New("fnr is not eleven digits")
	}
	return nil
}

func (b smsBatch) check() error {
	if err := checkText(b.Text); err != nil {
		return err
	}
	if len(b.Phones) < 1 || len(b.Phones) > maxItems {
		return errors.New("telefonnummere has not 1 to 1000 items")
	}
	for _, phone := range b.Phones {
		if err := checkPhone(phone); err != nil {
			return err
		}
	}
	return nil
}

// Assumption: a number that is neither a national identity number nor an organisation number in form is refused.
func (l lookup) check() error {
	if len(l.Numbers) < 1 || len(l.Numbers) > maxItems {
		return errors.New("fnrOrgnrs has not 1 to 1000 items")
	}
	for _, n := range l.Numbers {
		if !isDigits(n) || len(n) != 9 && len(n) != 11 {
			return errors.New("an item of fnrOrgnrs is neither 9 nor 11 digits")
		}
	}
	return nil
}

// Assumption: the specification does not say how characters are counted, so both ways of counting must agree.
func checkText(text string) error {
	points, units := utf8.RuneCountInString(text), len(utf16.Encode([]rune(text)))
	if points < minText || units > maxText {
		return errors.New("tekst is not 2 to 1600 characters")
	}
	return nil
}

// checkPhone applies the phone number rules 1 to 3.
//
// Assumption: the prefix 00 does not count towards the eight digits, a country code does; spaces are refused.
func checkPhone(phone string) error {
	digits, hasPlus := strings.CutPrefix(phone, "+")
	has00 := false
	if !hasPlus {
		digits, has00 = strings.CutPrefix(phone, "00")
	}
	switch {
	case !isDigits(digits):
		return errors.New("phone number holds something else than digits")
	case len(digits) < minPhone:
		return errors.New("phone number has fewer than eight digits")
	case (hasPlus || has00) && digits[0] == '0':
		return errors.New("phone number has no country code")
	case !hasPlus && !has00 && digits[0] != '4' && digits[0] != '9':
		return errors.New("phone number without country code begins with neither 4 nor 9")
	}
	return nil
}

// international normalizes a number for comparison; a national id stays unique, though not itself.
func international(phone string) string {
	if rest, ok := strings.CutPrefix(phone, "00"); ok {
		return "+" + rest
	}
	if strings.HasPrefix(phone, "+") {
		return phone
	}
	return "+47" + phone
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
