import * as shape from '#platform/shape.ts'

export const gifShape = shape.named('Gif', {
  title: shape.noted(shape.string, 'Words for it, without Markdown.'),
  url: shape.noted(shape.string, 'What a message links to: readers load it through this server.'),
  preview_url: shape.noted(shape.string, "A smaller picture: a path below the organization's URL."),
  width: shape.noted(shape.integer, 'The size of the smaller picture, in pixels.'),
  height: shape.noted(shape.integer, 'The size of the smaller picture, in pixels.'),
})
