import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { peopleNames } from '#client/state/names.ts'
import { t } from '#client/ui/t.ts'

/** What a view says that has no messages. */
export function EmptyList({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  const [title, help] = textsFor(app, narrow)
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{help}</p>
    </div>
  )
}

function textsFor(app: App, narrow: Narrow): readonly [title: string, help: string] {
  switch (narrow.kind) {
    case 'topic':
      return [t('Nothing here yet'), t('Write the first message of this topic.')]
    case 'channel':
      return [t('Nothing here yet'), t('Start the first conversation of this channel.')]
    case 'direct':
      return narrow.userIds.length === 1 && narrow.userIds[0] === app.store.selfId
        ? [t('Your notes'), t('Only you can see the notes you write here.')]
        : [
            t('No messages with {people} yet', { people: peopleNames(narrow.userIds, app.store) }),
            t('Say hello.'),
          ]
    case 'mentions':
      return [t('No mentions yet'), t('Messages that mention you show up here.')]
    case 'starred':
      return [t('No starred messages'), t('Starred messages show up here.')]
    case 'reactions':
      return [t('No reactions yet'), t('Your messages that got reactions show up here.')]
    case 'search':
      return [t('Nothing found'), t('Try fewer or different words.')]
    case 'all':
      return [
        t('No messages yet'),
        t('Press C to start a conversation in a channel, or X to write a direct message.'),
      ]
    case 'all-direct':
      return [t('No direct messages yet'), t('Choose someone from the user list, or press X.')]
  }
}
