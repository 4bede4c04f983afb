import {
  Bell,
  BellOff,
  Check,
  CheckCheck,
  Link,
  ListChecks,
  Move,
  Pencil,
  Trash2,
  Volume2,
} from 'lucide'
import type { App } from '#client/app.ts'
import { openConfirm } from '#client/commands/confirm-dialog.tsx'
import { copy } from '#client/commands/copy.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import { canMoveOut, canMoveTopics, canResolve, isAdmin } from '#client/commands/permissions.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import {
  deleteTopic,
  newestOf,
  setTopicPolicy,
  toggleResolved,
} from '#client/commands/topic-actions.ts'
import type { Narrow } from '#client/narrow/narrow.ts'
import { type Conversation, conversationKey, sameConversation } from '#client/state/model.ts'
import { topicName } from '#client/state/names.ts'
import type { Store } from '#client/state/store.ts'
import { Menu } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'
import { isResolved } from '#shared/resolved-topics.ts'

interface TopicMenuProps {
  readonly app: App
  readonly channelId: number
  readonly topic: string
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** The menu of a topic. */
export function TopicMenu({ app, channelId, topic, anchor, onClose }: TopicMenuProps) {
  const { store } = app
  const channel = store.channels.get(channelId)
  if (!channel) return null
  const conversation = { kind: 'topic', channelId, topic } as const
  const policy = store.topicPolicies.get(conversationKey(conversation))?.policy ?? 0
  const isChannelMuted = store.subscriptions.get(channelId)?.isMuted ?? false
  const unread = store.unreads.countOf(conversation)
  const name = topicName(topic, store)
  const set = (next: 0 | 1 | 2 | 3) => () =>
    void setTopicPolicy(app, channelId, topic, policy === next ? 0 : next)
  const mayMove = canMoveTopics(store, channel) || canMoveOut(store, channel)
  return (
    <Menu
      label={name}
      anchor={anchor}
      onClose={onClose}
      items={[
        { kind: 'heading', label: name },
        unread > 0 && {
          label: t('Mark all as read'),
          icon: CheckCheck,
          onSelect: () => void markAllRead(app, conversation),
        },
        { label: t('Follow'), icon: Bell, checked: policy === 3, onSelect: set(3) },
        { label: t('Mute'), icon: BellOff, checked: policy === 1, onSelect: set(1) },
        isChannelMuted && {
          label: t('Unmute'),
          icon: Volume2,
          checked: policy === 2,
          onSelect: set(2),
        },
        { kind: 'separator' },
        canResolve(store, channel) &&
          topic !== '' && {
            label: isResolved(topic) ? t('Mark as not resolved') : t('Mark as resolved'),
            icon: Check,
            onSelect: () => void toggleResolved(app, channelId, topic),
          },
        mayMove && {
          label: t('Rename or move'),
          icon: canMoveOut(store, channel) ? Move : Pencil,
          onSelect: () => void openMoveTopic(app, channelId, topic),
        },
        {
          label: t('Copy link'),
          icon: Link,
          onSelect: () => {
            const hash = app.router.href({
              kind: 'messages',
              narrow: permanent(store, conversation),
            })
            void copy(app, `${location.origin}/${hash}`, t('Link copied.'))
          },
        },
        {
          label: t('All topics in the channel'),
          icon: ListChecks,
          href: app.router.href({ kind: 'topics', channelId }),
        },
        isAdmin(store) && {
          label: t('Delete topic'),
          icon: Trash2,
          isDanger: true,
          onSelect: () =>
            openConfirm({
              title: t('Delete topic'),
              text: t('All messages in “{topic}” are removed for everyone.', { topic: name }),
              action: t('Delete'),
              run: () => deleteTopic(app, channelId, topic),
            }),
        },
      ]}
    />
  )
}

/** The topic by one of its messages, so that a link finds it after a move or a new name. */
function permanent({ recent }: Store, topic: Conversation & { readonly kind: 'topic' }): Narrow {
  const known = recent.topicsOf(topic.channelId)
  const withId = known.find(({ conversation }) => sameConversation(conversation, topic))?.newestId
  return withId === undefined ? topic : { ...topic, withId }
}

/** Opens the dialog that renames or moves a complete topic. */
async function openMoveTopic(app: App, channelId: number, topic: string): Promise<void> {
  const id = await newestOf(app, channelId, topic)
  if (id === undefined) return
  const message = { id, conversation: { kind: 'topic', channelId, topic } as const }
  const load = async () => (await import('./move-dialog.tsx')).MoveDialog
  await openLazy(app, load, { app, message, isWhole: true })
}
