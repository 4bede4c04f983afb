import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { Box } from '#client/ui/place.ts'
import { openPersonMenu } from './person-menu.tsx'

/** Opens the menu of a direct conversation: with one person, that of the person. */
export function openDirectMenu(app: App, userIds: readonly number[], anchor: Element | Box): void {
  const [only] = userIds
  if (userIds.length === 1 && only !== undefined) {
    openPersonMenu(app, only, anchor)
    return
  }
  const load = async () => (await import('./direct-menu-view.tsx')).DirectMenu
  void openLazy(app, load, { app, userIds, anchor })
}
