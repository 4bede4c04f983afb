import type { ComponentType } from 'preact'
import { loadSurfaceStyles } from '#client/commands/surfaces.tsx'
import { lazy } from '#client/ui/lazy.tsx'

/* What the box draws instead of a part of the source. It is loaded, with its styles, when a text first has one. */

const drawn = <P extends object>(load: () => Promise<ComponentType<P>>) =>
  lazy(async () => {
    const [part] = await Promise.all([load(), loadSurfaceStyles()])
    return part
  })

export const QuoteCards = drawn(async () => (await import('./quote-cards.tsx')).QuoteCards)
export const WidgetCard = drawn(async () => (await import('./widget-card.tsx')).WidgetCard)
export const UploadList = drawn(async () => (await import('./upload-list.tsx')).UploadList)
/** Whether a text may have tokens: it is asked with every key. */
export const mayHaveTokens = (text: string) => /[@#]_?\*|<time:/.test(text)
export const TokenLayer = drawn(async () => (await import('./token-layer.tsx')).TokenLayer)
