import {
  AtSign,
  Compass,
  Hash,
  Inbox,
  Layers,
  MessageCircle,
  MessagesSquare,
  SearchX,
  SmilePlus,
  Star,
} from 'lucide'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { peopleNames } from '#client/state/names.ts'
import { Icon, type IconNode } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { outgoingIn } from './outgoing.tsx'

/** The text of a view without messages. */
export function EmptyList({ narrow }: { readonly narrow: Narrow }) {
  const app = useApp()
  // The first one is below, on its way.
  if (outgoingIn(app, narrow).length > 0) return null
  const [title, help] = textsFor(app, narrow)
  return (
    <div class="empty">
      <Icon node={icons[narrow.kind]} size={40} class="empty-icon" />
      <h2>{title}</h2>
      <p>{help}</p>
    </div>
  )
}

/** The text of an inbox without unread messages, or without matches. */
export function EmptyInbox({ isFilteredOut }: { readonly isFilteredOut: boolean }) {
  const { href } = useApp().router
  return (
    <div class="empty">
      <Icon node={Inbox} size={40} class="empty-icon" />
      <h2>{isFilteredOut ? t('Nothing found') : t("You're all caught up")}</h2>
      <p>
        {isFilteredOut ? t('No unread conversations match.') : t('Unread messages show up here.')}
      </p>
      {!isFilteredOut && (
        <p class="cluster empty-links">
          <a class="button button-plain" href={href({ kind: 'recent' })}>
            {t('Recent conversations')}
          </a>
          <a class="button button-plain" href={href({ kind: 'messages', narrow: { kind: 'all' } })}>
            {t('Combined feed')}
          </a>
        </p>
      )}
    </div>
  )
}

/** The view of an address with an unknown or inaccessible channel. */
export function GoneView() {
  const { router } = useApp()
  return (
    <div class="empty" role="alert">
      <Icon node={Compass} size={40} class="empty-icon" />
      <h2>{t('This channel does not exist, or you may not see it')}</h2>
      <p>{t('It may have been deleted, or be for others only.')}</p>
      <p class="cluster empty-links">
        <a class="button button-primary" href={router.href({ kind: 'inbox' })}>
          {t('Back to the inbox')}
        </a>
      </p>
    </div>
  )
}

const icons: Readonly<Record<Narrow['kind'], IconNode>> = {
  topic: MessageCircle,
  channel: Hash,
  direct: MessagesSquare,
  mentions: AtSign,
  starred: Star,
  reactions: SmilePlus,
  search: SearchX,
  all: Layers,
  'all-direct': MessagesSquare,
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
