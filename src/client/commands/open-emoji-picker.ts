import type { App } from '#client/app.ts'
import type { Box } from '#client/ui/place.ts'
import type { EmojiPickerProps } from './emoji-picker.tsx'
import { openLazy } from './surfaces.tsx'

/** Opens the emoji picker beside something, until the user takes an emoji or closes it. */
export function openEmojiPicker(
  app: App,
  anchor: Element | Box,
  onPick: EmojiPickerProps['onPick'],
  options: Pick<EmojiPickerProps, 'isForText'> = {},
): void {
  const load = async () => (await import('./emoji-picker.tsx')).EmojiPicker
  void openLazy(app, load, { app, anchor: fixed(anchor), onPick, ...options })
}

/** A row may be gone or elsewhere by the time the picker is loaded. */
function fixed(anchor: Element | Box): Box {
  return anchor instanceof Element ? anchor.getBoundingClientRect() : anchor
}
