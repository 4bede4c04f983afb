import { Menu, type MenuItem } from '#client/ui/menu.tsx'
import type { Placement } from '#client/ui/place.ts'
import { openSurface } from './surfaces.tsx'

/** Opens a menu beside the button that was pressed, until something is chosen or it is left. */
export function openMenu(
  label: string,
  anchor: Element,
  placement: Placement,
  items: readonly MenuItem[],
): void {
  openSurface((close) => (
    <Menu label={label} anchor={anchor} placement={placement} items={items} onClose={close} />
  ))
}
