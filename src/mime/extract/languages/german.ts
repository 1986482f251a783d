import type { Language } from './language.js';

export const german: Language = {
  code: /codes?\b|(?:sicherheits|einmal|anmelde|zugangs|bestatigungs|prufungs|pruf|verifizierungs|aktivierungs)-?(?:pin|zahl|ziffer|schlussel|kennwort|passwort|nummer)\b|\b(?:m|sms|push)?-?tan\b|\bpin\b/g,
  label:
    /\b(?:rabatt|gutschein|aktions|promo(?:tion)?s?|vorteils|empfehlungs|fehler|bar|qr-?|farb|produkt|artikel|quell|lander|landes|buchungs|reservierungs|sendungs|kunden|bestell|referenz|freunde|einladungs|hinweis|quelltext|programm|abfahrt|versand|tracking|paket|spar|bonus|geschenk|ort|turr?|partner|status|waren|einlose|coupon)-?codes?\b|\b(?:bestell|auftrags?|rechnungs?|kunden|sendungs|paket|ticket|vorgangs?|fall|referenz|buchungs|reservierungs|vertrags?|konto|mitglieds?|telefon|fax|mobil|handy|steuer|serien|artikel|produkt|versions?|belegs?|lieferschein|lieferungs?|tracking|flug|personal|matrikel|kassenzeichen|zahler|seriel|hotline|ruf|haus|umsatzsteuer|ust|transaktions?|versicherungs?|kredit?karten|karten|anfrage|bearbeitungs|depot|aktenzeichen|geschafts|zug|wagen|sitzplatz|meeting|kassen|teilnehmer|kurs|los|gutschein)-?\s?-?(?:nummern?|nr\b|id\b|zeichen\b|kennung)|\b(?:postleitzahl|plz|aktenzeichen|iban|bic|hrb|ust-id\w{0,5}|steuer-?nr|endend auf|endziffern?|letzten (?:vier|4)(?: ziffern)?|endet auf|meeting-?id)\b/g,
  noun: /\b(?:bestellung|rechnung|ticket|vorgang|auftrag|buchung|konto|kunde|kundin|tel|telefon|fax|mobil|handy|nr|nummer|version|seit|jahr|hotline|zimmer|postfach|seite|zeile|artikel|id|anruf|bis|von|ab|am|betrag|summe|gesamt|menge|anzahl|uber|rund|etwa|ca|mehr als|fehler|flug|zug|gleis|gate|sitz|beleg|raum|haus|unter|vom|in|die|der|den|nur|noch|aktuell|alle|unsere)\b/g,
  enter:
    /\b(?:gib|geben|gebe|eingeben|ein(?:zu)?geben|verwende[nt]?|nutze[nt]?|benutze[nt]?|tippe[nt]?|trage|tragen|kopiere[nt]?)\b/g,
  purpose:
    /\banmeld|\beinlogg|\blog-?in\b|\bbestatig|\bverifizier|\bauthentifizier|\bzwei-faktor|\bzweistufig|\b2fa\b|\bgultig\b|\blauft (?:in|nach|um|am)\b|\bzurucksetz|\bfreischalt|\babzuschlie|\bfortzufahren|\bidentitat|\bweiter|\bfreigeb/g,
  booking: /\b(?:buchung|reservierung|hotel|flug|check-in|gaste|nachte|reise|unterkunft|aufenthalt)/,
  verify: /\b(?:bestatig|verifizier|aktivier|freischalt)|\bregistrierung abschlie/,
  reset: /\bzurucksetzen\b/,
  change: /zurucksetz|andern|vergessen|neu|erstell|festleg|wahlen|vergeben|setzen/g,
  password: /\b(?:passwort|kennwort|pin)/g,
  magic: /\b(?:einlogg|anmelde|log-?in|magisch|anmelden$)|\bjetzt anmelden|\bmelde dich an\b/,
  invite:
    /\beinladung|\beingeladen|\b(?:team|arbeitsbereich|workspace|gruppe|projekt|organisation|familie) beitreten|^(?:jetzt )?beitreten$/,
  unsubscribe:
    /\bab(?:zu)?bestell|\bnewsletter.{0,20}abmeld|\babmeld|\bausgetragen|\baustragen|\bkeine (?:weiteren )?(?:e-?mails|nachrichten|newsletter|mails)|\bnicht mehr (?:erhalten|bekommen|empfangen)/,
};
