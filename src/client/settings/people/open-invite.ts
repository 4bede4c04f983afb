import { openLazy } from '#client/actions/surfaces.tsx'
import type { App } from '#client/app.ts'

/** Opens the form to invite people above what is open. */
export function openInvite(app: App): void {
  const load = async () => (await import('./invite-dialog.tsx')).InviteDialog
  void openLazy(app, load, {})
}
