/**
 * The interface that Zulip's desktop app adds to the pages that it shows. Older releases lack some
 * of it.
 *
 * @source zulip-desktop, `electron-bridge`
 */
export interface DesktopApp {
  send_event?(name: string, value: unknown): void
  on_event?(name: string, listener: () => void): void
  /** Whether the machine is idle, whatever window has the focus. */
  get_idle_on_system?(): boolean
}

/** The desktop app around the page, if there is one. */
export const desktopApp = () => (globalThis as { electron_bridge?: DesktopApp }).electron_bridge
