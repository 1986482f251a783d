import type { Language } from './language.js';

export const italian: Language = {
  code: /\bnumero segreto\b|\bparola d'(?:ordine|accesso)\b|\bcodic[ei]\b|\bpassword (?:monouso|temporanea|usa e getta)\b|\bpin\b|\botp\b|\btoken\b|\bnumero di (?:verifica|sicurezza)\b|\bchiave (?:di accesso|temporanea)\b/g,
  weak: /\b(?:usa|utilizza|con) il codice\b|\bcodic[ei] (?:di |del |della |per il )(?!(?:verifica|sicurezza|conferma|accesso|validazione|attivazione|autenticazione|identificazione|recupero|backup|consegna|ritiro|sblocco|reimpostazione|registrazione|firma|pagamento|riserva|emergenza|quattro|sei|abbinamento|operazione|transazione|login))[a-z]{3,20}\b|\bcodic[ei] (?:di autorizzazione|autorizzazione|di ingresso|invito|d'invito)\b|(?:numer[oi]|cifre|lettere|caratteri|combinazione|sequenza)(?<=\b(?:questo|questa|queste|questi|seguent[ei]|il|lo|la|le|i) (?:[a-z-]{1,14} )?(?:numer[oi]|cifre|lettere|caratteri|combinazione|sequenza))\b(?! d(?:i|el|ella|e|ell)\b)/g,
  label:
    /\bcodic[ei] (?:(?:della |del |di |dell')?(?:cassetta(?: delle chiavi)?|cancello|portone|garage|allarme|cassaforte)|promozionale|promo|sconto|coupon|fiscale|postale|di (?:prenotazione|tracciamento|tracking|sconto|avviamento|errore|spedizione|riferimento)|prenotazione|a barre|qr|prodotto|articolo|cliente|amico|regalo|ordine|errore|swift|bic|sorgente|colore|invito amico|univoco|sdi|destinatario|ateco|biglietto|viaggio|pratica|spedizione|contratto|pnr|iban|tributo|univoco)\b|\b(?:numero|num|n°|nº|nr|n|riferimento|rif|id)\.? ?(?:di |del |dell'|della |d')?(?:tuo |suo )?(?:ordine|fattura|spedizione|tracciamento|tracking|cliente|ticket|pratica|prenotazione|volo|telefono|contratto|conto|serie|tessera|carta|transazione|polizza|pacco|richiesta|segnalazione|lotto|riunione|conferma|ricevuta|caso|colli)\b|\b(?:partita iva|p\.? ?iva|c\.? ?f\.|iban|bic|che termina con|terminante con|ultime (?:quattro|4) cifre|numero verde|servizio clienti|pnr)\b/g,
  noun: /\b(?:ordine|fattura|ticket|pratica|prenotazione|conto|cliente|tel|telefono|fax|cellulare|cell|nr|num|numero|rif|riferimento|versione|dal|anno|camera|pagina|riga|articolo|id|chiama|cap|totale|importo|saldo|quantita|volo|treno|carrozza|posto|spedizione|caso|piu di|circa|oltre|di|del|il|in|fino|errore|i|le|nostri|e)\b/g,
  enter:
    /\b(?:inserisci(?:lo)?|inserire|inserisca|digita|usa|utilizza|usare|immetti|copia|incolla|immettere|digitare|digiti|utilizzi|usi|scrivi|scriva|comunica|fornisci|mostra|mostri|riporta|riportare|inserendo|presenta|dai|scrivere|scrivendo|componi|comporre|componga|detta|dettare|detti|leggi|dille|digli|dirgli|comunicare|ricopia|ricopiare|trascrivi|trascrivere|premi|immetta|incollare|copiare|mostrare|riferisci|compila|riferire|batti|incolli|copi|tocca|basta)\b/g,
  sign: /\b(?:cifr[ae]|numeri|lettere|caratteri|combinazione|sequenza|serie|chiave|parola (?:d'ordine|chiave|segreta)|frase segreta|password|token|segreto|gettone)\b/g,
  lead: /\bpoi\b|\b(?:e|sono|sara|con|come|seguente|seguenti|questo|questa|qui|ecco|cosi|scrivere|a)\b/g,
  purpose:
    /\baccedere\b|\baccesso\b|\blogin\b|\bverific|\bconferm|\bautentic|\bdue (?:fattori|passaggi)\b|\bscade|\bscadra|\bvalid[oa]\b|\breimpost|\bripristin|\battiv(?:a|are)\b|\bnon (?:condivider|comunicar)|\bcontinuare\b|\bcompletare\b|\bmonouso\b|\bidentita\b|\bsei tu\b|\bautorizz|\bapprov|\bterminare\b|\bcompleta\b|\britir(?:o|are|alo)\b|\bcorriere\b|\brecuper|\bregistra|\bsblocc|\baccedi\b|\bentrare\b|\babbin|\bnuovo dispositivo|\bsei stato tu|\be stato lei|\barmadietto|\blocker|\bsportello|\bprelievo|\bprelevare|\bfirmare\b|\bnuova password|\buna sola volta|\bentra (?:in|nel)\b|\bprotetto\b|\bcifrato\b|\bbonifico/g,
  booking: /\b(?:prenotazione|hotel|volo|ospiti|notti|soggiorno|imbarco|itinerario)\b/g,
  verify: /\b(?:verific|conferm|convalid|attiv)(?:a|are|i|o)\b/,
  reset: /\breimposta\b/,
  change: /\b(?:reimpost|cambi|nuova|crea|recuper|dimentic|modific|impost|ripristin|scegli)/g,
  password: /\bpassword\b/g,
  magic: /\b(?:accedi|accedere|entra|link magico|link di accesso|accesso rapido)\b/,
  invite: /\binvito\b|\binvitat|\bunisciti (?:al|alla|a)\b|^unisciti/,
  unsubscribe:
    /\bnon (?:voglio|desidero) (?:piu )?ricevere|\bnon ricevere piu\b|\bdisiscri|\bcancella (?:la )?(?:tua )?iscrizione|\bcancella(?:ti|rsi|rti)\b|\bannulla (?:la )?(?:tua )?iscrizione|\bnon (?:desideri|vuoi) (?:piu )?ricevere|\bpiu ricevere\b/,
};
