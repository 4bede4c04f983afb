import type { App } from '#client/app.ts'
import { agoText } from '#client/ui/dates.ts'
import { t } from '#client/ui/t.ts'
import { useApp } from './app-context.ts'

type State = 'active' | 'idle' | 'offline'

/**
 * Whether somebody is there, by when their apps were used last.
 *
 * @param isWatched whether the caller subscribes to it
 */
export function presenceOf(app: App, userId: number, isWatched = true): State {
  const { presences } = app.store
  const presence = isWatched ? presences.get(userId) : presences.peek(userId)
  if (!presence) return 'offline'
  const { server_presence_offline_threshold_seconds: threshold } = app.store.realm.value
  const now = Date.now() / 1000 + app.store.clockOffset
  if (now - presence.activeAt < threshold) return 'active'
  return now - presence.idleAt < threshold ? 'idle' : 'offline'
}

/** The same in words, with the time they were last there. */
export function presenceText(app: App, userId: number): string {
  const state = presenceOf(app, userId)
  if (state === 'active') return t('Active')
  if (state === 'idle') return t('Idle')
  const presence = app.store.presences.get(userId)
  const last = Math.max(presence?.activeAt ?? 0, presence?.idleAt ?? 0)
  if (last === 0) return t('Offline')
  return t('Last active {ago}', { ago: agoText(last, Date.now() / 1000 + app.store.clockOffset) })
}

/** A dot that says whether somebody is there; in words for assistive technology. */
export function PresenceDot({ userId }: { readonly userId: number }) {
  const app = useApp()
  const state = presenceOf(app, userId)
  const names = { active: t('Active'), idle: t('Idle'), offline: t('Offline') }
  return <span class={`presence presence-${state}`} role="img" aria-label={names[state]} />
}
