import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'

/** Opens the menu of one's own account beside a button. */
export function openSelfMenu(app: App, anchor: Element): void {
  void openLazy(app, async () => (await import('./self-menu.tsx')).SelfMenu, { app, anchor })
}
