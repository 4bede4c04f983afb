import { Bell, Hash, Image, UserPlus, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import type { Overlay } from '#client/narrow/narrow.ts'
import { can } from '#client/state/permissions.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon, type IconNode } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'

/** The name of the mark that the account has until the list is dismissed. */
const mark = 'getting_started'
/** The number of channels that an organization begins with. */
const firstChannels = 2

/** For someone who is alone in the organization: an invitation to others, and what is left to do. */
export function GettingStarted() {
  const app = useApp()
  const { store, router } = app
  const mayInvite =
    can(store, 'create_multiuse_invite_group') || can(store, 'can_invite_users_group')
  return (
    <>
      {mayInvite && (
        <section class="side-section side-alone">
          <p>{t('No one else is here yet.')}</p>
          <a class="button button-primary" href={router.href({ kind: 'invite' })}>
            <Icon node={UserPlus} size={16} />
            {t('Invite people')}
          </a>
        </section>
      )}
      {store.realm.value.onboarding_steps.some(({ name }) => name === mark) && <Checklist />}
    </>
  )
}

interface Task {
  readonly name: string
  readonly icon: IconNode
  readonly to: Overlay
}

function Checklist() {
  const app = useApp()
  const asksForNotices = useUnanswered()
  const tasks = tasksOf(app, asksForNotices)
  if (tasks.length === 0) return null
  const dismiss = () =>
    void attempt(app, app.api.post('/users/me/onboarding_steps', { onboarding_step: mark }))
  return (
    <section class="side-section" aria-label={t('Getting started')}>
      <div class="side-head">
        <h2>{t('Getting started')}</h2>
        <IconButton label={t('Do not show this again')} icon={X} size={15} onClick={dismiss} />
      </div>
      <ul>
        {tasks.map(({ name, icon, to }) => (
          <li key={name} class="side-row">
            <a class="side-link" href={app.router.href(to)}>
              <Icon node={icon} size={16} />
              <span class="side-name">{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What the user may do, and has not done yet. */
function tasksOf({ store }: App, asksForNotices: boolean): readonly Task[] {
  const realm = store.realm.value
  const tasks: Task[] = []
  if (realm.is_admin && realm.realm_icon_source !== 'U') {
    const to = { kind: 'settings', area: 'organization', path: ['organization-profile'] } as const
    tasks.push({ name: t('Add an icon for your organization'), icon: Image, to })
  }
  if (can(store, 'can_create_public_channel_group') && store.channels.all.size <= firstChannels) {
    const to = { kind: 'channels', tab: 'new' } as const
    tasks.push({ name: t('Create your first channel'), icon: Hash, to })
  }
  if (asksForNotices) {
    const to = { kind: 'settings', area: 'personal', path: ['notifications'] } as const
    tasks.push({ name: t('Turn on notifications'), icon: Bell, to })
  }
  return tasks
}

const isUnanswered = () => 'Notification' in globalThis && Notification.permission === 'default'

/** Whether the browser has not been asked for notifications yet. */
function useUnanswered(): boolean {
  const [is, set] = useState(isUnanswered)
  useEffect(() => {
    const listeners = new AbortController()
    const look = () => set(isUnanswered())
    navigator.permissions?.query({ name: 'notifications' }).then(
      (status) => status.addEventListener('change', look, { signal: listeners.signal }),
      // Then it is seen at the next start.
      () => undefined,
    )
    return () => listeners.abort()
  }, [])
  return is
}
