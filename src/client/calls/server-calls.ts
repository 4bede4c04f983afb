import type { App } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { t } from '#client/ui/t.ts'
import { type CallKind, callLink, providers } from './calls.ts'

/**
 * Lets the server make a call at the organization's provider.
 *
 * @returns the Markdown of its link; undefined after an error message
 */
export async function makeServerCall(
  app: App,
  kind: CallKind,
  target: ComposeTarget,
): Promise<string | undefined> {
  const { realm_url, realm_video_chat_provider: provider } = app.store.realm.peek()
  if (provider === providers.zoom && !(await connectWithZoom(app))) return undefined
  const reply = await attempt(app, askServer(app, provider, kind, titleOf(app, target)))
  return reply && callLink(kind, new URL(reply.url, realm_url).href)
}

async function askServer(
  { api }: App,
  provider: number,
  kind: CallKind,
  name: string,
): Promise<{ url: string }> {
  switch (provider) {
    case providers.nextcloud:
      return await api.post('/calls/nextcloud_talk/create', { room_name: name })
    case providers.bigBlueButton:
      return await api.get('/calls/bigbluebutton/create', {
        meeting_name: name,
        voice_only: kind === 'voice',
      })
    case providers.constructorGroups:
      return await api.post('/calls/constructorgroups/create', {})
    default:
      return await api.post('/calls/zoom/create', { is_video_call: kind === 'video' })
  }
}

/** Ends the wait for Zoom, because another call was started. */
let giveUp = () => {}

/**
 * Connects the user's account with Zoom in a separate window; an event reports the end. False if
 * there is no window, or another call was started since.
 */
async function connectWithZoom({ store, notify }: App): Promise<boolean> {
  giveUp()
  if (store.realm.peek().has_zoom_token) return true
  if (!window.open('/calls/zoom/register', '_blank')) {
    notify(t('Allow pop-up windows for this page, to connect your account with Zoom.'), 'error')
    return false
  }
  return await new Promise((resolve) => {
    const end = (isConnected: boolean) => {
      giveUp = () => {}
      unwatch()
      resolve(isConnected)
    }
    giveUp = () => end(false)
    const unwatch = store.realm.subscribe(({ has_zoom_token }) => {
      // Called immediately as well, when it is false.
      if (has_zoom_token) end(true)
    })
  })
}

/** The name of the call: the channel and topic, or the people. */
function titleOf({ store }: App, target: ComposeTarget): string {
  const names =
    target.kind === 'topic'
      ? [store.channels.get(target.channelId ?? 0)?.name, target.topic]
      : [store.selfId, ...target.userIds].map((id) => store.users.get(id)?.name)
  const title = [...new Set(names)].filter(Boolean).join(target.kind === 'topic' ? ' > ' : ', ')
  return [...(title || store.realm.peek().realm_name)].slice(0, 150).join('')
}
