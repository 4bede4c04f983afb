import { AtSign, BellOff, CheckCheck, Link, MessageCircle, Search, User } from 'lucide'
import type { App } from '#client/app.ts'
import { Menu } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'
import { attempt } from './attempt.ts'
import { copy, markAllRead } from './message-actions.ts'

interface PersonMenuProps {
  readonly app: App
  readonly userId: number
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** The menu of a person. */
export function PersonMenu({ app, userId, anchor, onClose }: PersonMenuProps) {
  const { store, router } = app
  const user = store.users.get(userId)
  if (!user) return null
  const direct = { kind: 'direct', userIds: [userId] } as const
  const isSelf = userId === store.selfId
  const isMuted = store.mutedUsers.value.has(userId)
  const sender = { operator: 'sender', operand: userId, negated: false }
  return (
    <Menu
      label={user.name}
      anchor={anchor}
      onClose={onClose}
      items={[
        { kind: 'heading', label: user.name },
        { label: t('View profile'), icon: User, href: router.href({ kind: 'user', userId }) },
        user.isActive && {
          label: t('Message'),
          icon: MessageCircle,
          onSelect: () => {
            router.go({ kind: 'messages', narrow: direct })
            app.compose.open(direct)
          },
        },
        {
          label: t('Messages by {name}', { name: user.name }),
          icon: Search,
          href: router.href({ kind: 'messages', narrow: { kind: 'search', terms: [sender] } }),
        },
        app.compose.state.value.isOpen && {
          label: t('Mention'),
          icon: AtSign,
          onSelect: () => app.compose.insert(`@**${user.name}|${userId}** `),
        },
        store.unreads.countOf(direct) > 0 && {
          label: t('Mark all as read'),
          icon: CheckCheck,
          onSelect: () => void markAllRead(app, direct),
        },
        {
          label: t('Copy link'),
          icon: Link,
          onSelect: () => {
            const hash = router.href({ kind: 'messages', narrow: direct })
            void copy(app, `${location.origin}/${hash}`, t('Link copied.'))
          },
        },
        !isSelf && {
          label: t('Mute'),
          icon: BellOff,
          checked: isMuted,
          onSelect: () => void attempt(app, app.changes.setMuted(userId, !isMuted)),
        },
      ]}
    />
  )
}
