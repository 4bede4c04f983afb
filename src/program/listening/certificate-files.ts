import { readFileSync, statSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { CertificateFiles } from './options.ts'

/** A certificate chain and its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Keeps a certificate current. */
export interface Watch {
  /** Looks immediately whether a new certificate was obtained. */
  look(): void
  stop(): void
}

/** How often to look whether the files have changed, in milliseconds. */
const interval = 10_000

/**
 * Reads a certificate, and again whenever one of its files changes. If the new files cannot be
 * used, for example because only one of them has been replaced yet, this is logged, and the earlier
 * certificate stays.
 *
 * @throws CertificateRefused the first certificate cannot be used
 */
export function watchCertificate(
  files: CertificateFiles,
  { clock, log }: { readonly clock: Clock; readonly log: Logger },
  use: (certificate: Certificate) => void,
): Watch {
  const first = readCertificate(files)
  let seen = stateOf(files)
  use(first)

  function look(): void {
    stop()
    stop = clock.after(interval, look)
    try {
      const state = stateOf(files)
      if (state === seen) return
      seen = state
      use(readCertificate(files))
      log.info({ file: files.certFile }, 'the certificate was replaced')
    } catch (error) {
      log.error({ file: files.certFile, err: error }, 'the new certificate cannot be used')
    }
  }

  let stop = clock.after(interval, look)
  return { look, stop: () => stop() }
}

/** A certificate that cannot be used. The message is for the operator. */
export class CertificateRefused extends Error {}

/** @throws CertificateRefused a file is missing, or they do not belong together */
function readCertificate({ certFile, keyFile }: CertificateFiles): Certificate {
  try {
    const certificate = {
      cert: readFileSync(certFile, 'utf8'),
      key: readFileSync(keyFile, 'utf8'),
    }
    createSecureContext(certificate)
    return certificate
  } catch (error) {
    const { message } = error as Error
    throw new CertificateRefused(
      `The certificate ${certFile} and its key ${keyFile} cannot be used: ${message}`,
      { cause: error },
    )
  }
}

/** Changes with the files, even if only symbolic links change. */
function stateOf({ certFile, keyFile }: CertificateFiles): string {
  const states = [certFile, keyFile].map((file) => {
    const { ino, mtimeMs, size } = statSync(file)
    return `${ino} ${mtimeMs} ${size}`
  })
  return states.join()
}
