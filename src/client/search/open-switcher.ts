import { openLazy } from '#client/actions/surfaces.tsx'
import type { App } from '#client/app.ts'

/** Opens the switcher, which jumps to people, channels and topics. */
export function openSwitcher(app: App): void {
  void openLazy(app, async () => (await import('./quick-switcher.tsx')).QuickSwitcher, { app })
}
