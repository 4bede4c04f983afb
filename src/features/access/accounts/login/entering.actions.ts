import { endSession } from '#features/access/accounts/credentials.actions.ts'
import { newSecret } from '#features/access/two-factor/codes.ts'
import { secondStep } from '#features/access/two-factor/rules.ts'
import {
  type AttemptDetails,
  insertAttempt,
} from '#features/foundation/sessions/attempts.queries.ts'
import { insertSession, type NewSession } from '#features/foundation/sessions/queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import type { Context } from '#platform/context.ts'
import { ApiError } from '#platform/errors.ts'
import type { Arrival, LoginMeans } from '#platform/store/schema.ts'
import type { Tx } from '#platform/store/store.ts'
import { recordLogin, requireActive } from './actions.ts'
import { maskKey, sealToken } from './otp.ts'

/** The request that completes a log-in. */
export interface LoginRequest {
  /** The client's network address. */
  readonly address: string
  /** Its `User-Agent`. */
  readonly device: string | undefined
  /** The method, for the mail about it: `your password`. */
  readonly by: LoginMeans
  /** The token of the browser's current session, which ends. */
  readonly session: string | undefined
}

/** The end of a completed log-in. */
export type CompletedLogin = { readonly userId: number } & LoginDestination

type LoginDestination =
  /** In this browser. */
  | { readonly kind: 'browser'; readonly session: NewSession; readonly next: string }
  /** In a phone app, which the browser opens by this address. */
  | { readonly kind: 'mobile'; readonly query: Readonly<Record<string, string>> }
  /** In a desktop app, into which the person copies this code. */
  | { readonly kind: 'desktop'; readonly code: string }

/** The next step after the right password. */
export type AfterPassword =
  | CompletedLogin
  /** The person has to do more; the attempt waits for it. */
  | { readonly kind: 'code' | 'enrolment'; readonly attempt: string }

/** How long a desktop app has to take over a log-in, in seconds. */
const desktopSeconds = 15

/**
 * Logs in a user with the right password, or asks for their second factor.
 *
 * @param browser the secret of the only browser that may continue
 * @throws USER_DEACTIVATED
 */
export function enterByPassword(
  tx: Tx,
  server: Pick<Context, 'realmUrl' | 'queues'>,
  user: User,
  arrival: Arrival,
  { browser, ...request }: LoginRequest & { readonly browser: string },
): AfterPassword {
  const step = secondStep(tx, user)
  if (!step) return enter(tx, server, user, arrival, request)
  const { by } = request
  const details: AttemptDetails =
    step === 'code' ? { step, arrival, by } : { step, arrival, by, secret: newSecret() }
  return { kind: step, attempt: insertAttempt(tx, { details, browser, userId: user.id }) }
}

/**
 * Logs in a user with the right password only if they need no second factor.
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
  throw new ApiError('AUTHENTICATION_FAILED', `${why}. Log in with a browser instead`)
}

/**
 * Logs in an identified user, and mails them about it. Phone apps get the API key, and no session.
 *
 * @throws USER_DEACTIVATED
 */
export function enter(
  tx: Tx,
  server: Pick<Context, 'realmUrl' | 'queues'>,
  user: User,
  { app, next }: Arrival,
  request: LoginRequest,
): CompletedLogin {
  requireActive(user)
  recordLogin(tx, server, user, request)
  const userId = user.id
  if (!app) {
    return { userId, kind: 'browser', session: openSession(tx, server, userId, request), next }
  }
  if (app.kind === 'mobile') {
    const query = {
      otp_encrypted_api_key: maskKey(app.otp, user.apiKey),
      email: user.email,
      user_id: String(user.id),
    }
    return { userId, kind: 'mobile', query }
  }
  const token = insertAttempt(tx, {
    details: { step: 'desktop', arrival: { next } },
    browser: null,
    userId,
    lifetime: desktopSeconds,
  })
  return { userId, kind: 'desktop', code: sealToken(app.otp, token) }
}

/** Opens a session for a browser, and ends its current one. */
export function openSession(
  tx: Tx,
  { queues }: Pick<Context, 'queues'>,
  userId: number,
  { session, device }: Pick<LoginRequest, 'session' | 'device'>,
): NewSession {
  if (session !== undefined) endSession(tx, queues, session)
  return insertSession(tx, userId, tx.clock, device)
}
