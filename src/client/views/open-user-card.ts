import { h } from 'preact'
import type { App } from '#client/app.ts'
import { openSurface } from '#client/commands/surfaces.tsx'
import { UserCard } from './parts.ts'

/** Opens the card of someone beside what was clicked. */
export function openUserCard(app: App, userId: number, anchor: Element): void {
  if (!app.store.users.peek(userId)) return
  openSurface((close) => h(UserCard, { userId, anchor, onClose: close }))
}
