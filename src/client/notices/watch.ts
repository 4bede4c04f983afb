import { effect } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import { iconCount, setTitle, showCount } from './counts.ts'
import { startDesktopNotices } from './desktop.ts'
import { viewTitle } from './view-title.ts'

/** Shows counts in the title and on the icon, and tells of new messages. Returns what ends that. */
export function watchMessages(app: App): () => void {
  const stops = [
    effect(() => setTitle(viewTitle(app))),
    effect(() => showCount(iconCount(app.store))),
    startDesktopNotices(app),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
