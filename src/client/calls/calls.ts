import { t } from '#client/ui/t.ts'
import { withoutEnd } from '#shared/without-end.ts'

/**
 * Calls take place at the server that the organization chose. A link to a room is sent as a
 * message, and anyone with the link can join. At a Jitsi server nothing is reserved; our server
 * makes other rooms (`server-calls.ts`).
 */

export type CallKind = 'video' | 'voice'

/** What the organization has chosen for calls, by the names of the register reply. */
export interface CallSettings {
  readonly realm_url: string
  readonly realm_video_chat_provider: number
  readonly realm_available_video_chat_providers: Readonly<Record<string, { readonly id: number }>>
  readonly realm_jitsi_server_url: string | null
  readonly server_jitsi_server_url: string | null
  readonly server_nextcloud_url?: string | null
  readonly server_constructor_groups_url?: string | null
  readonly server_zoom_url?: string | null
}

/** The values of `realm_video_chat_provider`. */
export const providers = {
  jitsi: 1,
  zoom: 3,
  bigBlueButton: 4,
  zoomByServer: 5,
  constructorGroups: 6,
  nextcloud: 7,
} as const

/** The part of a link that tells Jitsi to begin without the camera. */
const withoutCamera = 'config.startWithVideoMuted=true'

/**
 * The address below which the rooms of calls are, without a slash at its end; undefined: there are
 * no calls.
 */
export function callServer(settings: CallSettings): string | undefined {
  const address = addressOf(settings)
  if (!address || !URL.canParse(address)) return undefined
  const { origin, pathname } = new URL(address)
  return origin + withoutEnd(pathname, '/')
}

function addressOf(settings: CallSettings): string | null | undefined {
  const chosen = settings.realm_video_chat_provider
  const available = Object.values(settings.realm_available_video_chat_providers)
  if (!available.some(({ id }) => id === chosen)) return undefined
  if (chosen === providers.jitsi) {
    return settings.realm_jitsi_server_url ?? settings.server_jitsi_server_url
  }
  if (chosen === providers.bigBlueButton) return `${settings.realm_url}/calls/bigbluebutton`
  if (chosen === providers.nextcloud) {
    return settings.server_nextcloud_url && `${settings.server_nextcloud_url}/index.php/call`
  }
  if (chosen === providers.constructorGroups) {
    return (
      settings.server_constructor_groups_url &&
      `${settings.server_constructor_groups_url}/groups/room`
    )
  }
  return isZoom(chosen) ? settings.server_zoom_url && `${settings.server_zoom_url}/j` : undefined
}

const isZoom = (provider: number) =>
  provider === providers.zoom || provider === providers.zoomByServer

/**
 * The Markdown of a link to a new room at a Jitsi server, whose name nobody can guess.
 *
 * @param server from `callServer`
 */
export function newCall(kind: CallKind, server: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const room = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return callLink(
    kind,
    kind === 'voice' ? `${server}/${room}#${withoutCamera}` : `${server}/${room}`,
  )
}

/** The Markdown of a link to a call. */
export function callLink(kind: CallKind, url: string): string {
  return `[${callLabel(kind)}](${url})`
}

const callLabel = (kind: CallKind) =>
  kind === 'voice' ? t('Join voice call.') : t('Join video call.')

/** Whether a link is called as links to calls are. */
export function isCallLabel(label: string): boolean {
  return label === callLabel('voice') || label === callLabel('video')
}

/**
 * The kind of call that an address leads to; undefined: not a room of the server.
 *
 * @param server from `callServer`
 */
export function callKindOf(address: string, server: string): CallKind | undefined {
  if (!URL.canParse(address)) return undefined
  const { origin, pathname, username, password, hash, searchParams } = new URL(address)
  // Zoom's meetings are at subdomains: us02web.zoom.us.
  const isBelow = server.startsWith('https://zoom')
  const place = (isBelow ? origin.replace(/\/\/[\w-]+\.(?=zoom)/, '//') : origin) + pathname
  if (username || password || !place.startsWith(`${server}/`)) return undefined
  const room = place.slice(server.length + 1)
  if (room === '' || room.includes('/')) return undefined
  const isVoice =
    hash.slice(1).split('&').includes(withoutCamera) || searchParams.get('voice_only') === 'true'
  return isVoice ? 'voice' : 'video'
}
