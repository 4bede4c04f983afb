import {
  mostPushes,
  type Push,
  type PushTarget,
} from '#features/messaging/notifications/pushes.queries.ts'
import type { PushResult } from '#features/notifications/web-push/sending.actions.ts'
import { seconds } from '#platform/clock.ts'
import type { SystemContext } from '#platform/context.ts'
import type { Tx } from '#platform/store/store.ts'
import { noticeOf, triggerOfPush } from './notice.rules.ts'
import { deletePushes, listDuePushes, markSent, postponePushes, settlePushes } from './queries.ts'
import { type PushTransport, transportTo } from './transports.actions.ts'

/** How long a message is worth being pushed, in seconds. */
const worthSeconds = 24 * 3600
/** The delays before retries, in seconds: doubled each time, within these. */
const retries = { first: 30, longest: 3600 } as const

/**
 * Does the work that is due for a target: removes messages that it should no longer show, and sends
 * new ones, one by one in order. Each is checked again right before it is sent, because the reader
 * may have read the message or lost access to it; and once more right after, because that may have
 * happened meanwhile. After a crash, the push that was being sent is sent again.
 */
export async function serveTarget(
  server: SystemContext,
  target: PushTarget,
  stopping: AbortSignal,
): Promise<void> {
  const { store } = server
  const transport = transportTo(server, target)
  const due = listDuePushes(store, target, seconds(store.clock))
  if (!transport) return await store.write((tx) => deletePushes(tx, due))
  const [shown, waiting] = await store.write((tx) => sortOut(tx, due))
  if (shown.length > 0 && !(await removeShown(server, target, transport, shown))) return
  for (const push of waiting) {
    if (stopping.aborted || !(await send(server, target, transport, push))) return
  }
}

/** Drops pushes that are not to be shown, first those that devices show already. */
function sortOut(tx: Tx, due: readonly Push[]): [shown: Push[], waiting: Push[]] {
  const expired = seconds(tx.clock) - worthSeconds
  const isWanted = new Map(due.map((push) => [push, triggerOfPush(tx, push) !== undefined]))
  const wanted = due.filter((push) => isWanted.get(push))
  const unwanted = due.filter((push) => !isWanted.get(push))
  const isSent = ({ sentAt }: Push) => sentAt !== null
  const isLate = ({ sentAt, createdAt }: Push) => sentAt === null && createdAt <= expired
  settlePushes(tx, wanted.filter(isSent))
  deletePushes(tx, [...unwanted.filter((push) => !isSent(push)), ...wanted.filter(isLate)])
  return [unwanted.filter(isSent), wanted.filter((push) => !isSent(push) && !isLate(push))]
}

/** Returns whether the target accepts more now. */
async function removeShown(
  server: SystemContext,
  target: PushTarget,
  transport: PushTransport,
  shown: readonly Push[],
): Promise<boolean> {
  const ids = shown.map(({ messageId }) => messageId).sort((a, b) => a - b)
  const result = await transport.remove(ids.slice(-mostPushes))
  return await server.store.write((tx) => {
    transport.record(tx, result)
    if (result.kind === 'later') return postpone(tx, target, shown, result)
    deletePushes(tx, shown)
    return result.kind !== 'gone'
  })
}

/** Returns whether the target accepts more now. */
async function send(
  server: SystemContext,
  target: PushTarget,
  transport: PushTransport,
  push: Push,
): Promise<boolean> {
  const { store } = server
  const notice = noticeOf(store, push)
  const now = seconds(store.clock)
  const result: PushResult = notice
    ? await transport.show(notice, push.createdAt + worthSeconds - now)
    : { kind: 'refused' }
  return await store.write((tx) => {
    if (notice) transport.record(tx, result)
    if (result.kind === 'later') return postpone(tx, target, [push], result)
    if (result.kind === 'refused') deletePushes(tx, [push])
    if (result.kind !== 'sent') return result.kind !== 'gone'
    const sentAt = seconds(tx.clock)
    markSent(tx, push, sentAt, triggerOfPush(tx, push) ? null : sentAt)
    return true
  })
}

/** Pauses the target for a while. */
function postpone(
  tx: Tx,
  target: PushTarget,
  pushes: readonly Push[],
  { after }: Extract<PushResult, { kind: 'later' }>,
): boolean {
  const failures = Math.max(...pushes.map((push) => push.failures))
  const pause = after ?? Math.min(retries.first * 2 ** failures, retries.longest)
  postponePushes(tx, target, seconds(tx.clock) + pause)
  return false
}
