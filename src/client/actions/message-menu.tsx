import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { Box } from '#client/ui/place.ts'

/** Opens the menu of a message. */
export function openMessageMenu(app: App, messageId: number, anchor: Element | Box): void {
  const load = async () => (await import('./message-menu-view.tsx')).MessageMenu
  void openLazy(app, load, { app, id: messageId, anchor })
}
