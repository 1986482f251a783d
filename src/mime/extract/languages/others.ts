import type { Language } from './language.js';

const NEVER = /(?!)/g;

/** The most important words of further languages: Swedish, Danish, Norwegian, Finnish, Czech, Turkish and Korean. */
export const others: Language = {
  code: /kod(?:en?|e|er)?\b|koodi(?:si|nne|n)?\b|\bkodu(?:nuz|n|z|muz)?(?:dur)?\b|\bsifre(?:niz|n|si)?(?:dir)?\b|(?:\uc778\uc99d|\ud655\uc778|\ubcf4\uc548|\uc561\uc138\uc2a4) ?(?:\ubc88\ud638|\ucf54\ub4dc)|\ucf54\ub4dc|\ube44\ubc00\ubc88\ud638|\bjednorazove heslo\b|\bengangskod|\bengangskode/g,
  weak: /(?:다음|아래) ?(?:숫자|문자|번호)|(?:숫자|문자)(?:를|을)|\b(?:bu|asagidaki) (?:sayiyi|rakamlari|numarayi)\b|\b(?:dessa|foljande|detta|dette|disse) (?:siffror|nummer|tal|tegn)\b|\bonay numarasi\b/g,
  label:
    /\b(?:rabatt|kampanj|kampagne|rabat|post|produkt|streck|streg|fel|fejl|feil|presentkorts?|gavekort|boknings?|bestillings?|lands?|farge?|qr-?|slevovy|sleva|promosyon|indirim|posta|kupon|kuponki|alennus)[- ]?(?:kod|koodi)(?:en?|e|er|u|i)?\b|\b(?:order|faktura|kund|kunde|arende|sags|saks|boknings|bestillings|paket|pakke|sparnings|sporings|telefon|siparis|fatura|takip|musteri|objednavk|zakaznick|tilaus|lasku)\w{0,4}[ -]?(?:nummer|nr|numaraniz|numarasi|no|cislo|numero)\w{0,3}\b|\bcislo (?:objednavky|faktury|zasilky|zakaznika)|(?:\uc8fc\ubb38|\uc1a1\uc7a5|\uc6b4\uc1a1\uc7a5|\uc608\uc57d|\uace0\uac1d|\uc804\ud654|\uc6b0\ud3b8|\uacc4\uc88c|\ubb38\uc758|\uc811\uc218) ?\ubc88\ud638|\ud560\uc778 ?\ucf54\ub4dc|\ucfe0\ud3f0/g,
  noun: /\b(?:bestallning|bestilling|ordre|arende|telefon|siparis|fatura|objednavka|tilaus)\b/g,
  enter:
    /\b(?:ange|anvand|skriv in|skriv inn|skriv|fyll i|mata in|sla in|tast ind|indtast|brug|bruk|oppgi|tast|syota|kayta|zadejte|pouzijte|girin|kullanin|knappa in|uppge|klistra in|indsaet|vis|opgiv|oplys|tast inn|skriv|nayta|nappaile|opiste|vlozte|vyplnte|sdelte|ukazte|napiste|yazin|yaziniz|tuslayin|soyleyin|gosterin|girin(?:iz)?|kullan(?:in|iniz)?)\b|введіть|вкажіть|назвіть|покажіть|입력|누르|말씀|제시|εισαγετε|(?:\bintroduceti|\btastati|\birja be|\badja meg|\bmasukkan|\bnhap)|\uc785\ub825/g,
  sign: /\b(?:siffrorna|siffror|tecken|tecknen|losenord(?:et)?|nyckel|tallene|cifrene|tegnene|adgangskode|passord|noklen|noegle|numerot|merkit|salasana|cislice|znaky|heslo|klic|rakamlar[i]?|rakami?|sayi(?:yi|lari)?|sifre\w{0,4}|anahtar|cifrele|parola|szamot|szamjegyek|jelszo|angka|kata sandi)\b|цифри|символи|пароль|ключ|숫자|자리|문자|비밀번호|암호|κωδικ|αριθμ/g,
  lead: /\b(?:ar|er|on|je|med|koden|som|tato|tyto|ile|sudur|olarak|adalah|la|este|ez)\b|(?:은|는|이|가|을|를)|це|είναι/g,
  purpose:
    /\blogga in|\blogge? ind|\blogge? inn|\bbekraft|\bbekraeft|\bbekreft|\bverifier|\bgiltig|\bgyldig|\bprihlas|\bover(?:it|te)|\bgiris|\bdogrula|\bvahvist|\bkirjautu|\ub85c\uadf8\uc778|\uc778\uc99d|\uc720\ud6a8|\bny enhet|\bny enhed|\bdu ar du|\bnove zarizeni|\byeni cihaz|\bkirjaut|\baanmeld|вход|підтвер|새 기기|본인|\bautentific|\bconecta|\bbelep|\bmegerosit|\bmasuk\b|\bxac (?:nhan|minh|thuc)|\bdang nhap|επιβεβαι|συνδε/g,
  booking: NEVER,
  verify:
    /\bbekraft|\bbekraft|\bbekreft|\bverifiera|\baktivera|\baktiver\b|\bdogrula|\bonayla|\boverit|\bpotvrdit|\bvahvista|\uc774\uba54\uc77c ?(?:\uc778\uc99d|\ud655\uc778)|\uc778\uc99d\ud558\uae30/,
  reset: /\bobnovit heslo|\bnove heslo|\bvaihda salasana/,
  change: /\b(?:aterstall|nulstil|tilbakestill|byt|skift|nytt|nyt|sifirla|yenile|degistir)|재설정|변경/g,
  password: /\b(?:losenord|adgangskode|passord|kodeord|sifre)|비밀번호/g,
  magic: /\blogga in\b|\blog ind\b|\blogg inn\b|\bgiris yap|\bprihlasit|\bkirjaudu|\ub85c\uadf8\uc778/,
  invite: /\binbjud|\bacceptera inbjudan|\binvitation|\binvitasjon|\bdavet|\bpozvan|\bkutsu|\ucd08\ub300/,
  unsubscribe:
    /\bavsluta prenumeration|\bavprenumerera|\bavregistrera|\bafmeld|\bavmeld|\babonelikten|\babonelikten cik|\bodhlasit|\bperuuta tilaus|\uc218\uc2e0 ?\uac70\ubd80|\uad6c\ub3c5 ?\ucde8\uc18c/,
};
