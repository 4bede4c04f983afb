import type { App } from '#client/app.ts'
import type { ReadPlace } from '#client/state/marking.ts'
import { attempt } from './attempt.ts'

/** Marks every message of a narrow as read. @returns how many; @throws CallError */
export function readPlace({ marking }: App, place: ReadPlace): Promise<number> {
  return place.kind === 'channel'
    ? marking.markChannelRead(place.channelId)
    : marking.markConversationRead(place)
}

/** Marks every message of a narrow as read, and offers an undo. Asks first if they are many. */
export async function markAllRead(app: App, place: ReadPlace | 'everything'): Promise<void> {
  const load = import('./mark-all-read.ts')
  await (await attempt(app, load))?.markAllRead(app, place)
}
