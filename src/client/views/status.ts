import { openLazy } from '#client/actions/surfaces.tsx'
import type { App } from '#client/app.ts'

/** Opens the dialog in which the user says what they are doing. */
export function openStatusDialog(app: App): void {
  void openLazy(app, async () => (await import('./status-dialog.tsx')).StatusDialog, {})
}
