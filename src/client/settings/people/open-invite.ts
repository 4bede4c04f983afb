import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'

/** Opens the form to invite people above what is open. */
export function openInvite(app: App): void {
  const load = async () => (await import('./invite-dialog.tsx')).InviteDialog
  void openLazy(app, load, {})
}
