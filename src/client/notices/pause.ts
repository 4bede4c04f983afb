import type { QuietTimes } from '#client/api/wire.ts'
import type { App } from '#client/app.ts'
import { attempt, tellWithUndo } from '#client/commands/attempt.ts'
import { shortMoment } from '#client/commands/moments.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import { serverNow } from '#client/ui/server-time.ts'
import { t } from '#client/ui/t.ts'
import { isPaused } from './quiet.ts'

/** Asks how long to pause notifications. */
export function openPauseDialog(app: App): void {
  void openLazy(app, async () => (await import('./pause-dialog.tsx')).PauseDialog, { app })
}

/** When a pause ends, in words; undefined: there is none. */
export function pauseEnd({ store }: App): string | undefined {
  const { quiet_times: times } = store.realm.value
  if (!times?.paused_until || !isPaused(times, serverNow())) return undefined
  return shortMoment(new Date(times.paused_until * 1000))
}

/** Pauses notifications, or resumes them. @param until in seconds since the epoch; null: now */
export async function pauseNotifications(app: App, until: number | null): Promise<boolean> {
  const change = (paused_until: number | null) =>
    app.api.patch<{ quiet_times: QuietTimes }>('/users/me/quiet_times', { paused_until })
  const before = app.store.realm.peek().quiet_times?.paused_until ?? null
  const done = await attempt(app, change(until))
  if (!done) return false
  const said =
    until === null
      ? t('Notifications are on again.')
      : t('Notifications are paused until {when}.', { when: shortMoment(new Date(until * 1000)) })
  tellWithUndo(app, said, () => change(before))
  return true
}
