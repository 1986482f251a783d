import { jsString, pythonString, shellWord } from '../../../components/code/quote.js';

/** Code that verifies the signature of one request. Each prints whether it is valid, except openssl. */

export interface Snippet {
  name: string;
  code: string;
}

export function snippetsFor(payload: string, signature: string): Snippet[] {
  const printBody = `printf %s ${shellWord(payload)}`;
  return [
    {
      name: 'Node.js',
      code: [
        "import { createHmac, timingSafeEqual } from 'node:crypto';",
        '',
        '// In your application: the raw body and the header of the request.',
        `const body = ${jsString(payload)};`,
        `const signature = ${jsString(signature)};`,
        '',
        "const expected = createHmac('sha256', process.env.SVC_WEBHOOK_SECRET).update(body).digest('hex');",
        'const isValid =',
        '  signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));',
        "console.log(isValid ? 'valid' : 'not valid');",
      ].join('\n'),
    },
    {
      name: 'Python',
      code: [
        'import hashlib, hmac, os',
        '',
        '# In your application: the raw body and the header of the request.',
        `body = ${pythonString(payload)}.encode()`,
        `signature = ${pythonString(signature)}`,
        '',
        'expected = hmac.new(os.environ["SVC_WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()',
        'print("valid" if hmac.compare_digest(signature, expected) else "not valid")',
      ].join('\n'),
    },
    {
      name: 'openssl',
      code: [`# Prints ${signature}`, `${printBody} | openssl dgst -sha256 -hmac "$SVC_WEBHOOK_SECRET" -r`].join('\n'),
    },
    { name: 'svc', code: `${printBody} | svc webhooks verify --signature ${shellWord(signature)}` },
  ];
}
