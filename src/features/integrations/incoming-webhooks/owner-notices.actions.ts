import { tellBotOwner } from '#features/messaging/messages/bot-owner-notices.actions.ts'
import type { Caller } from '#platform/http/caller.ts'
import { type Sentence, sentenceIn } from '#translations/translate.ts'

/** Mistakes in the set-up of a service, about which the bot's owner is notified. */
export type Mistake = 'header' | 'json' | 'payload' | 'place'

/**
 * Notifies a bot's owner about a problem with a delivery, once an hour for each bot and kind of
 * mistake.
 *
 * @param why Markdown
 */
export async function tellOwner(
  caller: Caller,
  service: string,
  mistake: Mistake,
  why: Sentence,
): Promise<void> {
  await tellBotOwner(caller, mistake, (language, bot) => {
    const head = language.t('Your bot {bot} could not post what {service} sent.', { bot, service })
    return `${head} ${sentenceIn(language, why)}`
  })
}
