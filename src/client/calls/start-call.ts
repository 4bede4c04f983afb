import { Phone, Video } from 'lucide'
import type { App } from '#client/app.ts'
import { canPostDirectly } from '#client/commands/permissions.ts'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { type CallKind, callServer, newCall } from './calls.ts'

/** The ways to start a call, in the order in which they are offered. */
export function callChoices() {
  return [
    { kind: 'video', label: t('Start a video call'), icon: Video },
    { kind: 'voice', label: t('Start a voice call'), icon: Phone },
  ] as const
}

/** Adds the link to a new call to what is being written. */
export function insertCall({ store, compose }: App, kind: CallKind): void {
  const server = callServer(store.realm.peek())
  if (server !== undefined) compose.insert(newCall(kind, server), { isBlock: true })
}

/** Whether to offer calls in a direct conversation: with somebody else, who is no bot. */
export function canCall({ store }: App, userIds: readonly number[]): boolean {
  const isPerson = (id: number) => id !== store.selfId && store.users.get(id)?.isBot === false
  return (
    callServer(store.realm.value) !== undefined &&
    userIds.some(isPerson) &&
    canPostDirectly(store, userIds)
  )
}

/** Goes to a direct conversation and adds the link to a new call to the message that is written there. */
export function startDirectCall(app: App, userIds: readonly number[], kind: CallKind): void {
  const { compose, router, store } = app
  const server = callServer(store.realm.peek())
  if (server === undefined) return
  const direct = { kind: 'direct', userIds } as const
  router.go({ kind: 'messages', narrow: direct })
  compose.open(direct)
  // The text box may still show what was written elsewhere, so the text is not inserted there.
  const { text } = compose.state.peek()
  const lead = text === '' || text.endsWith('\n') ? text : `${text}\n`
  compose.setText(`${lead}${newCall(kind, server)}\n`)
}

/** Calls in the menu of a direct conversation; none where they cannot be made. */
export function callItems(app: App, userIds: readonly number[]): MenuItem[] {
  if (!canCall(app, userIds)) return []
  return callChoices().map(({ kind, label, icon }) => ({
    label,
    icon,
    onSelect: () => startDirectCall(app, userIds, kind),
  }))
}
