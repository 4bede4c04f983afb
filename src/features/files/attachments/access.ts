import { inHistory, visibleHistory } from '#features/foundation/channels/access.ts'
import { findChannelByRecipient } from '#features/foundation/channels/queries.ts'
import { isDirectMember } from '#features/foundation/recipients/queries.ts'
import type { Viewer } from '#features/foundation/users/queries.ts'
import type { Read } from '#platform/store/store.ts'
import { listClaimingIn, listClaimingRecipients } from './claims.queries.ts'
import { type Attachment, findAttachment } from './queries.ts'

/**
 * Finds the file at a path if the viewer may read it: its owner and the users who can read a
 * message that links to it, in the message's current channel and topic; spectators through messages
 * in web-public channels.
 *
 * @param pathId the path after `/user_uploads/`, without escapes
 * @source Zulip API, "Upload a file"
 */
export function findReadable(read: Read, viewer: Viewer, pathId: string): Attachment | undefined {
  const file = findAttachment(read, pathId)
  return file && canReadFile(read, viewer, file) ? file : undefined
}

/** Whether the viewer may read the file, by the rule of `findReadable`. */
function canReadFile(read: Read, viewer: Viewer, file: Attachment): boolean {
  if (viewer !== 'spectator' && viewer.id === file.ownerId) return true
  return listClaimingRecipients(read, file.id).some((recipientId) => {
    const channel = findChannelByRecipient(read, recipientId)
    if (!channel) return viewer !== 'spectator' && isDirectMember(read, recipientId, viewer.id)
    const history = visibleHistory(read, viewer, channel)
    if (history === 'all') return true
    if (history.length === 0) return false
    return listClaimingIn(read, file.id, recipientId).some((id) => inHistory(history, id))
  })
}
