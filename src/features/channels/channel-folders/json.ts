import type { ChannelFolder } from '#features/foundation/channels/folders.queries.ts'
import type { Shaped } from '#platform/shape.ts'
import type { channelFolderShape } from './shapes.ts'

/** @source Zulip API, "Get channel folders" */
export type ChannelFolderJson = Shaped<typeof channelFolderShape>

export function channelFolderJson(folder: ChannelFolder): ChannelFolderJson {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    order: folder.position,
    date_created: folder.dateCreated,
    creator_id: folder.creatorId,
    is_archived: folder.isArchived,
  }
}
