import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Logger } from 'pino'
import type { Clock } from '#platform/clock.ts'
import type { Certificate, Watch } from './certificate-files.ts'
import { validityOf } from './check.ts'
import type { Acme } from './options.ts'

/** The answers to an ACME server's requests, by token, which prove that the domain is ours. */
export type Challenges = Map<string, string>

interface Surroundings {
  /** The folder for the account and the certificates. */
  readonly folder: string
  readonly challenges: Challenges
  readonly clock: Clock
  readonly log: Logger
}

/** The part of its lifetime after which a certificate is renewed. */
const renewAfter = 2 / 3
/** How long to wait for an ACME server's check at first, in milliseconds; then twice as long. */
const firstPollMs = 500
/** How long the ACME server may take to answer at first, in milliseconds. */
const directoryMs = 30_000
/** How often to look whether it is time, in milliseconds. */
const interval = 3600_000
/** How long to wait after a failure, in milliseconds; ACME servers count them by the hour. */
const retryMs = 20 * 60_000

/**
 * Gets a certificate for a domain and renews it in time. Account and certificates are kept, so that
 * a restart needs no new ones.
 *
 * @source RFC 8555, "Automatic Certificate Management Environment (ACME)"
 */
export function keepCertificate(
  acme: Acme,
  { folder, challenges, clock, log }: Surroundings,
  use: (certificate: Certificate) => void,
): Watch {
  const store = openStore(folder, acme.domain)
  let current = readStored()
  const stopping = new AbortController()
  let isLooking = false
  let cancel = () => {}
  if (current) use(current)
  void look()

  /** An unusable certificate, such as one left by a power failure, is replaced. */
  function readStored(): Certificate | undefined {
    try {
      return store.read()
    } catch (error) {
      log.error({ domain: acme.domain, err: error }, 'the stored certificate is unusable')
      return undefined
    }
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    cancel()
    let wait = interval
    if (!current || renewalTime(current) <= clock.now()) {
      const { domain, directory } = acme
      log.info({ domain, directory }, 'asking for a certificate')
      try {
        await requireReachable(directory, stopping.signal)
        const next = await Promise.race([order(acme, store, challenges), aborted(stopping.signal)])
        store.write(next)
        current = next
        use(next)
        log.info({ domain: acme.domain }, 'a new certificate was obtained')
      } catch (error) {
        if (stopping.signal.aborted) return
        wait = retryMs
        const nextTryMinutes = retryMs / 60_000
        log.error({ domain, nextTryMinutes, err: error }, 'no certificate could be obtained')
      }
    }
    isLooking = false
    if (!stopping.signal.aborted) cancel = clock.after(wait, () => void look())
  }

  return {
    look: () => void look(),
    stop() {
      stopping.abort(new Error('The server is stopping.'))
      cancel()
    },
  }
}

/** In milliseconds since the epoch. */
function renewalTime(certificate: Certificate): number {
  const { from, to } = validityOf(certificate)
  return from + (to - from) * renewAfter
}

/** Rejects when the signal does. */
const aborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/**
 * Asks an ACME server for its directory, because the client would try for minutes, and then hide the
 * error of the network.
 *
 * @throws Error saying why it cannot be reached
 */
async function requireReachable(directory: string, stopping: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(directoryMs)])
  try {
    await new Promise<void>((resolve, reject) => {
      // As the client asks, so with the same trust.
      const get = directory.startsWith('https:') ? https.get : http.get
      get(directory, { signal }, (response) => {
        response.resume().on('end', resolve).on('error', reject)
      }).on('error', reject)
    })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`The ACME server ${directory} cannot be reached: ${message || code}`, {
      cause: error,
    })
  }
}

async function order(acme: Acme, store: Files, challenges: Challenges): Promise<Certificate> {
  // Loading takes a while, so servers without a certificate of their own should not do it.
  const { Client, crypto } = (await import('acme-client')).default
  // A power failure can leave an empty file.
  const known = store.readAccount() || undefined
  const accountKey = known ?? String(await crypto.createPrivateEcdsaKey())
  store.writeAccount(accountKey)
  const client = new Client({ directoryUrl: acme.directory, accountKey, backoffMin: firstPollMs })
  if (known !== undefined && acme.email === undefined) {
    // Otherwise the client changes nothing in the account, which servers may refuse. If there is
    // no account anymore, it makes one.
    await client.createAccount({ onlyReturnExisting: true }).catch(() => {})
  }
  const [key, csr] = await crypto.createCsr(
    { commonName: acme.domain, altNames: [acme.domain] },
    await crypto.createPrivateEcdsaKey(),
  )
  const cert = await client.auto({
    csr,
    ...(acme.email !== undefined && { email: acme.email }),
    termsOfServiceAgreed: true,
    challengePriority: ['http-01'],
    // The domain may not resolve from here.
    skipChallengeVerification: true,
    challengeCreateFn: async (_authorization, { token }, keyAuthorization) => {
      challenges.set(token, keyAuthorization)
    },
    challengeRemoveFn: async (_authorization, { token }) => {
      challenges.delete(token)
    },
  })
  return { cert, key: String(key) }
}

interface Files {
  /** @throws Error it is not usable */
  read(): Certificate | undefined
  write(certificate: Certificate): void
  readAccount(): string | undefined
  writeAccount(key: string): void
}

/** Files that only their owner can read, replaced atomically. */
function openStore(folder: string, domain: string): Files {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const account = join(folder, 'account.pem')
  // In one file, so that certificate and key always belong together.
  const file = join(folder, `${domain}.json`)
  return {
    read() {
      const text = readIfAny(file)
      if (text === undefined) return undefined
      const certificate = JSON.parse(text) as Certificate
      createSecureContext(certificate)
      return certificate
    },
    write: (value) => replace(file, JSON.stringify(value)),
    readAccount: () => readIfAny(account),
    writeAccount: (key) => replace(account, key),
  }
}

function replace(file: string, text: string): void {
  const draft = `${file}.new`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, file)
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
