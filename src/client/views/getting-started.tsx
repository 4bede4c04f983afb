import { Bell, Blocks, Image, UserPlus, X } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { attempt } from '#client/commands/attempt.ts'
import type { Overlay } from '#client/narrow/narrow.ts'
import type { User } from '#client/state/model.ts'
import { can } from '#client/state/permissions.ts'
import type { Store } from '#client/state/store.ts'
import { IconButton } from '#client/ui/button.tsx'
import { Icon, type IconNode } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { firstStepsMark } from './parts.ts'

/** The first steps that are left, until they are done or put away; and an invitation while one is alone. */
export function GettingStarted({ isAlone }: { readonly isAlone: boolean }) {
  const app = useApp()
  const { store, router } = app
  return (
    <>
      {isAlone && mayInvite(store) && (
        <section class="stack side-section side-alone">
          <p>{t('No one else is here yet.')}</p>
          <a class="button button-primary" href={router.href({ kind: 'invite' })}>
            <Icon node={UserPlus} size={16} />
            {t('Invite people')}
          </a>
        </section>
      )}
      {store.realm.value.onboarding_steps.some(({ name }) => name === firstStepsMark) && (
        <Checklist isAlone={isAlone} />
      )}
    </>
  )
}

const mayInvite = (store: Store): boolean =>
  can(store, 'create_multiuse_invite_group') || can(store, 'can_invite_users_group')

interface Task {
  readonly name: string
  readonly icon: IconNode
  readonly to: Overlay
}

function Checklist({ isAlone }: { readonly isAlone: boolean }) {
  const app = useApp()
  const asksForNotices = useUnanswered()
  const tasks = tasksOf(app, { isAlone, asksForNotices })
  if (tasks.length === 0) return null
  const dismiss = () =>
    void attempt(
      app,
      app.api.post('/users/me/onboarding_steps', { onboarding_step: firstStepsMark }),
    )
  return (
    <section class="side-section" aria-label={t('Getting started')}>
      <div class="side-head">
        <h2>{t('Getting started')}</h2>
        <IconButton label={t('Do not show this again')} icon={X} size={15} onClick={dismiss} />
      </div>
      <ul>
        {tasks.map(({ name, icon, to }) => (
          <li key={name} class="side-row">
            <a class="row side-link" href={app.router.href(to)}>
              <Icon node={icon} size={16} />
              <span class="side-name">{name}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface TaskFacts {
  readonly isAlone: boolean
  readonly asksForNotices: boolean
}

/** What the user may do, and has not done yet. */
function tasksOf({ store }: App, { isAlone, asksForNotices }: TaskFacts): readonly Task[] {
  const realm = store.realm.value
  const tasks: Task[] = []
  if (realm.is_admin && realm.realm_icon_source !== 'U') {
    const to = { kind: 'settings', area: 'organization', path: ['organization-profile'] } as const
    tasks.push({ name: t('Add an icon for your organization'), icon: Image, to })
  }
  // While one is alone, a button above says so.
  if (!isAlone && realm.is_admin && mayInvite(store)) {
    tasks.push({ name: t('Invite more people'), icon: UserPlus, to: { kind: 'invite' } })
  }
  if (realm.is_admin && [...store.users.all.values()].every(isNoConnection)) {
    const to = { kind: 'settings', area: 'personal', path: ['integrations'] } as const
    tasks.push({ name: t('Connect GitHub or another service'), icon: Blocks, to })
  }
  if (asksForNotices) {
    const to = { kind: 'settings', area: 'personal', path: ['notifications'] } as const
    tasks.push({ name: t('Turn on notifications'), icon: Bell, to })
  }
  return tasks
}

const isNoConnection = ({ isBot, isSystemBot }: User) => !isBot || isSystemBot

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
