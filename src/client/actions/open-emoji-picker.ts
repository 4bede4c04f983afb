import type { App } from '#client/app.ts'
import type { Emoji } from '#client/state/model.ts'
import type { Box } from '#client/ui/place.ts'
import { openLazy } from './surfaces.tsx'

/** Opens the emoji picker beside something, until the user takes an emoji or closes it. */
export function openEmojiPicker(
  app: App,
  anchor: Element | Box,
  onPick: (emoji: Emoji) => void,
): void {
  const load = async () => (await import('./emoji-picker.tsx')).EmojiPicker
  void openLazy(app, load, { app, anchor: fixed(anchor), onPick })
}

/** A row may be gone or elsewhere by the time the picker is loaded. */
function fixed(anchor: Element | Box): Box {
  return anchor instanceof Element ? anchor.getBoundingClientRect() : anchor
}
