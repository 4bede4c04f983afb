import { lazy } from '#client/ui/lazy.tsx'

/** Polls and to-do lists: few messages have one. */
export const MessageWidget = lazy(async () => (await import('./widgets.tsx')).MessageWidget)
