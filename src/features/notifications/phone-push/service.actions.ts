import { randomBytes } from 'node:crypto'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { listUsers, roles } from '#features/foundation/users/queries.ts'
import { sendNotices } from '#features/messaging/messages/notices.actions.ts'
import { seconds } from '#platform/clock.ts'
import type { Context, SystemContext } from '#platform/context.ts'
import { wakeJobs } from '#platform/jobs/wake.ts'
import type { Tx } from '#platform/store/store.ts'
import { type Text, texts } from '#translations/translate.ts'
import { accountCounts, factsFor } from './facts.json.ts'
import {
  deleteToken,
  findServiceState,
  type PushToken,
  putServiceState,
  type ServiceState,
  updateToken,
} from './queries.ts'
import {
  callService,
  type ServiceAccess,
  type ServiceReply,
  serviceAccess,
  userUuid,
} from './service.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** How long to wait after a number of failures, in seconds. */
function pauseAfter(failures: number): number {
  return Math.min(minute * 2 ** failures, 6 * hour)
}

/** @throws Error none is configured */
export function accessOf({ config }: Pick<Context, 'config'>): ServiceAccess {
  if (config.pushServiceUrl === null) throw new Error('No push service is configured.')
  return serviceAccess(config.pushServiceUrl)
}

/** The state of the service before it was ever asked. */
function freshState(now: number): Omit<ServiceState, 'id'> {
  const ownerSecret = `zuliprealm_${randomBytes(24).toString('base64url')}`
  return {
    ownerSecret,
    uploadDueAt: now,
    failures: 0,
    uploadedAt: null,
    counts: null,
    problem: null,
  }
}

/** Makes sure that the service knows this organization, and asks it whether it accepts pushes. */
export async function uploadFacts(server: SystemContext): Promise<void> {
  const { store, log } = server
  const state = await store.write((tx) => {
    if (!findServiceState(tx)) putServiceState(tx, freshState(seconds(tx.clock)))
    return findServiceState(tx) as ServiceState
  })
  const now = seconds(store.clock)
  const counts = accountCounts(store)
  const isFresh = state.uploadedAt !== null && now < state.uploadedAt + day
  if (isFresh && state.counts === counts && state.problem === null) {
    return await store.write((tx) => changeState(tx, { uploadDueAt: now + hour }))
  }
  try {
    const problem = await upload(server, state)
    await store.write((tx) => {
      const failures = problem === null ? 0 : state.failures + 1
      const uploadDueAt = now + (problem === null ? hour : day)
      changeState(tx, { uploadedAt: now, counts, failures, uploadDueAt })
      setProblem(tx, server, problem)
    })
  } catch (error) {
    log.warn({ err: error }, 'the push service could not be reached')
    const failures = state.failures + 1
    await store.write((tx) =>
      changeState(tx, { failures, uploadDueAt: now + pauseAfter(state.failures) }),
    )
  }
}

/** The error code with which the service refuses notifications; null if it accepts them. */
async function upload(server: SystemContext, state: ServiceState): Promise<string | null> {
  const access = accessOf(server)
  const status = await callService(access, '/server/analytics/status', undefined)
  if ('refusedBecause' in status) return status.refusedBecause
  const last = Number(status.body.last_realmauditlog_id ?? 0) || 0
  const facts = factsFor(server, state, last)
  const reply = await callService(access, '/server/analytics', { form: facts })
  if ('refusedBecause' in reply) return reply.refusedBecause
  return verdictIn(reply.body.realms, requireRealm(server.store).uuid)
}

/** The service's decision about the organization in an answer; null: it accepts notifications. */
function verdictIn(realms: unknown, uuid: string): string | null {
  const own = (realms as Record<string, { can_push?: unknown }> | undefined)?.[uuid]
  return own?.can_push === false ? noPlan : null
}

/** Our own code: the organization is too large for the service without a plan. */
const noPlan = 'NO_PLAN'

function changeState(tx: Tx, changes: Partial<ServiceState>): void {
  const { id: _, ...state } = findServiceState(tx) ?? { id: 1, ...freshState(seconds(tx.clock)) }
  putServiceState(tx, { ...state, ...changes })
  wakeJobs(tx)
}

/** Lets the next upload be done now: the service does not know the organization. */
export function requireUpload(tx: Tx): void {
  changeState(tx, { uploadDueAt: seconds(tx.clock), uploadedAt: null })
}

const words: Readonly<Record<string, Text>> = texts({
  INVALID_ZULIP_SERVER:
    'The push service does not know this server, or not by this key. Whoever runs the server can register it again with `parley push register`.',
  PUSH_NOTIFICATIONS_DISALLOWED:
    'The push service does not accept notifications of this organization. It has a plan for organizations of this size.',
  [noPlan]:
    'The push service does not accept notifications of this organization. It has a plan for organizations of this size.',
})

/** Switches notifications on phones off or on, and tells administrators once why they are off. */
export function setProblem(
  tx: Tx,
  { realmUrl }: Pick<Context, 'realmUrl'>,
  problem: string | null,
): void {
  const before = findServiceState(tx)?.problem ?? null
  if (problem === before) return
  changeState(tx, { problem, ...(problem !== null && { uploadDueAt: seconds(tx.clock) + day }) })
  if (problem === null) return
  const people = listUsers(tx).filter(
    ({ role, isActive, botType }) => role <= roles.admin && isActive && botType === null,
  )
  for (const author of people) {
    const { t } = userLanguage(tx, author)
    const known = words[problem]
    const reason = known
      ? t(known)
      : t('The push service refused the server ({code}).', { code: problem })
    const content = [
      t('Phones get no notifications for now.'),
      reason,
      t('The server asks it again every day. Notifications in browsers are not affected.'),
    ].join(' ')
    sendNotices(tx, [author], { author, content, realmUrl })
  }
}

/** The refusals that concern the complete server. */
export const finalRefusals: readonly string[] = [
  'INVALID_ZULIP_SERVER',
  'PUSH_NOTIFICATIONS_DISALLOWED',
  'UNAUTHORIZED',
]
/** The refusal that ends when the organization's facts are uploaded. */
export const unknownRealm = 'MISSING_REMOTE_REALM'

/** The user that a call is about. */
export function idsOf(server: SystemContext, userId: number) {
  const { uuid, secret } = requireRealm(server.store)
  return { user_id: userId, user_uuid: userUuid(secret, userId), realm_uuid: uuid }
}

/** The service's numbers for the kinds of tokens. */
export const tokenKinds = { apns: '1', fcm: '2' } as const

/** Registers a phone with the service, or removes it. */
export async function tellOfToken(server: SystemContext, token: PushToken): Promise<void> {
  const { store, log } = server
  const { user_id, ...ids } = idsOf(server, token.userId)
  const form = {
    ...ids,
    user_id: String(user_id),
    token: token.token,
    token_kind: tokenKinds[token.kind],
    ...(token.appId !== null && !token.isRemoved && { ios_app_id: token.appId }),
  }
  const path = token.isRemoved ? '/push/unregister' : '/push/register'
  let reply: ServiceReply | undefined
  try {
    reply = await callService(accessOf(server), path, { form })
  } catch (error) {
    log.warn({ err: error }, 'the push service could not be told about a phone')
  }
  await store.write((tx) => storeReply(tx, server, token, reply))
}

/** The attempts to remove a phone from the service. */
const mostTries = 10

function storeReply(
  tx: Tx,
  server: Context,
  token: PushToken,
  reply: ServiceReply | undefined,
): void {
  const refusal = reply && 'refusedBecause' in reply ? reply.refusedBecause : undefined
  const isServers = refusal !== undefined && finalRefusals.includes(refusal)
  if (reply && refusal === undefined) {
    if (token.isRemoved) deleteToken(tx, token)
    else updateToken(tx, token, { serviceDueAt: null, failures: 0 })
    return
  }
  if (isServers) setProblem(tx, server, refusal)
  if (refusal === unknownRealm) requireUpload(tx)
  const isFinal = refusal !== undefined && !isServers && refusal !== unknownRealm
  const failures = token.failures + 1
  if (isFinal || (token.isRemoved && failures >= mostTries)) deleteToken(tx, token)
  else updateToken(tx, token, { failures, serviceDueAt: seconds(tx.clock) + pauseAfter(failures) })
}
