import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { findUser } from '#features/foundation/users/queries.ts'
import type { Caller } from '#platform/http/caller.ts'
import { perDatabase } from '#platform/store/per-database.ts'
import type { Translator } from '#translations/translate.ts'
import { sendNotices } from './notices.actions.ts'
import { silentMention } from './quoting.ts'

/** How long an owner is not notified again about the same mistake, in milliseconds. */
const quietMs = 60 * 60 * 1000
/** How many mistakes are remembered, newest first; forgotten ones would be reported again. */
const mostRemembered = 10_000

/** When each mistake of each bot was last reported, by `Clock.elapsed`, oldest first. */
const lastNotices = perDatabase(() => new Map<string, number>())

/**
 * Notifies a bot's owner that the bot could not post, once an hour for each bot and mistake.
 *
 * @param mistake a key
 * @param words Markdown in the owner's language, for a bot as it is mentioned
 */
export async function tellBotOwner(
  { store, server, user: bot }: Caller,
  mistake: string,
  words: (language: Translator, bot: string) => string,
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
  await store.write((tx) => {
    const owner = findUser(tx, bot.botOwnerId ?? 0)
    if (!owner?.isActive) return
    const language = userLanguage(tx, owner)
    const content = [
      words(language, silentMention(bot)),
      language.t('As long as this continues, you get this message once an hour.'),
    ].join('\n\n')
    sendNotices(tx, [owner], { author: owner, content, realmUrl: server.realmUrl })
  })
}
