import { Bot, MessageCircle, Search } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import { roleText } from '#client/lists/roles.ts'
import { PresenceDot, presenceText } from '#client/messages/presence.tsx'
import type { View } from '#client/narrow/narrow.ts'
import type { User } from '#client/state/model.ts'
import { Avatar } from '#client/ui/avatar.tsx'
import { Button } from '#client/ui/button.tsx'
import { dayText } from '#client/ui/dates.ts'
import { Dialog } from '#client/ui/dialog.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { StatusLine, UserFacts } from '#client/views/user-facts.tsx'
import { PersonChannels, PersonGroups } from './memberships.tsx'
import { PersonManagement } from './person-management.tsx'

export type PersonTab = 'profile' | 'channels' | 'groups' | 'manage'

interface PersonPageProps {
  readonly userId: number
  readonly tab?: PersonTab | undefined
  /** It lies above what the address says. */
  readonly isAbove?: boolean
  readonly onClose: () => void
}

/** Everything about a person or a bot. */
export function PersonPage({ userId, tab = 'profile', isAbove, onClose }: PersonPageProps) {
  const { store } = useApp()
  const [shown, setShown] = useState<PersonTab>(tab)
  const user = store.users.get(userId)
  if (!user) {
    return (
      <Dialog title={t('Unknown user')} size="small" isAddressed={!isAbove} onClose={onClose}>
        <p>{t('This user does not exist, or you do not have access to them.')}</p>
      </Dialog>
    )
  }
  const tabs: readonly (readonly [PersonTab, string])[] = [
    ['profile', t('Profile')],
    ['channels', t('Channels')],
    ['groups', t('Groups')],
    ['manage', t('Manage')],
  ]
  return (
    <Dialog title={user.name} class="person" isAddressed={!isAbove} onClose={onClose}>
      <div class="stack person-page">
        <Head user={user} />
        {!user.isSystemBot && (
          <div class="cluster tight">
            {tabs.map(([id, text]) => (
              <button
                key={id}
                type="button"
                class="chip"
                aria-pressed={shown === id}
                onClick={() => setShown(id)}
              >
                {text}
              </button>
            ))}
          </div>
        )}
        {shown === 'profile' && <Profile user={user} onLeave={isAbove ? onClose : undefined} />}
        {shown === 'channels' && <PersonChannels user={user} />}
        {shown === 'groups' && <PersonGroups user={user} />}
        {shown === 'manage' && <PersonManagement user={user} />}
      </div>
    </Dialog>
  )
}

function Head({ user }: { readonly user: User }) {
  const app = useApp()
  return (
    <div class="row loose">
      <Avatar user={user} size={64} />
      <div class="grow">
        <p class="card-role">
          {user.isBot && <Icon node={Bot} size={16} />}{' '}
          {user.isActive ? roleText(user) : t('Deactivated account')}
        </p>
        {user.isActive && !user.isBot && (
          <p class="row tight card-presence">
            <PresenceDot userId={user.id} /> {presenceText(app, user.id)}
          </p>
        )}
        <p class="card-role">
          {t('Joined: {day}', { day: dayText(Date.parse(user.dateJoined) / 1000) })}
        </p>
      </div>
    </div>
  )
}

interface ProfileProps {
  readonly user: User
  /** Called before a button leads elsewhere. */
  readonly onLeave: (() => void) | undefined
}

function Profile({ user, onLeave }: ProfileProps) {
  const { router, compose, store } = useApp()
  const isSelf = user.id === store.selfId
  const go = (view: View) => {
    onLeave?.()
    router.go(view)
  }
  return (
    <>
      <StatusLine userId={user.id} />
      <UserFacts user={user} />
      <div class="row cluster">
        {user.isActive && (
          <Button
            kind="primary"
            icon={MessageCircle}
            onClick={() => {
              const direct = { kind: 'direct', userIds: [user.id] } as const
              go({ kind: 'messages', narrow: direct })
              compose.open(direct)
            }}
          >
            {isSelf ? t('Note to self') : t('Message')}
          </Button>
        )}
        <Button
          icon={Search}
          onClick={() => {
            const sender = { operator: 'sender', operand: user.id, negated: false } as const
            go({ kind: 'messages', narrow: { kind: 'search', terms: [sender] } })
          }}
        >
          {isSelf ? t('Your messages') : t('Their messages')}
        </Button>
      </div>
    </>
  )
}
