import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'

/** Opens the dialog for the user's status. */
export function openStatusDialog(app: App): void {
  void openLazy(app, async () => (await import('./status-dialog.tsx')).StatusDialog, {})
}
