import type { WireEvent } from '#platform/events/types.ts'
import type { ChannelFolderJson } from './json.ts'

/**
 * A channel folder was created.
 *
 * @source Zulip API, "Get events", type "channel_folder" (feature level 389)
 */
export interface ChannelFolderAddEvent extends WireEvent {
  type: 'channel_folder'
  op: 'add'
  channel_folder: ChannelFolderJson
}

/** The changed properties of a folder. */
export type ChannelFolderData = Partial<
  Pick<ChannelFolderJson, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>

export interface ChannelFolderUpdateEvent extends WireEvent {
  type: 'channel_folder'
  op: 'update'
  channel_folder_id: number
  data: ChannelFolderData
}

/** The ids of all folders in their new order (feature level 418). */
export interface ChannelFolderReorderEvent extends WireEvent {
  type: 'channel_folder'
  op: 'reorder'
  order: number[]
}

export function folderAddEvent(channel_folder: ChannelFolderJson): ChannelFolderAddEvent {
  return { type: 'channel_folder', op: 'add', channel_folder }
}

export function folderUpdateEvent(
  channel_folder_id: number,
  data: ChannelFolderData,
): ChannelFolderUpdateEvent {
  return { type: 'channel_folder', op: 'update', channel_folder_id, data }
}

export function folderReorderEvent(order: number[]): ChannelFolderReorderEvent {
  return { type: 'channel_folder', op: 'reorder', order }
}
