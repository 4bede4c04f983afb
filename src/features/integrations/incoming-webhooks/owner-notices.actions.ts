import { sendNotices } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import { findUser } from '#features/people/users/queries.ts'
import type { Caller } from '#platform/http/caller.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Tx } from '#platform/store/write.ts'

/** Mistakes in the set-up of a service, about which the bot's owner is notified. */
export type Mistake = 'header' | 'json' | 'payload' | 'place'

/** How long an owner is not notified again about the same mistake, in milliseconds. */
const quietMs = 60 * 60 * 1000
/** How many mistakes are remembered, newest first; forgotten ones would be reported again. */
const mostRemembered = 10_000

/** When each mistake of each bot was last reported, by `Clock.elapsed`, oldest first. */
const lastNotices = perDatabase(() => new Map<string, number>())

/**
 * Notifies a bot's owner about a problem with a delivery, once an hour for each bot and kind of
 * mistake.
 *
 * @param why Markdown, a sentence
 */
export async function tellOwner(
  { store, server, user: bot }: Caller,
  service: string,
  mistake: Mistake,
  why: string,
): Promise<void> {
  const now = store.clock.elapsed()
  const key = `${bot.id} ${mistake}`
  const memory = lastNotices(store)
  const last = memory.get(key)
  if (last !== undefined && now - last < quietMs) return
  memory.delete(key)
  memory.set(key, now)
  for (const oldest of memory.keys()) {
    if (memory.size <= mostRemembered) break
    memory.delete(oldest)
  }
  const content = `Your bot ${silentMention(bot)} could not post what ${service} sent. ${why}\n\nAs long as this continues, you get this message once an hour.`
  await store.write((tx) => noticeOwner(tx, bot.botOwnerId, content, server.realmUrl))
}

function noticeOwner(tx: Tx, ownerId: number | null, content: string, realmUrl: string): void {
  const owner = findUser(tx, ownerId ?? 0)
  if (owner?.isActive) sendNotices(tx, [owner], { author: owner, content, realmUrl })
}
