import type { Channel } from '#features/foundation/channels/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { organizationLanguage } from '#features/foundation/users/language.queries.ts'
import { postNotice } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import type { Caller } from '#platform/http/caller.ts'
import { quoteBlock } from '#platform/markdown/quotes.ts'
import type { Tx } from '#platform/store/store.ts'
import { type Text, type Translator, text } from '#translations/translate.ts'

/** A sentence about a change of a channel. @param name the user who made it, as Markdown */
export type NoticeText = (language: Translator, name: string) => string

/**
 * Posts a message from Notification Bot in a channel about the caller's action, unless the
 * organization has turned these messages off. The caller has read it.
 *
 * @param say what happened, in the organization's language
 */
export function postChannelNotice(
  tx: Tx,
  { user, server }: Caller,
  channel: Channel,
  say: NoticeText,
): void {
  if (!realmSetting(tx, 'send_channel_events_messages')) return
  const language = organizationLanguage(tx)
  postNotice(tx, channel, language.t('channel events'), {
    author: user,
    content: say(language, silentMention(user)),
    realmUrl: server.realmUrl,
    readBy: [user.id],
  })
}

/**
 * Posts the first message of a channel that the caller created: who can read it, and what it is for.
 * Its first subscribers are in it already.
 */
export function postCreationNotice(tx: Tx, caller: Caller, channel: Channel): void {
  const source = channel.description
  postChannelNotice(tx, caller, channel, ({ t }, name) => {
    const privacy = `**${t(privacyOf(channel))}**`
    const created = t('{name} created this channel. It is {privacy}.', { name, privacy })
    return source === ''
      ? created
      : [created, `${t('Description:')}\n${quoted(t, source)}`].join('\n\n')
  })
}

/** Who can read a channel, in words. */
export function privacyOf({ isPrivate, isWebPublic, historyPublic }: Channel): Text {
  if (isWebPublic) return text('web-public')
  if (!isPrivate) return text('public')
  return historyPublic
    ? text('private, with shared history')
    : text('private, with protected history')
}

/** A description as a quote. */
export function quoted(t: Translator['t'], description: string): string {
  return description === '' ? `*${t('No description.')}*` : quoteBlock(description)
}
