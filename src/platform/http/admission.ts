import type { Context as HonoContext } from 'hono'
import type { SystemContext } from '#platform/context.ts'
import { ApiError, notLoggedIn } from '#platform/errors.ts'
import { noteDamage } from '#platform/store/damage.ts'
import { isDiskFull } from '#platform/store/disk-full.ts'
import type { Store } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { authenticate, authenticateByKey, requireAllowed } from './authenticate.ts'
import { type Caller, requireNotDeactivated, whileActive } from './caller.ts'
import type { Endpoint } from './endpoint.ts'

/** Who may call an endpoint: when the request begins, when it has arrived, and while it waits. */

/** Public endpoints ignore wrong credentials: a client with an old key must be able to log in. */
export function callerOf(
  c: HonoContext,
  server: SystemContext,
  endpoint: Endpoint,
): Caller | undefined {
  const { access } = endpoint
  if (access === 'key') return authenticateByKey(c, server)
  try {
    const caller = authenticate(c, server)
    if (!caller) requireOpen(server, access)
    if (caller) requireAllowed(caller, endpoint.forWebhookBots)
    return caller
  } catch (error) {
    if (access === 'anyone' && error instanceof ApiError) return undefined
    throw error
  }
}

/** @throws UNAUTHORIZED the endpoint is not for callers without credentials, or not at the moment */
function requireOpen({ directory, store }: SystemContext, access: Endpoint['access']): void {
  if (access === 'anyone') return
  if (access === 'spectator' && directory.allowsSpectators(store)) return
  throw notLoggedIn()
}

/**
 * The caller once the whole request has arrived, which may be minutes after its headers: the
 * account or credential may be gone by then. Streamed bodies arrive later still; the writes that
 * follow them check again.
 *
 * @throws as `Caller.requireCurrent`
 */
export function callerNow(
  server: SystemContext,
  { access, alwaysOpen }: Endpoint,
  caller: Caller | undefined,
): Caller | undefined {
  if (!alwaysOpen) requireNotDeactivated(server, server.store)
  if (!caller) {
    requireOpen(server, access)
    return undefined
  }
  try {
    caller.requireCurrent(server.store)
    return caller
  } catch (error) {
    if (access === 'anyone' && error instanceof ApiError) return undefined
    throw error
  }
}

/** Public endpoints act for nobody, even if a caller is logged in: logging in, for example. */
export function storeFor(
  server: SystemContext,
  { access }: Endpoint,
  caller: Caller | undefined,
): Store {
  return caller && access !== 'anyone' ? caller.store : whileActive(server)
}

/** @throws NOT_SET_UP there is no organization yet */
export function requireOrganization({ directory, store }: SystemContext): void {
  if (directory.organization(store) !== 'missing') return
  throw new ApiError(
    'NOT_SET_UP',
    sentSentence('This server is not set up yet. Open its first page to set it up.'),
  )
}

/**
 * Makes a function that returns the error for a caller who has lost access while waiting; undefined
 * if they have not. It must not throw: timers call it. It keeps neither the request nor the caller:
 * thousands wait at a time. A deactivated organization refuses nothing here, because the last event
 * says so.
 */
export function refuser(
  server: SystemContext,
  requestId: string,
  requireCurrent: Caller['requireCurrent'] | undefined,
): () => ApiError | undefined {
  return requireCurrent ? () => refusalOf(server, requestId, requireCurrent) : () => undefined
}

function refusalOf(
  server: SystemContext,
  requestId: string,
  requireCurrent: Caller['requireCurrent'],
): ApiError | undefined {
  try {
    if (server.directory.organization(server.store) === 'open') requireCurrent(server.store)
    return undefined
  } catch (error) {
    return asApiError(server, requestId, error as Error)
  }
}

/**
 * Anything but an ApiError is a bug of ours, even if the client has gone: it is logged in full and
 * answered without details.
 */
export function asApiError(server: SystemContext, request: string, error: Error): ApiError {
  if (error instanceof ApiError) return error
  if (isDiskFull(error)) {
    server.log.error({ request, reason: error.message }, 'the disk is full')
    return new ApiError(
      'STORAGE_FULL',
      sentSentence('The disk of the server is full; nothing was changed.'),
    )
  }
  noteDamage(server.store, error)
  server.log.error({ request, err: error }, 'request failed')
  return new ApiError('INTERNAL_SERVER_ERROR', sentSentence('Internal server error'))
}
