import { AtSign, BellOff, CheckCheck, Link, MessageCircle, Search, User, Users } from 'lucide'
import type { App } from '#client/app.ts'
import { callItems } from '#client/calls/start-call.ts'
import { attempt } from '#client/commands/attempt.ts'
import { copy } from '#client/commands/copy.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import { byName } from '#client/state/names.ts'
import { isIn } from '#client/state/permissions.ts'
import { Menu, type MenuItem } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'

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
  const sender = { operator: 'sender', operand: userId, negated: false } as const
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
        ...callItems(app, direct.userIds),
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
        ...groupItems(app, userId),
      ]}
    />
  )
}

/** The most groups of a person that their menu names. */
const mostGroups = 8

/** Links to the groups that a person is in. */
function groupItems({ store, router }: App, userId: number): MenuItem[] {
  const groups = [...store.groups.all.values()]
    .filter(({ isSystem, isDeactivated }) => !isSystem && !isDeactivated)
    .filter(({ id }) => isIn(store.groups, id, userId))
    .sort((a, b) => byName(a.name, b.name))
    .slice(0, mostGroups)
  if (groups.length === 0) return []
  return [
    { kind: 'heading', label: t('Groups') },
    ...groups.map(({ id, name }) => ({
      label: name,
      icon: Users,
      href: router.href({ kind: 'group', groupId: id, section: 'members' }),
    })),
  ]
}
