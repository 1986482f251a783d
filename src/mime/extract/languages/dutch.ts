import type { Language } from './language.js';

export const dutch: Language = {
  code: /\bgeheim(?:e)? (?:nummer|getal)\b|\b(?:eenmalige?|tijdelijke?) (?:sleutel|toegangssleutel|wachtzin)\b|(?:verificatie|bevestigings|beveiligings|inlog|toegangs|eenmalige |activatie|herstel|controle|tan|pin|sms)-?codes?\b|\bcodes?\b|\beenmalig wachtwoord\b|\b(?:tijdelijke?|eenmalige?|voorlopige?) wachtwoord\b|\bpin\b|\botp\b|(?:afhaal|ophaal|aflever|log-?in|login|aanmeld|autorisatie|herstel|back-?up)-?codes?\b/g,
  weak: /\b(?:deur|uitnodigings)-?codes?\b|(?:nummer|getal|cijfers|letters|tekens|cijferreeks|wachtwoord)(?<=\b(?:dit|deze|het|de|volgende|onderstaande) (?:[a-z-]{1,14} )?(?:nummer|getal|cijfers|letters|tekens|cijferreeks|wachtwoord))\b/g,
  label:
    /\bcode (?:van (?:de |het )?)?(?:sleutelkluis|sleutelkastje|kluis(?:je)?|slagboom|poort|voordeur|deur|garage|alarm)\b|\b(?:sleutelkluis|sleutelkastje|kluis|slagboom|poort|deur|garage|alarm|kortings|actie|promo|cadeau|vouchers?|post|bar|streepjes|qr-?|fout|product|artikel|lande?n?|boekings|reserverings|volg|klant|bestel|waarde|kleur|bron)-?codes?\b|\b(?:bestel|order|factuur|klant|ticket|zaak|referentie|boekings|reserverings|volg|track|telefoon|contract|rekening|lidmaatschaps|serie|artikel|pakket|zendings|vlucht|polis|dossier|kvk|btw|meldings|versie)-?\s?(?:nummers?|nr\b|id\b|kenmerk)|\b(?:postcode|kvk|btw|iban|bic|eindigend op|laatste (?:vier|4) cijfers|klantenservice)\b/g,
  noun: /\b(?:bestelling|factuur|ticket|zaak|boeking|rekening|klant|tel|telefoon|fax|mobiel|nr|nummer|versie|sinds|jaar|kamer|pagina|regel|artikel|id|bel|totaal|bedrag|saldo|aantal|vlucht|trein|meer dan|ongeveer|ruim|van|tot|vanaf|in|fout|de|het|onze|en)\b/g,
  enter:
    /\b(?:voer|vul|invoeren|gebruik|typ|kopieer|plak|geef|toon|laat|noem|intypen|invul|invullen|overtypen|toets|tik|tikken|typen|neem|neemt|overnemen|overnem|zet|toets|toetsen|kies|schrijf|meld|zeg|lees|noteer|dicteer|druk|kopieren|plakken|vertel|doorgeven|geven|invoer|tonen|laten zien|stel)\b/g,
  sign: /\b(?:cijfers|letters|tekens|cijferreeks|tekenreeks|reeks|combinatie|sleutel|wachtwoord|wachtwoordzin|wachtzin|toegangswoord|kenwoord|token|geheim)\b/g,
  lead: /\b(?:daarna|vervolgens)\b|\b(?:is|zijn|luidt|met|als|hier|volgende|onderstaande|dan|even|dit|scherm|app)\b/g,
  purpose:
    /\binlogg|\bin te loggen|\baanmeld|\bverifi|\bbevestig|\bauthenticatie|\btweestaps|\bverloopt|\bgeldig|\bopnieuw in te stellen|\bactive(?:er|ren)|\bdeel .{0,20}met niemand|\bvoltooien|\binloggen|\binlog|\blog in\b|\beenmalig|\bidentiteit|\b(?:jij|u) het bent|\bautoris|\bgoedkeur|\bgoed te keuren|\bafronden|\bophalen|\bafhalen|\bbezorger|\bregistr|\bontgrendel|\bmaak .{0,30}af\b|\bvervalt|\bte bevestigen|\bkoppelen|\bnieuw apparaat|\bnieuwe apparaat|\bben jij (?:dit|dat|het)|\bbent u (?:dit|dat|het)|\bwas jij|\bophaal|\bpakje op|\bkluisje|\bgeldautomaat|\bondertekenen|\bnieuw wachtwoord|\been(?:malig)? keer\b|\bversleuteld/g,
  booking: /\b(?:boeking|reservering|hotel|vlucht|gasten|nachten|verblijf)\b/g,
  verify: /\b(?:bevestig|verifieer|activeer)/,
  reset: /\breset (?:je|uw) wachtwoord/,
  change: /\b(?:reset|herstel|wijzig|vergeten|instellen|kiez|nieuw|stel\b)/g,
  password: /\bwachtwoord/g,
  magic: /\b(?:inloggen|log (?:direct |nu )?in|aanmelden|magische link|inloglink)\b/,
  invite: /\buitnodiging|\buitgenodigd|\bword lid van|\bdeelnemen aan (?:het )?team/,
  unsubscribe:
    /\bik wil geen\b|\buitschrijv|\bafmeld|\bschrijf .{0,20}uit\b|\bmeld .{0,20}af\b|\bgeen (?:e-?mails?|nieuwsbrie\w{1,3}) meer|\bniet (?:meer|langer) (?:wilt )?ontvangen/,
};
