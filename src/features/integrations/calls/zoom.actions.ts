import { createHmac } from 'node:crypto'
import { videoCallProviders } from '#features/foundation/realm/choices.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import type { SignedRequest } from '#features/integrations/webhook-services/signatures.ts'
import { seconds } from '#platform/clock.ts'
import { splitAddress } from '#platform/config/split-address.ts'
import type { SystemContext } from '#platform/context.ts'
import { ApiError, badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { spend } from '#platform/quotas/room.ts'
import { seal, unseal } from '#platform/sealing.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import { hasZoomTokenEvent } from './events.ts'
import { callProvider, requireProvider } from './provider.actions.ts'
import {
  deleteZoomTokens,
  findZoomTokens,
  findZoomUserId,
  hasZoomTokens,
  listUsersOfZoomUser,
  renewZoomTokens,
  replaceZoomTokens,
  type StoredTokens,
  updateZoomUserId,
} from './queries.ts'
import { callRate } from './quotas.ts'
import {
  accountToken,
  authorizeUrl,
  completePath,
  isFromZoom,
  nextTokens,
  openZoomMeeting,
  provenToken,
  readNotice,
  tokensForCode,
  UnknownZoomUser,
  type ZoomApp,
  type ZoomMeeting,
  ZoomRefusal,
  type ZoomTokens,
  zoomApp,
} from './zoom.ts'

const { zoom, zoom_server_to_server: zoomByServer } = videoCallProviders

/** How long someone may take to answer Zoom, in seconds. */
const replySeconds = 1800

/** Tokens are not used in the last seconds of their life, because requests take time to arrive. */
const marginSeconds = 60

/**
 * Makes a meeting: in the caller's own Zoom account or, with a server-to-server app, in the
 * operator's, for the user with the caller's address there.
 *
 * @returns the link to it
 * @throws INVALID_ZOOM_TOKEN the account is not, or no longer, connected with Zoom
 * @throws UNKNOWN_ZOOM_USER nobody there has the address
 * @throws BAD_REQUEST it is not configured, or not what the organization chose; it fails
 * @throws RATE_LIMIT_HIT
 */
export async function createZoomMeeting(caller: Caller, isVideo: boolean): Promise<string> {
  const { store, user } = caller
  const app = requireZoom(caller)
  await store.write((tx) => spend(tx, callRate, user))
  if (app.account !== null) return (await meetingByServer(caller, app, isVideo)).link
  const { hostId, link } = await ownMeeting(caller, app, isVideo)
  if (hostId !== undefined && hostId !== findZoomUserId(store, user.id)) {
    await store.write((tx) => updateZoomUserId(tx, user.id, hostId))
  }
  return link
}

async function ownMeeting(caller: Caller, app: ZoomApp, isVideo: boolean): Promise<ZoomMeeting> {
  const { store, user } = caller
  const tokens = findZoomTokens(store, app, user.id)
  if (!tokens) {
    // Clients may still believe in a connection that was made for another secret.
    await store.write((tx) => disconnect(tx, user.id))
    throw notConnected()
  }
  const isFresh = tokens.expiresAt > seconds(store.clock) + marginSeconds
  const open = (access: string) =>
    openZoomMeeting(caller.server, app, access, { host: 'me', isVideo })
  return await callProvider(caller, zoom.name, async () => {
    try {
      return await open(isFresh ? tokens.access : await renew(caller, app))
    } catch (error) {
      if (!(error instanceof ZoomRefusal && isFresh)) throw error
      return await open(await renew(caller, app))
    }
  })
}

function requireZoom(caller: Pick<Caller, 'store'>): ZoomApp {
  const app = zoomApp(caller.store.config)
  return requireProvider(caller, app, app?.account == null ? zoom : zoomByServer)
}

function notConnected(): ApiError {
  return new ApiError('INVALID_ZOOM_TOKEN', sentSentence('Connect your account with Zoom first.'))
}

/** The pending renewals, by user: the token for a renewal works only once. */
const renewals = perDatabase(() => new Map<number, Promise<string>>())

/** A new access token, shared by all waiting calls. Ends the connection if Zoom refuses. */
async function renew(caller: Caller, app: ZoomApp): Promise<string> {
  const all = renewals(caller.store)
  const { id } = caller.user
  const known = all.get(id)
  if (known) return await known
  const renewal = renewNow(caller, app).finally(() => all.delete(id))
  all.set(id, renewal)
  return await renewal
}

async function renewNow(caller: Caller, app: ZoomApp): Promise<string> {
  const { server, store, user } = caller
  const refresh = findZoomTokens(store, app, user.id)?.refresh
  if (refresh === undefined) throw notConnected()
  const isSame = (tx: Tx) => findZoomTokens(tx, app, user.id)?.refresh === refresh
  try {
    const next = await nextTokens(server, app, refresh)
    await store.write((tx) => {
      if (!isSame(tx)) throw notConnected()
      renewZoomTokens(tx, app, user.id, storedTokens(tx, next))
    })
    return next.access
  } catch (error) {
    if (!(error instanceof ZoomRefusal)) throw error
    await store.write((tx) => {
      if (isSame(tx)) disconnect(tx, user.id)
    })
    throw notConnected()
  }
}

function storedTokens(read: Read, { access, refresh, lifetime }: ZoomTokens): StoredTokens {
  return { access, refresh, expiresAt: seconds(read.clock) + Math.floor(lifetime) }
}

function connect(tx: Tx, app: ZoomApp, userId: number, tokens: ZoomTokens): void {
  const wasConnected = hasZoomTokens(tx, app, userId)
  replaceZoomTokens(tx, app, userId, storedTokens(tx, tokens))
  if (!wasConnected) tx.emit(hasZoomTokenEvent(true), [userId])
}

function disconnect(tx: Tx, userId: number): void {
  if (deleteZoomTokens(tx, userId)) tx.emit(hasZoomTokenEvent(false), [userId])
}

/** The state of a new connection, which waits for Zoom's answer in the session that began it. */
interface Begun {
  readonly sessionId: string
  readonly expiresAt: number
}

/** The address to which to send a browser, where its user connects their account with Zoom. */
export function startConnecting(caller: Caller, sessionId: string): string {
  const { store, server } = caller
  const app = requireZoomOfUsers(caller)
  const begun: Begun = { sessionId, expiresAt: seconds(store.clock) + replySeconds }
  const state = seal(stateKey(store), JSON.stringify(begun))
  return authorizeUrl(app, server.realmUrl + completePath, state)
}

/**
 * Connects an account with Zoom, with the parameters that Zoom appended to the redirect URL.
 *
 * @throws BAD_REQUEST another session began it, or it took too long; the user or Zoom refused
 * @throws RATE_LIMIT_HIT
 */
export async function finishConnecting(
  caller: Caller,
  sessionId: string,
  { state = '', code = '' }: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { store, server, user } = caller
  const app = requireZoomOfUsers(caller)
  const text = unseal(stateKey(store), state)
  const begun = text === undefined ? undefined : (JSON.parse(text) as Begun)
  if (begun?.sessionId !== sessionId || begun.expiresAt <= seconds(store.clock)) {
    throw badRequest(sentSentence('This link is not valid or has expired. Start the call again.'))
  }
  if (code === '') throw badRequest(sentSentence('Zoom did not connect your account.'))
  await store.write((tx) => spend(tx, callRate, user))
  const tokens = await callProvider(caller, zoom.name, () =>
    tokensForCode(server, app, code, server.realmUrl + completePath),
  )
  await store.write((tx) => connect(tx, app, user.id, tokens))
}

/**
 * Takes what Zoom tells the app: that one of its users has removed it, which ends their connection.
 *
 * @returns what Zoom wants to know, if it only checks the address
 * @throws NOT_FOUND the operator has not set the secret token
 * @throws UNAUTHORIZED it does not come from Zoom
 * @throws BAD_REQUEST it is no notice
 * @throws RATE_LIMIT_HIT too many did not come from Zoom
 */
export async function takeZoomNotice(
  server: SystemContext,
  request: SignedRequest,
  address: string,
): Promise<object> {
  const { store } = server
  const { zoomSecret } = store.config
  const app = zoomApp(store.config)
  if (!app || zoomSecret === null) throw new ApiError('NOT_FOUND', 'There is nothing here.')
  if (!isFromZoom(zoomSecret, request, seconds(store.clock))) {
    const given = request.header('x-zm-signature') ?? request.header('authorization') ?? ''
    server.rateLimits.guesses.wrongKey(given, address)
    throw new ApiError('UNAUTHORIZED', 'The notice is not signed by Zoom.')
  }
  const notice = readNotice(request.body)
  if (!notice) throw badRequest('This is no notice of Zoom.')
  const { client_id: clientId, plainToken, user_id: zoomUserId } = notice.payload
  if (notice.event === 'endpoint.url_validation' && plainToken !== undefined) {
    return provenToken(zoomSecret, plainToken)
  }
  const isOurs = clientId === splitAddress(app.address).user
  if (notice.event === 'app_deauthorized' && isOurs && zoomUserId !== undefined) {
    await store.write((tx) => {
      for (const userId of listUsersOfZoomUser(tx, zoomUserId)) disconnect(tx, userId)
    })
  }
  return {}
}

/** @throws BAD_REQUEST users do not connect their accounts here */
function requireZoomOfUsers(caller: Caller): ZoomApp {
  const app = requireZoom(caller)
  if (app.account !== null)
    throw badRequest(sentSentence('Calls by Zoom need no connection on this server.'))
  return app
}

function stateKey(read: Read): Buffer {
  const secret = Buffer.from(requireRealm(read).secret, 'hex')
  return createHmac('sha256', secret).update('connections with zoom').digest()
}

/** The token of the server-to-server app, while it works. */
const tokenOfServer = perDatabase(() => ({
  current: undefined as { of: string; access: string; until: number } | undefined,
}))

async function meetingByServer(
  caller: Caller,
  app: ZoomApp,
  isVideo: boolean,
): Promise<ZoomMeeting> {
  const { server, store, user } = caller
  // Anyone can claim an address that nobody has confirmed.
  if (!user.isEmailVerified) throw unknownUser()
  const kept = tokenOfServer(store)
  const of = JSON.stringify(app)
  const open = (access: string) =>
    openZoomMeeting(server, app, access, { host: user.email, isVideo })
  const ask = async () => {
    const { access, lifetime } = await accountToken(server, app)
    kept.current = { of, access, until: server.clock.elapsed() + (lifetime - marginSeconds) * 1000 }
    return access
  }
  return await callProvider(caller, zoomByServer.name, async () => {
    const { current } = kept
    const isFresh = current?.of === of && current.until > server.clock.elapsed()
    try {
      return await open(isFresh ? current.access : await ask())
    } catch (error) {
      if (error instanceof UnknownZoomUser) throw unknownUser()
      if (!(error instanceof ZoomRefusal && isFresh)) throw error
      return await open(await ask())
    }
  })
}

function unknownUser(): ApiError {
  return new ApiError(
    'UNKNOWN_ZOOM_USER',
    sentSentence('Calls need a Zoom user with your confirmed email address. Ask an administrator.'),
  )
}
