import { Phone, Video } from 'lucide'
import type { App } from '#client/app.ts'
import { canPostDirectly } from '#client/commands/permissions.ts'
import { type ComposeTarget, isSameTarget } from '#client/state/compose-target.ts'
import type { MenuItem } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'
import { type CallKind, callServer, newCall, providers } from './calls.ts'

/** The ways to start a call, in the order in which they are offered. */
export function callChoices({ store }: App) {
  const video = { kind: 'video', label: t('Start a video call'), icon: Video } as const
  const voice = { kind: 'voice', label: t('Start a voice call'), icon: Phone } as const
  // These rooms have no kind: everyone chooses on entering.
  const chosen = store.realm.value.realm_video_chat_provider
  const isOneKind = chosen === providers.nextcloud || chosen === providers.constructorGroups
  return isOneKind ? [video] : [video, voice]
}

/** Adds the link to a new call to the message. */
export async function insertCall(app: App, kind: CallKind): Promise<void> {
  const { compose } = app
  const { target } = compose.state.peek()
  const link = await makeCall(app, kind, target)
  // Meanwhile the box may show a message to others.
  if (link !== undefined && isSameTarget(compose.state.peek().target, target)) {
    compose.insert(link, { isBlock: true })
  }
}

/** The Markdown of a link to a new call; undefined after an error message. */
async function makeCall(
  app: App,
  kind: CallKind,
  target: ComposeTarget,
): Promise<string | undefined> {
  const settings = app.store.realm.peek()
  const server = callServer(settings)
  if (server === undefined) return undefined
  if (settings.realm_video_chat_provider === providers.jitsi) return newCall(kind, server)
  const { makeServerCall } = await import('./server-calls.ts')
  return await makeServerCall(app, kind, target)
}

/** Whether to offer calls in a direct conversation: only with other people, not bots. */
export function canCall({ store }: App, userIds: readonly number[]): boolean {
  const isPerson = (id: number) => id !== store.selfId && store.users.get(id)?.isBot === false
  return (
    callServer(store.realm.value) !== undefined &&
    userIds.some(isPerson) &&
    canPostDirectly(store, userIds)
  )
}

/** Goes to a direct conversation and adds the link to a new call to the message there. */
export async function startDirectCall(
  app: App,
  userIds: readonly number[],
  kind: CallKind,
): Promise<void> {
  const { compose, router, store } = app
  if (callServer(store.realm.peek()) === undefined) return
  const direct = { kind: 'direct', userIds } as const
  router.go({ kind: 'messages', narrow: direct })
  compose.open(direct)
  const { target } = compose.state.peek()
  const link = await makeCall(app, kind, target)
  const { target: shown, text } = compose.state.peek()
  if (link === undefined || !isSameTarget(shown, target)) return
  // The text box may still show what was written elsewhere, so the text is not inserted there.
  const lead = text === '' || text.endsWith('\n') ? text : `${text}\n`
  compose.setText(`${lead}${link}\n`)
}

/** Calls in the menu of a direct conversation; none if they cannot be made. */
export function callItems(app: App, userIds: readonly number[]): MenuItem[] {
  if (!canCall(app, userIds)) return []
  return callChoices(app).map(({ kind, label, icon }) => ({
    label,
    icon,
    onSelect: () => void startDirectCall(app, userIds, kind),
  }))
}
