package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/caarlos0/env/v11"
)

// settingProblem is a problem of a setting, with its remedy.
type settingProblem struct{ why, cure string }

// settingProblems turns an error of readConfig into one problem for each setting.
func settingProblems(c config, err error) []settingProblem {
	var many env.AggregateError
	if !errors.As(err, &many) {
		if err == nil {
			return nil
		}
		return []settingProblem{described(strings.TrimPrefix(err.Error(), "configuration: "))}
	}
	var list []settingProblem
	for _, one := range many.Errors {
		list = append(list, explained(one))
	}
	if err := c.Files.into(&c); err != nil { // readConfig failed before this step
		list = append(list, described(err.Error()))
	}
	return list
}

// explained describes an error of the library. It never quotes a value that could be a secret.
func explained(err error) settingProblem {
	var missing env.VarIsNotSetError
	var empty env.EmptyVarError
	var parse env.ParseError
	switch {
	case errors.As(err, &missing):
		return described(missing.Key + " is not set")
	case errors.As(err, &empty):
		return described(empty.Key + " is empty")
	case errors.As(err, &parse) && parse.Type == reflect.TypeFor[secretFile]():
		return settingProblem{fmt.Sprintf("%s names a file that cannot be read (%v)", settingOf(reflect.TypeFor[secretFiles](), parse.Name), parse.Err), "Put the file there, and let this user read it"}
	case errors.As(err, &parse):
		return described(settingOf(reflect.TypeFor[config](), parse.Name) + " is not understood: " + parse.Err.Error())
	}
	return described(err.Error())
}

// settingOf is the environment variable of a field.
func settingOf(settings reflect.Type, field string) string {
	f, ok := settings.FieldByName(field)
	if !ok {
		return field
	}
	name, _, _ := strings.Cut(f.Tag.Get("env"), ",")
	return name
}

// described adds the remedy for the setting that the text begins with.
func described(why string) settingProblem {
	name, _, _ := strings.Cut(why, " ")
	switch name {
	case "PUBLIC_URL":
		return settingProblem{why, "Set it to the address that browsers use, such as https://utsending.example.no, without a path"}
	case "DATABASE_URL":
		return settingProblem{why, "Set one of them: postgres://user:password@host:5432/database, or DATABASE_URL_FILE to a file that holds that"}
	case "OIDC_ISSUER":
		return settingProblem{why, "Set it to the issuer of your login provider, exactly as its discovery document has it"}
	case "OIDC_CLIENT_ID":
		return settingProblem{why, "Set it to the client id that your login provider has given this application"}
	}
	return settingProblem{why, "docs/operations.md, under Settings, tells what it may be"}
}
