import * as shape from '#platform/shape.ts'

const text = {
  name: shape.string,
  description: shape.noted(shape.string, 'The Markdown source.'),
  rendered_description: shape.noted(shape.string, 'HTML.'),
}

/** @source Zulip API, "Get channel folders" */
export const channelFolderShape = shape.named('ChannelFolder', {
  id: shape.integer,
  ...text,
  order: shape.noted(shape.integer, 'The position: folders are displayed in ascending order.'),
  date_created: shape.nullable(shape.timestamp),
  creator_id: shape.nullable(shape.integer),
  is_archived: shape.boolean,
})

export const channelFolderEventShapes = [
  shape.event('ChannelFolderAddEvent', 'channel_folder', {
    op: shape.choice('add'),
    channel_folder: channelFolderShape,
  }),
  shape.event('ChannelFolderUpdateEvent', 'channel_folder', {
    op: shape.choice('update'),
    channel_folder_id: shape.integer,
    data: shape.named('ChannelFolderChanges', {
      name: shape.maybe(text.name),
      description: shape.maybe(text.description),
      rendered_description: shape.maybe(text.rendered_description),
      is_archived: shape.maybe(shape.boolean),
    }),
  }),
  shape.event('ChannelFolderReorderEvent', 'channel_folder', {
    op: shape.choice('reorder'),
    order: shape.noted(shape.list(shape.integer), 'The IDs of all folders, in their new order.'),
  }),
]
