import { type Channel, findChannel } from '#features/foundation/channels/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { organizationLanguage } from '#features/foundation/users/language.queries.ts'
import { postNotice } from '#features/messaging/messages/notices.actions.ts'
import { silentMention } from '#features/messaging/messages/quoting.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { Tx } from '#platform/store/store.ts'
import { linkMarkdown } from '#shared/place-links.ts'

/** Announces new channels, except private ones, in the channel that the realm chose for it. */
export function announce(tx: Tx, { user, server }: Caller, created: readonly Channel[]): void {
  const target = findChannel(tx, realmSetting(tx, 'new_stream_announcements_stream_id'))
  const names = created
    .filter(({ isPrivate }) => !isPrivate)
    .map((channel) => linkMarkdown(channel))
  if (!target || target.isArchived || names.length === 0) return
  const { list, t } = organizationLanguage(tx)
  const values = { name: silentMention(user), channels: list(names) }
  const content =
    names.length === 1
      ? t('{name} created a new channel: {channels}.', values)
      : t('{name} created new channels: {channels}.', values)
  postNotice(tx, target, t('new channels'), { author: user, content, realmUrl: server.realmUrl })
}
