import { effect } from '@preact/signals-core'
import type { App } from '#client/app.ts'
import type { DesktopApp } from './desktop-bridge.ts'

/** The pages that the app's own menu opens. */
const menuPages = {
  'show-keyboard-shortcuts': '#keyboard-shortcuts',
  'show-notification-settings': '#settings/notifications',
}

/**
 * Sends a desktop app around the page the data for its side bar, and runs the commands of its menu.
 */
export function serveDesktopApp({ store, logOut, notify }: App, bridge: DesktopApp): () => void {
  bridge.on_event?.('logout', () => {
    logOut().catch((error: Error) => notify(error.message, 'error'))
  })
  for (const [name, hash] of Object.entries(menuPages)) {
    bridge.on_event?.(name, () => {
      location.hash = hash
    })
  }
  const stops = [
    effect(() => bridge.send_event?.('total_unread_count', store.unreads.counts.value.total)),
    effect(() => bridge.send_event?.('realm_name', store.realm.value.realm_name)),
    effect(() => {
      const { href } = new URL(store.realm.value.realm_icon_url, location.origin)
      bridge.send_event?.('realm_icon_url', href)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}
