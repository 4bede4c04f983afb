import { X509Certificate } from 'node:crypto'
import type { HealthCheck } from '#platform/health/check.ts'
import type { Certificate } from './certificate-files.ts'

const day = 24 * 3600_000
/** How long before its end a certificate should have been replaced, in milliseconds. */
const longestNotice = 14 * day
/** The same for certificates that last for a few days only, as a part of their lifetime. */
const partOfLife = 1 / 6

/** @param current the certificate in use; undefined: there is none yet */
export function certificateCheck(current: () => Certificate | undefined): HealthCheck {
  return {
    name: 'certificate',
    problem({ clock }) {
      const certificate = current()
      if (!certificate) return 'There is no certificate yet.'
      const { from, to } = validityOf(certificate)
      const left = to - clock.now()
      if (left <= 0) return `The certificate expired at ${new Date(to).toISOString()}.`
      if (left > Math.min(longestNotice, (to - from) * partOfLife)) return undefined
      return `The certificate expires at ${new Date(to).toISOString()} and was not renewed.`
    },
  }
}

/** When a certificate begins and ends to be valid, in milliseconds since the epoch. */
export function validityOf({ cert }: Certificate): { readonly from: number; readonly to: number } {
  const { validFrom, validTo } = new X509Certificate(cert)
  return { from: Date.parse(validFrom), to: Date.parse(validTo) }
}
