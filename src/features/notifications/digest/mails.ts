import type { Channel } from '#features/foundation/channels/queries.ts'
import type { Message } from '#features/foundation/core/queries.ts'
import { composed, type Mail, type Part } from '#features/foundation/mail/frame.ts'
import {
  unsubscribeHeaders,
  unsubscribeUrl,
} from '#features/foundation/mail/unsubscribe.queries.ts'
import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import type { User } from '#features/foundation/users/queries.ts'
import {
  shownMessages,
  type ToMailHtml,
} from '#features/notifications/mail-notifications/shown.mails.ts'
import { escapeAttribute, escapeHtml } from '#platform/markdown/escape.ts'
import { channelUrl, topicUrl } from '#platform/markdown/links.ts'
import type { Read } from '#platform/store/store.ts'

/** A topic in a digest. */
export interface Digest {
  readonly topics: readonly {
    readonly channel: Channel
    /** How many messages it got. */
    readonly messages: number
    /** The first of them, at least one. */
    readonly samples: readonly Message[]
  }[]
  readonly newChannels: readonly Channel[]
}

/** The mail about the time that someone was away. */
export function digestMail(
  read: Read,
  reader: User,
  digest: Digest,
  realmUrl: string,
  toHtml: ToMailHtml,
): Mail {
  const language = userLanguage(read, reader)
  const { t, tn } = language
  const { name: organization } = requireRealm(read)
  const unsubscribe = unsubscribeUrl(read, 'digest', reader.id, realmUrl)
  const topics = digest.topics.flatMap(({ channel, messages, samples }): Part[] => {
    const topic = samples[0]?.topic ?? ''
    const label = `#${channel.name} > ${topic || realmSetting(read, 'empty_topic_display_name')}`
    const url = realmUrl + topicUrl(channel, topic)
    const count = tn(messages, 'one message', '{count} messages')
    return [
      linked(t('{topic}: {messages}', { topic: label, messages: count }), url),
      ...shownMessages(read, reader, samples, realmUrl, toHtml),
    ]
  })
  const channels = digest.newChannels.map((channel) =>
    linked(t('New channel: #{channel}', { channel: channel.name }), realmUrl + channelUrl(channel)),
  )
  return composed({
    language,
    organization,
    address: reader.email,
    subject: t('What happened in {organization}', { organization }),
    parts: [
      t('While you were away, this happened in {organization}:', { organization }),
      ...topics,
      ...channels,
    ],
    footer: [
      [
        t('You get this email once a week when you have been away for five days.'),
        {
          lead: t('Settings'),
          url: `${realmUrl}/#settings/notifications`,
          label: t('Notifications'),
        },
        { lead: t('No more of these emails'), url: unsubscribe, label: t('Unsubscribe') },
      ],
    ],
    headers: {
      'List-Id': `<digest.${new URL(realmUrl).hostname}>`,
      ...unsubscribeHeaders(unsubscribe),
      'X-Auto-Response-Suppress': 'All',
    },
  })
}

/** A line that is a link. */
function linked(label: string, url: string): Part {
  return {
    text: `${label}\n${url}`,
    html: `<h2><a href="${escapeAttribute(url)}">${escapeHtml(label)}</a></h2>`,
  }
}
