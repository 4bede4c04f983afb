import {
  boolean,
  choice,
  event,
  integer,
  list,
  maybe,
  named,
  noted,
  nullable,
  string,
  timestamp,
} from '#shape.ts'

const text = {
  name: string,
  description: noted(string, 'The Markdown source.'),
  rendered_description: noted(string, 'HTML.'),
}

/** @source api-changes §6, "ChannelFolder" */
export const channelFolderShape = named('ChannelFolder', {
  id: integer,
  ...text,
  order: noted(integer, 'Folders are shown from the lowest to the highest.'),
  date_created: nullable(timestamp),
  creator_id: nullable(integer),
  is_archived: boolean,
})

export const channelFolderEventShapes = [
  event('ChannelFolderAddEvent', 'channel_folder', {
    op: choice('add'),
    channel_folder: channelFolderShape,
  }),
  event('ChannelFolderUpdateEvent', 'channel_folder', {
    op: choice('update'),
    channel_folder_id: integer,
    data: named('ChannelFolderChanges', {
      name: maybe(text.name),
      description: maybe(text.description),
      rendered_description: maybe(text.rendered_description),
      is_archived: maybe(boolean),
    }),
  }),
  event('ChannelFolderReorderEvent', 'channel_folder', {
    op: choice('reorder'),
    order: noted(list(integer), 'The ids of all folders.'),
  }),
]
