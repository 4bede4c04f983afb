import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { splitAddress } from '#platform/config/split-address.ts'
import { fetchOutside, type Outgoing } from '#platform/outgoing/fetch.ts'
import { parsed, webLink } from '#platform/outgoing/replies.ts'
import { CallFailure, replyLimit } from './provider.ts'

export interface NewGroupsRoom {
  /** Unique among all rooms. */
  readonly name: string
  /** The email address of the user who leads the room; null: the owner of the key leads it. */
  readonly creator: string | null
}

const roomReply = v.object({ url: v.string() })

/**
 * Makes a room in Constructor Groups.
 *
 * @returns its URL
 * @throws CallFailure; OutsideError
 * @source Constructor Groups, "API V2: Authorization", "Creating a Room"
 */
export async function makeGroupsRoom(
  server: Outgoing,
  address: string,
  { name, creator }: NewGroupsRoom,
): Promise<string> {
  const { base, user: accessKey, password: secretKey } = splitAddress(address)
  const proof = createHash('sha256').update(`${accessKey}|${secretKey}`).digest('hex')
  const { status, body } = await fetchOutside(server, `${base}/room`, {
    method: 'POST',
    headers: {
      Accept: 'application/json',
      Authorization: `Bearer ${accessKey}|${proof}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name, ...(creator !== null && { creator_email: creator }) }),
    limit: replyLimit,
  })
  const reply = parsed(body)
  const isMade = status === 201 || status === 200
  const link = isMade && v.is(roomReply, reply) ? webLink(reply.url) : undefined
  if (link === undefined)
    throw new CallFailure(`Constructor Groups made no room: status ${status}.`)
  return link
}
