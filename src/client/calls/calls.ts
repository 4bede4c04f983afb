import { t } from '#client/ui/t.ts'

/*
 * Calls take place at the Jitsi server of the organization. Nothing is reserved there: a link to a room
 * is a message, and whoever has the link can join.
 */

export type CallKind = 'video' | 'voice'

/** What the organization has chosen for calls, by the names of the register reply. */
export interface CallSettings {
  readonly realm_video_chat_provider: number
  readonly realm_jitsi_server_url: string | null
  readonly server_jitsi_server_url: string | null
}

/** Of `realm_available_video_chat_providers`. */
const jitsi = 1

/** What Jitsi reads from a link, to begin without the camera. */
const withoutCamera = 'config.startWithVideoMuted=true'

/** The address of the server for calls, without a slash at its end; undefined where there are no calls. */
export function callServer(settings: CallSettings): string | undefined {
  const address = settings.realm_jitsi_server_url ?? settings.server_jitsi_server_url
  if (settings.realm_video_chat_provider !== jitsi || !address || !URL.canParse(address)) {
    return undefined
  }
  const { origin, pathname } = new URL(address)
  return origin + pathname.replace(/\/+$/, '')
}

/**
 * The Markdown of a link to a new room, whose name nobody can guess.
 *
 * @param server from `callServer`
 */
export function newCall(kind: CallKind, server: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const room = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return kind === 'voice'
    ? `[${t('Join voice call.')}](${server}/${room}#${withoutCamera})`
    : `[${t('Join video call.')}](${server}/${room})`
}

/**
 * The kind of call that an address leads to; undefined where it is no room of the server.
 *
 * @param server from `callServer`
 */
export function callKindOf(address: string, server: string): CallKind | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname, username, password, hash } = new URL(address)
  const place = origin + pathname
  if (username || password || !place.startsWith(`${server}/`)) return undefined
  const room = place.slice(server.length + 1)
  if (room === '' || room.includes('/')) return undefined
  return hash.slice(1).split('&').includes(withoutCamera) ? 'voice' : 'video'
}
