import * as v from 'valibot'
import { splitAddress } from '#platform/config/split-address.ts'
import { fetchOutside, type Outgoing } from '#platform/outgoing/fetch.ts'
import { parsed } from '#platform/outgoing/replies.ts'
import { basicAuth, CallFailure, replyLimit } from './provider.ts'

/** The limit of Nextcloud Talk. */
export const longestRoomName = 255

/** A conversation that everyone with its link can enter. */
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
  const account = splitAddress(address)
  const { base } = account
  const { status, body } = await fetchOutside(
    server,
    `${base}/ocs/v2.php/apps/spreed/api/v4/room`,
    {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        Authorization: basicAuth(account),
        'Content-Type': 'application/json',
        'OCS-APIRequest': 'true',
      },
      body: JSON.stringify({ roomType: publicRoom, roomName: name }),
      limit: replyLimit,
    },
  )
  const reply = v.safeParse(roomReply, status === 200 || status === 201 ? parsed(body) : undefined)
  if (!reply.success) throw new CallFailure('Nextcloud Talk did not create a room.')
  return roomUrl(base, reply.output.ocs.data.token)
}

// Works with and without pretty URLs.
const roomUrl = (base: string, token: string) => `${base}/index.php/call/${token}`
