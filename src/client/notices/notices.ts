import { effect } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import { iconCount, showCount } from './counts.ts'
import { startDesktopNotices } from './desktop.ts'

/** Shows counts in the title and on the icon, and tells of new messages. Returns what stops that. */
export function startNotices(app: App): () => void {
  const stopCounts = effect(() => showCount(app, iconCount(app.store)))
  const stopDesktop = startDesktopNotices(app)
  return () => {
    stopCounts()
    stopDesktop()
  }
}
