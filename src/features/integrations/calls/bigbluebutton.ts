import { createHash, createHmac } from 'node:crypto'
import { splitAddress } from '#platform/config/split-address.ts'
import { constantTimeEqual } from '#platform/constant-time.ts'
import { fetchOutside, type Outgoing } from '#platform/outgoing/fetch.ts'
import { CallFailure, replyLimit } from './provider.ts'

export const joinPath = '/calls/bigbluebutton/join'

/** The contents of a link to a meeting, which a checksum protects. */
export interface Meeting {
  readonly id: string
  readonly name: string
  /** Whether the meeting is voice only. */
  readonly isVoiceOnly: boolean
  /** The user who made it, and moderates it. */
  readonly moderatorId: number
}

export const longestMeetingName = 200

/** The path and query of the page that leads into a meeting, for people of the organization. */
export function joinLink(address: string, meeting: Meeting): string {
  const query = new URLSearchParams({
    meeting_id: meeting.id,
    name: meeting.name,
    voice_only: String(meeting.isVoiceOnly),
    moderator: String(meeting.moderatorId),
    checksum: sign(address, 'link', linkText(meeting)),
  })
  return `${joinPath}?${query}`
}

/** The meeting of a link that this server made; undefined for any other. */
export function readLink(
  address: string,
  query: Readonly<Record<string, string>>,
): Meeting | undefined {
  const meeting = {
    id: query['meeting_id'] ?? '',
    name: query['name'] ?? '',
    isVoiceOnly: query['voice_only'] === 'true',
    moderatorId: Number(query['moderator']),
  }
  const checksum = sign(address, 'link', linkText(meeting))
  return constantTimeEqual(query['checksum'] ?? '', checksum) ? meeting : undefined
}

const linkText = ({ id, name, isVoiceOnly, moderatorId }: Meeting) =>
  JSON.stringify([id, name, isVoiceOnly, moderatorId])

/**
 * Opens a meeting, unless it is open.
 *
 * @throws CallFailure; OutsideError
 * @source BigBlueButton, "API: create"
 */
export async function openMeeting(
  server: Outgoing,
  address: string,
  meeting: Meeting,
): Promise<void> {
  const { body, status } = await fetchOutside(
    server,
    apiUrl(address, 'create', {
      meetingID: meeting.id,
      name: meeting.name,
      // With the same passwords a second "create" finds the meeting that is open.
      attendeePW: passwordOf(address, meeting, false),
      moderatorPW: passwordOf(address, meeting, true),
      ...(meeting.isVoiceOnly && { lockSettingsDisableCam: 'true' }),
    }),
    { limit: replyLimit },
  )
  if (status === 200 && /<returncode>SUCCESS<\/returncode>/.test(body.toString())) return
  throw new CallFailure('BigBlueButton refused the meeting.')
}

/**
 * The address where a browser enters an open meeting.
 *
 * @source BigBlueButton, "API: join"
 */
export function enterUrl(
  address: string,
  meeting: Meeting,
  user: { readonly id: number; readonly fullName: string },
): string {
  const moderates = user.id === meeting.moderatorId
  return apiUrl(address, 'join', {
    meetingID: meeting.id,
    fullName: user.fullName,
    // Servers since 2.4 use the role, older ones the password.
    role: moderates ? 'MODERATOR' : 'VIEWER',
    password: passwordOf(address, meeting, moderates),
  })
}

const passwordOf = (address: string, { id }: Meeting, moderates: boolean) =>
  sign(address, moderates ? 'moderator' : 'attendee', id).slice(0, 32)

function apiUrl(address: string, call: string, params: Readonly<Record<string, string>>): string {
  const { base, password } = splitAddress(address)
  const query = new URLSearchParams(params).toString()
  const checksum = createHash('sha256')
    .update(call + query + password)
    .digest('hex')
  return `${base}/api/${call}?${query}&checksum=${checksum}`
}

/** @param purpose prevents a signature for one purpose from being used for another */
function sign(address: string, purpose: string, text: string): string {
  return createHmac('sha256', splitAddress(address).password)
    .update(`parley ${purpose}\n${text}`)
    .digest('hex')
}
