import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { Box } from '#client/ui/place.ts'

/** Opens the menu of a topic. */
export function openTopicMenu(
  app: App,
  channelId: number,
  topic: string,
  anchor: Element | Box,
): void {
  const load = async () => (await import('./topic-menu-view.tsx')).TopicMenu
  void openLazy(app, load, { app, channelId, topic, anchor })
}
