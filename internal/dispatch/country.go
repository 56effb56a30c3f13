package dispatch

import (
	"strings"
	"sync"
)

// CountryCode returns the two-letter code (ISO 3166-1) of a country as typed: its name in bokmål, nynorsk or English, or
// the code itself. Empty is Norway. False: it is not known.
func CountryCode(typed string) (string, bool) {
	name := strings.ToLower(strings.TrimSpace(typed))
	if name == "" {
		return "NO", true
	}
	code, ok := countryCodes()[name]
	return code, ok
}

// countryCodes are the codes by name and by code, in lower case. A name that would be another country's code is none.
var countryCodes = sync.OnceValue(func() map[string]string {
	codes := map[string]string{}
	for line := range strings.Lines(countries) {
		code, names, _ := strings.Cut(strings.TrimSpace(line), " ")
		for name := range strings.SplitSeq(names, "|") {
			codes[strings.ToLower(name)] = code
		}
	}
	for line := range strings.Lines(countries) {
		codes[strings.ToLower(line[:2])] = line[:2]
	}
	return codes
})

// countries are the codes with the names of CLDR, and some that people write besides.
const countries = `AD Andorra
AE De forente arabiske emirater|Dei sameinte arabiske emirata|United Arab Emirates
AF Afghanistan
AG Antigua og Barbuda|Antigua & Barbuda
AI Anguilla
AL Albania
AM Armenia
AO Angola
AQ Antarktis|Antarctica
AR Argentina
AS Amerikansk Samoa|American Samoa
AT Østerrike|Austerrike|Austria
AU Australia
AW Aruba
AX Åland|Åland Islands
AZ Aserbajdsjan|Azerbaijan
BA Bosnia-Hercegovina|Bosnia & Herzegovina
BB Barbados
BD Bangladesh
BE Belgia|Belgium
BF Burkina Faso
BG Bulgaria
BH Bahrain
BI Burundi
BJ Benin
BL Saint-Barthélemy|St. Barthélemy
BM Bermuda
BN Brunei
BO Bolivia
BQ Karibisk Nederland|Caribbean Netherlands
BR Brasil|Brazil
BS Bahamas
BT Bhutan
BV Bouvetøya|Bouvet Island
BW Botswana
BY Belarus|Hviterussland
BZ Belize
CA Canada
CC Kokosøyene|Kokosøyane|Cocos (Keeling) Islands
CD Kongo|Kongo-Kinshasa|Congo - Kinshasa|DR Kongo
CF Den sentralafrikanske republikk|Den sentralafrikanske republikken|Central African Republic
CG Kongo-Brazzaville|Congo - Brazzaville
CH Sveits|Switzerland
CI Elfenbenskysten|Elfenbeinskysten|Côte d’Ivoire
CK Cookøyene|Cookøyane|Cook Islands
CL Chile
CM Kamerun|Cameroon
CN Kina|China|Folkerepublikken Kina
CO Colombia
CR Costa Rica
CU Cuba
CV Kapp Verde|Cape Verde
CW Curaçao
CX Christmasøya|Christmas Island
CY Kypros|Cyprus
CZ Tsjekkia|Czechia|Den tsjekkiske republikk
DE Tyskland|Germany|Deutschland
DJ Djibouti
DK Danmark|Denmark
DM Dominica
DO Den dominikanske republikk|Den dominikanske republikken|Dominican Republic
DZ Algerie|Algeria
EC Ecuador
EE Estland|Estonia
EG Egypt
EH Vest-Sahara|Western Sahara
ER Eritrea
ES Spania|Spain|España
ET Etiopia|Ethiopia
FI Finland
FJ Fiji
FK Falklandsøyene|Falklandsøyane|Falkland Islands
FM Mikronesiaføderasjonen|Micronesia
FO Færøyene|Færøyane|Faroe Islands
FR Frankrike|France
GA Gabon
GB Storbritannia|United Kingdom|England|Skottland|Wales|UK
GD Grenada
GE Georgia
GF Fransk Guyana|French Guiana
GG Guernsey
GH Ghana
GI Gibraltar
GL Grønland|Greenland
GM Gambia
GN Guinea
GP Guadeloupe
GQ Ekvatorial-Guinea|Equatorial Guinea
GR Hellas|Greece
GS Sør-Georgia og Sør-Sandwichøyene|Sør-Georgia og Sør-Sandwichøyane|South Georgia & South Sandwich Islands
GT Guatemala
GU Guam
GW Guinea-Bissau
GY Guyana
HK Hongkong SAR Kina|Hong Kong SAR China|Hongkong
HM Heard- og McDonaldøyene|Heardøya og McDonaldøyane|Heard & McDonald Islands
HN Honduras
HR Kroatia|Croatia
HT Haiti
HU Ungarn|Hungary
ID Indonesia
IE Irland|Ireland
IL Israel
IM Man|Isle of Man
IN India
IO Det britiske territoriet i Indiahavet|British Indian Ocean Territory
IQ Irak|Iraq
IR Iran
IS Island|Iceland
IT Italia|Italy
JE Jersey
JM Jamaica
JO Jordan
JP Japan
KE Kenya
KG Kirgisistan|Kyrgyzstan
KH Kambodsja|Cambodia
KI Kiribati
KM Komorene|Komorane|Comoros
KN Saint Kitts og Nevis|St. Kitts & Nevis
KP Nord-Korea|North Korea
KR Sør-Korea|South Korea|Korea
KW Kuwait
KY Caymanøyene|Caymanøyane|Cayman Islands
KZ Kasakhstan|Kazakhstan
LA Laos
LB Libanon|Lebanon
LC St. Lucia
LI Liechtenstein
LK Sri Lanka
LR Liberia
LS Lesotho
LT Litauen|Lithuania
LU Luxemburg|Luxembourg
LV Latvia
LY Libya
MA Marokko|Morocco
MC Monaco
MD Moldova
ME Montenegro
MF Saint-Martin|St. Martin
MG Madagaskar|Madagascar
MH Marshalløyene|Marshalløyane|Marshall Islands
MK Nord-Makedonia|North Macedonia|Makedonia
ML Mali
MM Myanmar (Burma)
MN Mongolia
MO Macao SAR Kina|Macao SAR China|Macao
MP Nord-Marianene|Nord-Marianane|Northern Mariana Islands
MQ Martinique
MR Mauritania
MS Montserrat
MT Malta
MU Mauritius
MV Maldivene|Maldivane|Maldives
MW Malawi
MX Mexico
MY Malaysia
MZ Mosambik|Mozambique
NA Namibia
NC Ny-Caledonia|New Caledonia
NE Niger
NF Norfolkøya|Norfolk Island
NG Nigeria
NI Nicaragua
NL Nederland|Netherlands|Holland
NO Norge|Noreg|Norway|Norga
NP Nepal
NR Nauru
NU Niue
NZ New Zealand
OM Oman
PA Panama
PE Peru
PF Fransk Polynesia|French Polynesia
PG Papua Ny-Guinea|Papua New Guinea
PH Filippinene|Filippinane|Philippines
PK Pakistan
PL Polen|Poland
PM Saint-Pierre-et-Miquelon|St. Pierre & Miquelon
PN Pitcairnøyene|Pitcairn|Pitcairn Islands
PR Puerto Rico
PS Det palestinske området|Palestinian Territories|Palestina
PT Portugal
PW Palau
PY Paraguay
QA Qatar
RE Réunion
RO Romania
RS Serbia
RU Russland|Russia
RW Rwanda
SA Saudi-Arabia|Saudi Arabia
SB Salomonøyene|Salomonøyane|Solomon Islands
SC Seychellene|Seychellane|Seychelles
SD Sudan
SE Sverige|Sweden
SG Singapore
SH St. Helena|Saint Helena
SI Slovenia
SJ Svalbard og Jan Mayen|Svalbard & Jan Mayen
SK Slovakia
SL Sierra Leone
SM San Marino
SN Senegal
SO Somalia
SR Surinam|Suriname
SS Sør-Sudan|South Sudan
ST São Tomé og Príncipe|São Tomé & Príncipe
SV El Salvador
SX Sint Maarten
SY Syria
SZ Eswatini|Swaziland
TC Turks- og Caicosøyene|Turks- og Caicosøyane|Turks & Caicos Islands
TD Tsjad|Chad
TF De franske sørterritorier|Dei franske sørterritoria|French Southern Territories
TG Togo
TH Thailand
TJ Tadsjikistan|Tajikistan
TK Tokelau
TL Øst-Timor|Aust-Timor|Timor-Leste
TM Turkmenistan
TN Tunisia
TO Tonga
TR Tyrkia|Türkiye
TT Trinidad og Tobago|Trinidad & Tobago
TV Tuvalu
TW Taiwan
TZ Tanzania
UA Ukraina|Ukraine
UG Uganda
UM USAs ytre øyer|USAs ytre småøyar|U.S. Outlying Islands
US USA|United States|De forente stater
UY Uruguay
UZ Usbekistan|Uzbekistan
VA Vatikanstaten|Vatican City
VC St. Vincent og Grenadinene|St. Vincent og Grenadinane|St. Vincent & Grenadines
VE Venezuela
VG De britiske jomfruøyene|Dei britiske Jomfruøyane|British Virgin Islands
VI De amerikanske jomfruøyene|Dei amerikanske Jomfruøyane|U.S. Virgin Islands
VN Vietnam
VU Vanuatu
WF Wallis og Futuna|Wallis & Futuna
WS Samoa
YE Jemen|Yemen
YT Mayotte
ZA Sør-Afrika|South Africa
ZM Zambia
ZW Zimbabwe`
