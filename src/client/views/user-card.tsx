import { Bot, MessageCircle, MoreHorizontal, Search } from 'lucide'
import { useRef } from 'preact/hooks'
import { openPersonMenu } from '#client/actions/person-menu.tsx'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { roleText } from '#client/lists/roles.ts'
import { PresenceDot, presenceText } from '#client/messages/presence.tsx'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button, IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import type { Box } from '#client/ui/place.ts'
import { Popover } from '#client/ui/popover.tsx'
import { t } from '#client/ui/t.ts'
import { StatusLine, UserFacts } from './user-facts.tsx'

interface UserCardProps {
  readonly userId: number
  readonly anchor: Element | Box
  readonly onClose: () => void
}

/** Who someone is, and how to reach them. */
export function UserCard({ userId, anchor, onClose }: UserCardProps) {
  const app = useApp()
  const more = useRef<HTMLSpanElement>(null)
  const user = app.store.users.get(userId)
  if (!user) return null
  const { selfId } = app.store
  const go = (target: Parameters<App['router']['go']>[0]) => {
    onClose()
    app.router.go(target)
  }
  return (
    <Popover anchor={anchor} placement="right" label={user.name} class="card" onClose={onClose}>
      <div class="row loose">
        <Avatar user={user} size={64} />
        <div class="grow">
          <h2 class="row tight card-name">
            {user.name}
            {user.isBot && <Icon node={Bot} size={16} label={t('Bot')} />}
          </h2>
          <p class="card-role">{user.isActive ? roleText(user) : t('Deactivated account')}</p>
          {user.isActive && !user.isBot && (
            <p class="row tight card-presence">
              <PresenceDot userId={userId} /> {presenceText(app, userId)}
            </p>
          )}
        </div>
        <span ref={more} class="card-more">
          <IconButton
            label={t('More actions')}
            icon={MoreHorizontal}
            aria-haspopup="menu"
            onClick={() => {
              const box = more.current?.getBoundingClientRect()
              if (!box) return
              onClose()
              openPersonMenu(app, userId, box)
            }}
          />
        </span>
      </div>
      <StatusLine userId={userId} />
      <UserFacts user={user} />
      <div class="cluster card-foot">
        <Button
          kind="primary"
          icon={MessageCircle}
          onClick={() => {
            go({ kind: 'messages', narrow: { kind: 'direct', userIds: [userId] } })
            app.compose.open({ kind: 'direct', userIds: [userId] })
          }}
        >
          {userId === selfId ? t('Note to self') : t('Message')}
        </Button>
        <Button
          icon={Search}
          onClick={() =>
            go({
              kind: 'messages',
              narrow: {
                kind: 'search',
                terms: [{ operator: 'sender', operand: userId, negated: false }],
              },
            })
          }
        >
          {userId === selfId ? t('Your messages') : t('Their messages')}
        </Button>
      </div>
    </Popover>
  )
}
