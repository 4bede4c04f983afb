import type { EventOf } from '#platform/shape.ts'
import type { ChannelFolderJson } from './json.ts'
import type { channelFolderEventShapes } from './shapes.ts'

/**
 * A channel folder was created.
 *
 * @source Zulip API, "Get events", type "channel_folder" (feature level 389)
 */
export type ChannelFolderAddEvent = EventOf<
  typeof channelFolderEventShapes,
  'channel_folder',
  'add'
>

/** The changed properties of a folder. */
export type ChannelFolderData = Partial<
  Pick<ChannelFolderJson, 'name' | 'description' | 'rendered_description' | 'is_archived'>
>

export type ChannelFolderUpdateEvent = EventOf<
  typeof channelFolderEventShapes,
  'channel_folder',
  'update'
>

/** The ids of all folders in their new order (feature level 418). */
export type ChannelFolderReorderEvent = EventOf<
  typeof channelFolderEventShapes,
  'channel_folder',
  'reorder'
>

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
