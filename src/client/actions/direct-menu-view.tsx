import { CheckCheck, Link, Search, User } from 'lucide'
import type { App } from '#client/app.ts'
import { callItems } from '#client/calls/start-call.ts'
import { copy } from '#client/commands/copy.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import { peopleNames, userName } from '#client/state/names.ts'
import { Menu, type MenuItem } from '#client/ui/menu.tsx'
import type { Box } from '#client/ui/place.ts'
import { t } from '#client/ui/t.ts'

interface DirectMenuProps {
  readonly app: App
  readonly userIds: readonly number[]
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** The menu of a direct conversation with several people. */
export function DirectMenu({ app, userIds, anchor, onClose }: DirectMenuProps) {
  const { store, router } = app
  const conversation = { kind: 'direct', userIds } as const
  const names = peopleNames(userIds, store)
  const including = { operator: 'dm-including', operand: userIds, negated: false } as const
  const search = { kind: 'search', terms: [including] } as const
  return (
    <Menu
      label={names}
      anchor={anchor}
      onClose={onClose}
      items={[
        ...callItems(app, userIds),
        store.unreads.countOf(conversation) > 0 && {
          label: t('Mark all as read'),
          icon: CheckCheck,
          onSelect: () => void markAllRead(app, conversation),
        },
        {
          label: t('All conversations with them'),
          icon: Search,
          href: router.href({ kind: 'messages', narrow: search }),
        },
        {
          label: t('Copy link'),
          icon: Link,
          onSelect: () => {
            const hash = router.href({ kind: 'messages', narrow: conversation })
            void copy(app, `${location.origin}/${hash}`, t('Link copied.'))
          },
        },
        { kind: 'heading', label: t('People') },
        ...userIds.map(
          (userId): MenuItem => ({
            label: userName(userId, store),
            icon: User,
            href: router.href({ kind: 'user', userId }),
          }),
        ),
      ]}
    />
  )
}
