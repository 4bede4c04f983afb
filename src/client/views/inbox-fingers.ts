import { CheckCheck } from 'lucide'
import { openChannelMenu } from '#client/actions/channel-menu.tsx'
import { openDirectMenu } from '#client/actions/direct-menu.ts'
import { openTopicMenu } from '#client/actions/topic-menu.tsx'
import type { App } from '#client/app.ts'
import { markAllRead } from '#client/commands/mark-read.ts'
import type { ReadPlace } from '#client/state/marking.ts'
import type { Box } from '#client/ui/place.ts'
import { followLongPresses } from './long-press.ts'
import { followPulls } from './pulls.ts'

/**
 * Handles fingers on rows of the inbox: resting opens the menu, pulling a row marks it as read.
 *
 * @param placeOf what a row stands for
 * @param signal stops it
 */
export function followInboxFingers(
  app: App,
  element: HTMLElement,
  placeOf: (row: HTMLElement) => ReadPlace | undefined,
  signal: AbortSignal,
): void {
  const rowUnder = (target: Element) => target.closest<HTMLElement>('.inbox-row') ?? undefined
  followLongPresses(
    element,
    {
      rowUnder: (target) => (target.closest('button') ? undefined : rowUnder(target)),
      onHold: () => void navigator.vibrate?.(10),
      onLift(row, left, top) {
        const place = placeOf(row)
        if (place) openMenu(app, place, { left, top, width: 0, height: 0 })
      },
    },
    signal,
  )
  followPulls(
    element,
    {
      rowUnder,
      icon: CheckCheck,
      onPull(row) {
        const place = placeOf(row)
        if (place) void markAllRead(app, place)
      },
    },
    signal,
  )
}

function openMenu(app: App, place: ReadPlace, at: Box): void {
  if (place.kind === 'channel') openChannelMenu(app, place.channelId, at)
  else if (place.kind === 'topic') openTopicMenu(app, place.channelId, place.topic, at)
  else openDirectMenu(app, place.userIds, at)
}
