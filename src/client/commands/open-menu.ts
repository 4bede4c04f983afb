import type { App } from '#client/app.ts'
import type { MenuItem } from '#client/ui/menu.tsx'
import type { Placement } from '#client/ui/place.ts'
import { openLazy } from './surfaces.tsx'

/** Opens a menu beside the button that was pressed, until something is chosen or it is left. */
export function openMenu(
  app: App,
  label: string,
  anchor: Element,
  placement: Placement,
  items: readonly MenuItem[],
): void {
  const load = async () => (await import('#client/ui/menu.tsx')).Menu
  void openLazy(app, load, { label, anchor, placement, items })
}
