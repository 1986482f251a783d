import { unwatchFile, watchFile } from 'node:fs';
import type { KeyAndCert } from '../tls/certificates.js';

/** Reads a certificate again when its files change. */

/**
 * How often the files are looked at. Notifications of the file system miss the links with which Kubernetes replaces
 * secrets.
 */
const LOOK_EVERY_MS = 2_000;

export interface CertificateFiles {
  files: readonly string[];
  /** Reads and checks the files. */
  read(): Promise<KeyAndCert>;
  onChange(certificate: KeyAndCert): void;
  /** Called with the reason why changed files cannot be used. The server keeps the certificate that it has. */
  onProblem(reason: string): void;
}

/** Watches the files until the returned function is called. SIGHUP reads them at once. */
export function watchCertificate({ files, read, onChange, onProblem }: CertificateFiles): () => void {
  let last = '';
  const look = () => {
    read().then(
      (certificate) => {
        if (certificate.cert + certificate.key === last) return;
        last = certificate.cert + certificate.key;
        onChange(certificate);
      },
      (error: Error) => onProblem(error.message),
    );
  };
  for (const file of files) watchFile(file, { interval: LOOK_EVERY_MS }, look);
  process.on('SIGHUP', look);
  return () => {
    for (const file of files) unwatchFile(file, look);
    process.off('SIGHUP', look);
  };
}
