import { describe, expect, it } from 'vitest';
import { extract } from '../../../src/mime/extract/extract.js';

const codesOf = (subject: string, text: string) =>
  extract({ subject, html: '', text, head: null }).codes.map(({ value }) => value);

describe('one-time codes in further languages', () => {
  it.each([
    ['Arabic', 'رمز الدخول إلى حسابك هو 604118. لا تشاركه مع أحد.', 'رقم الطلب: 604118'],
    ['Persian', 'کد تایید شما ۶۰۴۱۱۸ است.', 'شماره سفارش: ۶۰۴۱۱۸'],
    ['Hebrew', 'קוד הכניסה שלך: 604118', 'מספר הזמנה: 604118'],
    ['Hindi', 'आपका सत्यापन कोड ६०४११८ है।', 'ऑर्डर संख्या: ६०४११८'],
    ['Thai', 'รหัส OTP ของคุณคือ ๖๐๔๑๑๘', 'หมายเลขการจอง ๖๐๔๑๑๘'],
    ['Vietnamese', 'Mã xác minh của bạn là 604118.', 'Mã đơn hàng: 604118'],
    ['Czech', 'Přihlašovací kód: 604118', 'Číslo objednávky: 604118'],
    ['Greek', 'Ο κωδικός σύνδεσης είναι 604118', 'Αριθμός παραγγελίας: 604118'],
    ['Hungarian', 'A bejelentkezési kód: 604118', 'Rendelésszám: 604118'],
    ['Slovak', 'Váš prihlasovací kód je 604118', 'Číslo objednávky: 604118'],
    ['Slovenian', 'Koda za prijavo je 604118', 'Številka naročila: 604118'],
    ['Croatian', 'Vaš kod za prijavu je 604118', 'Broj narudžbe: 604118'],
    ['Bulgarian', 'Кодът за вход е 604118', 'Номер на поръчка: 604118'],
    ['Lithuanian', 'Prisijungimo kodas: 604118', 'Užsakymo numeris: 604118'],
    ['Latvian', 'Pieteikšanās kods ir 604118', 'Pasūtījuma numurs: 604118'],
    ['Estonian', 'Sisselogimise kood on 604118', 'Tellimuse number: 604118'],
    ['Malay', 'Kod keselamatan anda ialah 604118', 'Nombor pesanan: 604118'],
    ['Tamil', 'உங்கள் உள்நுழைவு குறியீடு ௬௦௪௧௧௮', 'ஆர்டர் எண்: ௬௦௪௧௧௮'],
    ['Bengali', 'আপনার লগইন কোড ৬০৪১১৮', 'অর্ডার নম্বর: ৬০৪১১৮'],
    ['Swahili', 'Msimbo wako wa kuingia ni 604118', 'Nambari ya oda: 604118'],
  ])('finds a code in %s, and no number of an order', (_, code, order) => {
    expect(codesOf('', code)).toEqual(['604118']);
    expect(codesOf('', order)).toEqual([]);
  });

  it('shows the context of digits of another script in ASCII', () => {
    const [code] = extract({ subject: '', html: '', text: 'رمز التحقق: ٤٨١٩٢٠', head: null }).codes;
    expect(code).toMatchObject({ value: '481920', context: 'رمز التحقق: 481920' });
  });

  it('finds a code next to vowel signs and in decomposed letters', () => {
    expect(codesOf('', 'رَمْزُ التَّحَقُّق: 481920')).toEqual(['481920']);
    expect(codesOf('', 'Váš ověřovací kód je 481920'.normalize('NFD'))).toEqual(['481920']);
  });
});

describe('links of texts and apps', () => {
  const linksOf = (text: string, html = '') =>
    extract({ subject: '', html, text, head: null }).links.map(({ href, kind }) => ({ href, kind }));

  it.each([
    ['two lines', 'Reset: <https://app.example.test/reset?token=abcdefghijklm\nnopqr>'],
    ['lines with blanks', 'Reset: <https://app.example.test/reset?token=abcd \n  efghijklm\r\n nopqr> now'],
    ['a prefix', 'Reset: <URL:https://app.example.test/reset\n?token=abcdefghijklmnopqr>.'],
  ])('joins a link in angle brackets over %s', (_, text) => {
    expect(linksOf(text)).toEqual([{ href: 'https://app.example.test/reset?token=abcdefghijklmnopqr', kind: 'reset' }]);
  });

  it('ends a link at the line if its bracket is never closed, or words follow', () => {
    expect(linksOf('<https://a.test/one\ntwo three>')).toEqual([{ href: 'https://a.test/one', kind: 'other' }]);
    expect(linksOf('<https://a.test/one\n\ntwo')).toEqual([{ href: 'https://a.test/one', kind: 'other' }]);
  });

  it('lists links of apps with their kind', () => {
    const link = { href: 'myapp://reset?token=abc', kind: 'reset' };
    expect(linksOf('', '<a href="myapp://reset?token=abc">Reset</a>')).toEqual([link]);
    expect(linksOf('', '<a href="myapp://reset?token=abc">Open</a>')).toEqual([link]);
    expect(linksOf('Reset your password: myapp://reset?token=abc.')).toEqual([link]);
    expect(linksOf('com.example.app://verify/8f2k1m9s')).toEqual([
      { href: 'com.example.app://verify/8f2k1m9s', kind: 'verify' },
    ]);
  });

  it.each([
    'javascript://x%0aalert(1)',
    'data://text/html,x',
    'file:///etc/passwd',
    'vbscript://x',
    'mailto://a@b.test',
  ])('does not list %s', (href) => {
    expect(linksOf(href, `<a href="${href}">Reset</a>`)).toEqual([]);
  });

  it('does not list addresses of servers in a text', () => {
    expect(linksOf('DATABASE_URL=postgres://app:secret@db.test/app and redis://cache.test')).toEqual([]);
  });
});
