import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { Box } from '#client/ui/place.ts'

/** Opens the menu of a channel. */
export function openChannelMenu(app: App, channelId: number, anchor: Element | Box): void {
  const load = async () => (await import('./channel-menu-view.tsx')).ChannelMenu
  void openLazy(app, load, { app, channelId, anchor })
}
