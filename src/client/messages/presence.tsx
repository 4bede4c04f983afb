import type { App } from '#client/app.ts'
import { useApp } from '#client/app-context.ts'
import { type PresenceState, presenceOf } from '#client/lists/people.ts'
import { agoText } from '#client/ui/dates.ts'
import { serverNow } from '#client/ui/server-time.ts'
import { t } from '#client/ui/t.ts'

/** The presence of a user in words, with the time of their last activity. */
export function presenceText(app: App, userId: number): string {
  const state = presenceOf(userId, app.store, serverNow())
  if (state === 'active') return t('Active')
  if (state === 'idle') return t('Idle')
  const presence = app.store.presences.get(userId)
  const last = Math.max(presence?.activeAt ?? 0, presence?.idleAt ?? 0)
  if (last === 0) return t('Offline')
  return t('Last active {ago}', { ago: agoText(last) })
}

/** A dot for the presence of a user; in words for assistive technology. */
export function PresenceDot({ userId }: { readonly userId: number }) {
  const { store } = useApp()
  const state = presenceOf(userId, store, serverNow())
  const names: Record<PresenceState, string> = {
    active: t('Active'),
    idle: t('Idle'),
    offline: t('Offline'),
  }
  return <span class={`presence presence-${state}`} role="img" aria-label={names[state]} />
}
