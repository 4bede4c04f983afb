import { h } from 'preact'
import type { App } from '#client/app.ts'
import { openSurface } from '#client/commands/surfaces.tsx'
import { QuickSwitcher } from './quick-switcher.tsx'

/**
 * Opens the switcher, which jumps to people, channels and topics: immediately, because people continue
 * to type.
 */
export function openSwitcher(app: App): void {
  openSurface((onClose) => h(QuickSwitcher, { app, onClose }))
}
