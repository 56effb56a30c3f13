// Package site holds the pages that belong to no account: login, the front page, help, the dictionary.
package site
