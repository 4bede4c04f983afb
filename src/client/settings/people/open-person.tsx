import type { App } from '#client/app.ts'
import { openLazy } from '#client/commands/surfaces.tsx'
import type { PersonTab } from './person-page.tsx'

/** Opens the page of someone above what is open, which stays as it is. */
export function openPersonPage(app: App, userId: number, tab?: PersonTab): void {
  const load = async () => (await import('./person-page.tsx')).PersonPage
  void openLazy(app, load, { userId, tab, isAbove: true })
}
