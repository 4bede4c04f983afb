import type { ChannelFolder } from './queries.ts'

/** @source api-changes §6, "ChannelFolder" */
export interface ChannelFolderJson {
  id: number
  name: string
  description: string
  rendered_description: string
  order: number
  date_created: number | null
  creator_id: number | null
  is_archived: boolean
}

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
