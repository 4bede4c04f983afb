import type { App, ComposeTarget } from '#client/app.ts'
import { attempt } from '#client/commands/attempt.ts'
import { type CallKind, callLink, providers } from './calls.ts'

/**
 * Has the server make a call at the provider of the organization.
 *
 * @returns the Markdown of its link; undefined after telling why there is none
 */
export async function makeServerCall(
  app: App,
  kind: CallKind,
  target: ComposeTarget,
): Promise<string | undefined> {
  const { api, store } = app
  const { realm_url, realm_video_chat_provider } = store.realm.peek()
  const name = titleOf(app, target)
  const reply = await attempt(
    app,
    realm_video_chat_provider === providers.nextcloud
      ? api.post<{ url: string }>('/calls/nextcloud_talk/create', { room_name: name })
      : api.get<{ url: string }>('/calls/bigbluebutton/create', {
          meeting_name: name,
          voice_only: kind === 'voice',
        }),
  )
  return reply && callLink(kind, new URL(reply.url, realm_url).href)
}

/** What the call is called: the channel and topic, or who talks. */
function titleOf({ store }: App, target: ComposeTarget): string {
  const names =
    target.kind === 'topic'
      ? [store.channels.get(target.channelId ?? 0)?.name, target.topic]
      : [store.selfId, ...target.userIds].map((id) => store.users.get(id)?.name)
  const title = [...new Set(names)].filter(Boolean).join(target.kind === 'topic' ? ' > ' : ', ')
  return [...(title || store.realm.peek().realm_name)].slice(0, 150).join('')
}
