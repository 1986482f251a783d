import type { Language } from './language.js';

export const polish: Language = {
  code: /\btajny (?:numer|kod)\b|\bkod(?:u|em|y|ow|zie)?\b|\bhaslo (?:jednorazowe|tymczasowe|sms)\b|\bpin(?:u|em)?\b|\btoken(?:a|u|em)?\b|\botp\b/g,
  weak: /\bkod(?:u|em|y)? (?:autoryzacji|wejscia|zaproszenia)\b|(?:numer|liczb\w|cyfr\w?|znaki|liter\w?|ciag|haslo)(?<=\b(?:ten|te|ta|tych|nastepujac\w{1,3}|ponizsz\w{1,4}|tym) (?:\w{1,14} )?(?:numer|liczb\w|cyfr\w?|znaki|liter\w?|ciag|haslo))\b/g,
  label:
    /\bkod(?:u|em|y)? (?:do (?:bramy|domofonu|drzwi|skrytki|sejfu|furtki|szlabanu|alarmu)|rabatow\w{1,4}|promocyjn\w{1,4}|znizkow\w{1,4}|pocztow\w{1,4}|qr|kreskow\w{1,4}|bledu|produktu|kraju|swift|bic|polecajac\w{1,4}|rezerwacji|klienta|zamowienia|przesylki|kuponu|zrodlow\w{1,4})\b|\b(?:numer(?:u|em|y)?|nr|id)\.? ?(?:twojego |zamowieni|zamowienia|faktury|paczki|przesylki|klienta|zgloszenia|rezerwacji|lotu|telefonu|umowy|konta|seryjny|karty|transakcji|polisy|sledzenia|sprawy|listu|rachunku|referencyjny|czlonkowski|spotkania|biletu|wniosku|potwierdzenia)\w{0,3}\b|\b(?:nip|regon|krs|pesel|iban|bic|konczac\w{1,3} sie|ostatnie (?:cztery|4) cyfry|infolini\w{1,2})\b/g,
  noun: /\b(?:zamowienie|zamowienia|faktura|faktury|zgloszenie|zgloszenia|rezerwacja|konto|klient|tel|telefon|faks|kom|nr|numer|wersja|od|rok|roku|pokoj|strona|wiersz|artykul|id|zadzwon|kwota|suma|saldo|ilosc|lot|pociag|wagon|miejsce|paczka|sprawa|ponad|okolo|do|w|z|blad|ok|nasze|i)\b/g,
  enter:
    /\b(?:wpisz|wprowadz|podaj|uzyj|wpisac|wprowadzic|skopiuj|przepisz|wklej|okaz|pokaz|przekaz|wpisujac|podajac|wprowadzic|uzyc|wstuka\w{1,3}|wpisuj\w{0,3}|wpisz\w{0,3}|nacisnij|wybierz|wklep\w{0,3}|przepisac|przepisuj\w{0,2}|podac|pokazac|podyktuj|dyktuj|powiedz|odczytaj|wklejaj|wkleic|skopiowac|okazac|napisz|wystuka\w{1,2}|uzywa\w{1,2}|uzyj\w{0,3}|przekazac|wbij)\b/g,
  sign: /\b(?:cyfr[yaei]?|cyframi|znaki|znakow|liter[ya]?|ciag|kombinacj[ae]|klucz(?:em|a)?|haslo|haslem|fraza|token|sekret|szyfr)\b/g,
  lead: /\b(?:potem|nastepnie)\b|\b(?:to|jest|brzmi|z|jako|tutaj|tu|nastepujac\w{1,3}|ponizsz\w{1,3}|nim|niej|po prostu|ekranie)\b/g,
  purpose:
    /\bzalogow|\blogowani|\bzaloguj|\bweryfik|\bzweryfik|\bpotwierd|\buwierzyteln|\bdwuetapow|\bdwuskladnikow|\bwygas|\bwazny\b|\bzresetow|\baktywow|\baktywuj|\bautoryz|\bnie udostepniaj|\bkontynuow|\bdokoncz|\bodbior|\bodbierz|\bodebrac|\btozsamosc|\bto ty\b|\bzatwierdz|\bkurier|\bodzysk|\brejestrac|\bzarejestr|\bodblok|\bjednorazow|\bwazn[yea]|\bparowan|\bnowe urzadzenie|\bnowego urzadzenia|\bczy to ty|\bjesli to ty\b|\bto pan|\bpaczkomat|\bskrytk|\bbankomat|\bwyplat|\bpodpis|\bnowe haslo|\bzmian[ay] hasl|\bjeden raz|\bzaszyfrowan/g,
  booking: /\b(?:rezerwacj\w{1,3}|hotel\w{0,2}|lotu|gosci|noclegi?|pobyt\w{0,2}|odprawa)\b/g,
  verify: /\b(?:potwierdz|zweryfikuj|aktywuj|weryfikuj)/,
  reset: /\breset(?:owanie|u)? hasla\b/,
  change: /\b(?:zresetuj|zmien|nowe|ustaw|utworz|odzyskaj|przypomnij|resetuj|zapomnia)/g,
  password: /\bhasl[oa]\b/g,
  magic: /\b(?:zaloguj|logowanie|logowania|magiczny link)/,
  invite: /\bzaproszeni|\bzaprosz|\bdolacz (?:do|teraz)|^dolacz/,
  unsubscribe:
    /\bwypisz|\bwypisa|\banuluj (?:subskrypcj|prenumerat)|\brezygn\w{1,8} z (?:subskrypcji|newslettera|otrzymywania)|\bzrezygn|\bnie chcesz (?:juz |dluzej )?otrzymywac/,
};
