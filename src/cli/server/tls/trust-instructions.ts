import { join } from 'node:path';
import { CA_CERT_FILE } from '../../../storage/data-dir-files.js';
import { CommandError } from '../../errors/exit-codes.js';
import { oneLine, shellQuote } from '../../output/text.js';
import { lookForServer } from '../../target/running-server.js';
import { readCa } from './tls-files.js';

const SAVED_FILE = 'ca.pem';

/**
 * Returns how clients trust the certificate in a file, and its fingerprint. Without a file, `print` is the command that
 * prints the certificate.
 */
export function trustInstructions({ file, sha256, print }: { file: string | null; sha256: string; print: string }) {
  const path = oneLine(shellQuote(file ?? SAVED_FILE));
  const name = oneLine(JSON.stringify(file ?? SAVED_FILE));
  const source =
    file === null
      ? `The certificate of the local CA is in memory. Save it first: ${oneLine(print)} > ${path}`
      : `Certificate of the local CA: ${path}`;
  const variable = file === null ? '' : '"svc dev env" and "svc dev exec" set SVC_CA_FILE to the file. ';
  return `${source}
SHA-256 fingerprint: ${sha256}

${variable}Trust it in one program:

Node.js         NODE_EXTRA_CA_CERTS=${path} node app.js
  nodemailer    createTransport({ …, tls: { ca: readFileSync(${name}) } })
Python          SSL_CERT_FILE=${path} python app.py
  smtplib       smtp.starttls(context=ssl.create_default_context(cafile=${name}))
PHP             php -d openssl.cafile=${path} app.php
  PHPMailer     $mail->SMTPOptions = ['ssl' => ['cafile' => ${name}]];
Go              SSL_CERT_FILE=${path} ./app
Rust            SSL_CERT_FILE=${path} ./app
  lettre        TlsParameters::builder(host).add_root_certificate(Certificate::from_pem(&fs::read(${name})?)?)
Ruby            SSL_CERT_FILE=${path} ruby app.rb
.NET on Linux   SSL_CERT_FILE=${path} dotnet run
Java            keytool -importcert -noprompt -alias svc -file ${path} -keystore svc.p12 -storepass changeit
                java -Djavax.net.ssl.trustStore=svc.p12 -Djavax.net.ssl.trustStorePassword=changeit …
curl            curl --cacert ${path} --ssl-reqd smtp://…
swaks           swaks --tls --tls-verify --tls-ca-path ${path}
msmtp           tls_trust_file ${path}
openssl         openssl s_client -starttls smtp -CAfile ${path} -connect …

Variables such as SSL_CERT_FILE replace the system's CAs in that program. With ca-key.pem in the data directory, a
program can issue certificates for any name, so do not add the CA to the trust store of the system.
`;
}

/** The certificate of a local CA, in PEM, and its file if it has one. */
export interface FoundCa {
  pem: string;
  file: string | null;
}

/**
 * Returns the CA of the running server, or that of the data directory; undefined if neither exists.
 * @throws CommandError when the running server has a certificate of the user.
 */
export async function findCa(dataDir: string): Promise<FoundCa | undefined> {
  const running = (await lookForServer(dataDir))?.server.tls;
  if (running?.ca) return { pem: running.ca, file: running.ca_file };
  if (running) {
    throw new CommandError(
      'The local CA is not in use: the server has the certificate of --tls-cert.',
      'Clients have to trust the issuer of that certificate.',
    );
  }
  const pem = readCa(dataDir);
  return pem === undefined ? undefined : { pem, file: join(dataDir, CA_CERT_FILE) };
}
