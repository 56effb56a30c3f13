/** All modules are progressive enhancement: each finds its own data-* attributes, and the page works without it. */
import { copyButtons } from './kopier';
import { autosave } from './lagring';
import { live } from './live';
import { countdowns } from './nedtelling';
import { choices } from './valg';
import { documentOrder } from './rekkefolge';
import { fieldChecks } from './sjekk';
import { giroPages } from './giro';
import { pictures } from './bilder';
import { postalPlaces } from './poststed';
import { composers } from './sms';
import { trials } from './prov';
import { session } from './okt';
import { dropZones } from './slipp';
import { submitOnce } from './send';
import { templates } from './mal';
import { insertions } from './settinn';
import { unsaved } from './ulagret';
import { uploads } from './opplasting';
import { selections } from './utvalg';
import { keys } from './tastatur';
import { printButtons } from './utskrift';

document.documentElement.dataset.js = '';
(document.querySelector<HTMLElement>('.ds-error-summary') ?? document.querySelector<HTMLElement>('[data-fokus]'))?.focus();

live(); // First, since it remembers fragments as the server rendered them.
copyButtons();
countdowns();
choices();
documentOrder();
dropZones();
fieldChecks();
giroPages();
pictures();
postalPlaces();
selections();
keys();
printButtons();
composers();
insertions();
trials(); // Before submitOnce, which ignores submits that are prevented here.
session(); // Before submitOnce too: it prevents the submit of its own form.
autosave(); // Before submitOnce too: a submit waits for a running save.
submitOnce();
templates();
uploads(); // Before unsaved, which ignores submits that are prevented here.
unsaved();
