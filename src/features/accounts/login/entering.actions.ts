import { insertAttempt } from '#features/sessions/attempts.queries.ts'
import { insertSession, type NewSession } from '#features/sessions/queries.ts'
import { secondStep } from '#features/two-factor/rules.ts'
import type { User } from '#features/users/queries.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { Arrival } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/write.ts'
import { queueLoginMail, requireActive } from './actions.ts'
import { maskKey, sealToken } from './otp.ts'

/** The request that completes a log-in. */
export interface LoginRequest {
  /** The client's network address. */
  readonly address: string
  /** Its `User-Agent`. */
  readonly device: string | undefined
  /** With what they logged in, for the mail about it: `your password`. */
  readonly by: string
}

/** How a completed log-in ends. */
export type Entry =
  /** In this browser. */
  | { readonly kind: 'browser'; readonly session: NewSession; readonly next: string }
  /** In a phone app, which the browser opens by this address. */
  | { readonly kind: 'mobile'; readonly query: Readonly<Record<string, string>> }
  /** In a desktop app, into which the person copies this code. */
  | { readonly kind: 'desktop'; readonly code: string }

/** What comes after the right password. */
export type AfterPassword =
  | Entry
  /** The person has to do more; the attempt waits for it. */
  | { readonly kind: 'code' | 'enrolment'; readonly attempt: string }

/** How long a desktop app has to take a log-in over, in seconds. */
const desktopSeconds = 15

/**
 * Lets somebody in who has shown their password, or asks for their second factor.
 *
 * @param browser the secret of the browser, which alone may go on
 * @throws USER_DEACTIVATED
 */
export function enterByPassword(
  tx: Tx,
  server: Pick<Context, 'config' | 'realmUrl'>,
  user: User,
  arrival: Arrival,
  { browser, ...request }: LoginRequest & { readonly browser: string },
): AfterPassword {
  const step = secondStep(tx, user)
  if (!step) return enter(tx, server, user, arrival, request)
  const details = { step, arrival, by: request.by }
  return { kind: step, attempt: insertAttempt(tx, { details, browser, userId: user.id }) }
}

/**
 * Lets somebody in who has shown their password only if they need no second factor.
 *
 * @throws AUTHENTICATION_FAILED
 */
export function requireNoSecondStep(tx: Tx, user: User): void {
  const step = secondStep(tx, user)
  if (!step) return
  const why =
    step === 'code'
      ? 'This account has two-factor authentication'
      : 'This organization requires two-factor authentication'
  throw new ApiError('AUTHENTICATION_FAILED', `${why}. Log in with the browser instead`)
}

/**
 * Lets somebody in who has shown who they are, and mails them about it. Phone apps get the API key,
 * and no session.
 *
 * @throws USER_DEACTIVATED
 */
export function enter(
  tx: Tx,
  server: Pick<Context, 'config' | 'realmUrl'>,
  user: User,
  { app, next }: Arrival,
  { address, device, by }: LoginRequest,
): Entry {
  requireActive(user)
  queueLoginMail(tx, server, user, { address, device, by })
  if (!app) return { kind: 'browser', session: insertSession(tx, user.id, tx.clock, device), next }
  if (app.kind === 'mobile') {
    const query = {
      otp_encrypted_api_key: maskKey(app.otp, user.apiKey),
      email: user.email,
      user_id: String(user.id),
    }
    return { kind: 'mobile', query }
  }
  const token = insertAttempt(tx, {
    details: { step: 'desktop', arrival: { next } },
    browser: null,
    userId: user.id,
    lifetime: desktopSeconds,
  })
  return { kind: 'desktop', code: sealToken(app.otp, token) }
}
