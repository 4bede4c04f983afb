import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import { focusOnceDrawn } from '#client/ui/focus-once-drawn.ts'

/** Opens the switcher, which jumps to people, channels and topics. What is typed meanwhile is for it. */
export function openSwitcher(app: App): void {
  const load = async () => (await import('./quick-switcher.tsx')).QuickSwitcher
  void openLazy(app, load, { app })
  focusOnceDrawn('.switcher input')
}
