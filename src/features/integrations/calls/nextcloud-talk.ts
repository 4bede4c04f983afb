import * as v from 'valibot'
import { fetchOutside, type Outgoing } from '#platform/outgoing/fetch.ts'
import { CallFailure, splitAddress } from './provider.ts'

/** What Nextcloud Talk takes. */
export const longestRoomName = 255

/** A conversation that everybody with its link can enter. */
const publicRoom = 3

const roomReply = v.object({
  ocs: v.object({ data: v.object({ token: v.pipe(v.string(), v.regex(/^\w{1,64}$/)) }) }),
})

/**
 * Makes a public conversation.
 *
 * @returns its URL
 * @throws CallFailure; OutsideError
 * @source Nextcloud Talk, "Conversations API: creating a new conversation"
 */
export async function makeRoom(server: Outgoing, address: string, name: string): Promise<string> {
  const { base, user, password } = splitAddress(address)
  const { status, body } = await fetchOutside(
    server,
    `${base}/ocs/v2.php/apps/spreed/api/v4/room`,
    {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
        'Content-Type': 'application/json',
        'OCS-APIRequest': 'true',
      },
      body: JSON.stringify({ roomType: publicRoom, roomName: name }),
      limit: 65_536,
    },
  )
  const reply = v.safeParse(roomReply, status === 200 || status === 201 ? parsed(body) : undefined)
  if (!reply.success) throw new CallFailure('Nextcloud Talk made no room.')
  return roomUrl(base, reply.output.ocs.data.token)
}

// Works with and without rewritten addresses.
const roomUrl = (base: string, token: string) => `${base}/index.php/call/${token}`

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}
