import { inHistory, visibleHistory } from '#channels/access.ts'
import { findChannelByRecipient } from '#channels/queries.ts'
import { isDirectMember } from '#recipients/queries.ts'
import type { Read } from '#store/write.ts'
import type { User } from '#users/queries.ts'
import { listClaimingIn, listClaimingRecipients } from './claim-queries.ts'
import { type Attachment, findAttachment } from './queries.ts'

/** Who asks for a file: a user, or somebody without an account where such people are let in. */
export type Viewer = User | 'spectator'

/**
 * The file at a path, if the viewer may have it: its owner, and whoever may read one of the
 * messages that link to it where they are now; spectators, those in web-public channels.
 *
 * @param pathId what follows `/user_uploads/`, not escaped
 * @source the API description's "Upload a file"
 */
export function findReadable(read: Read, viewer: Viewer, pathId: string): Attachment | undefined {
  const file = findAttachment(read, pathId)
  return file && canReadFile(read, viewer, file) ? file : undefined
}

/** Whether the viewer may have the file, as above. */
function canReadFile(read: Read, viewer: Viewer, file: Attachment): boolean {
  if (viewer !== 'spectator' && viewer.id === file.ownerId) return true
  return listClaimingRecipients(read, file.id).some((recipientId) => {
    const channel = findChannelByRecipient(read, recipientId)
    if (viewer === 'spectator') return channel?.isWebPublic && !channel.isArchived
    if (!channel) return isDirectMember(read, recipientId, viewer.id)
    const history = visibleHistory(read, viewer, channel)
    if (history === 'all') return true
    if (history.length === 0) return false
    return listClaimingIn(read, file.id, recipientId).some((id) => inHistory(history, id))
  })
}
