package site

import "time"

var lookNow = time.Date(2026, 11, 20, 9, 41, 0, 0, time.UTC)
