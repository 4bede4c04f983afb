import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { Box } from '#client/ui/place.ts'

/** Opens the menu of a person. */
export function openPersonMenu(app: App, userId: number, anchor: Element | Box): void {
  const load = async () => (await import('./person-menu-view.tsx')).PersonMenu
  void openLazy(app, load, { app, userId, anchor })
}
