import type { Channel } from '#features/channels/channels/queries.ts'
import type { Message } from '#features/messaging/core/queries.ts'
import { composed, type Mail, type Part } from '#features/notifications/mail/frame.ts'
import {
  unsubscribeHeaders,
  unsubscribeUrl,
} from '#features/notifications/mail/unsubscribe.queries.ts'
import {
  shownMessages,
  type ToMailHtml,
} from '#features/notifications/mail-notifications/shown.mails.ts'
import { requireRealm } from '#features/organization/realm/queries.ts'
import { realmSetting } from '#features/organization/realm/settings.queries.ts'
import type { User } from '#features/people/users/queries.ts'
import { escapeAttribute, escapeHtml } from '#platform/markdown/escape.ts'
import { channelUrl, topicUrl } from '#platform/markdown/links.ts'
import type { Read } from '#platform/store/write.ts'

/** What a digest tells of. */
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

/** The mail about what happened while somebody was away. */
export function digestMail(
  read: Read,
  reader: User,
  digest: Digest,
  realmUrl: string,
  toHtml: ToMailHtml,
): Mail {
  const { name } = requireRealm(read)
  const unsubscribe = unsubscribeUrl(read, 'digest', reader.id, realmUrl)
  const topics = digest.topics.flatMap(({ channel, messages, samples }): Part[] => {
    const topic = samples[0]?.topic ?? ''
    const label = `#${channel.name} > ${topic || realmSetting(read, 'empty_topic_display_name')}`
    const url = realmUrl + topicUrl(channel, topic)
    const count = messages === 1 ? 'one message' : `${messages} messages`
    return [
      linked(`${label}: ${count}`, url),
      ...shownMessages(read, reader, samples, realmUrl, toHtml),
    ]
  })
  const channels = digest.newChannels.map((channel) =>
    linked(`New channel: #${channel.name}`, realmUrl + channelUrl(channel)),
  )
  return composed({
    organization: name,
    address: reader.email,
    subject: `What happened in ${name}`,
    parts: [`While you were away, this happened in ${name}:`, ...topics, ...channels],
    footer: [
      [
        'You get this mail once a week if you have not been there for five days.',
        { lead: 'Settings', url: `${realmUrl}/#settings/notifications`, label: 'Notifications' },
        { lead: 'No more such mail', url: unsubscribe, label: 'Unsubscribe' },
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
