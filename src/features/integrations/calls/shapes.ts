import * as shape from '#platform/shape.ts'

export const callEventShapes = [
  shape.event('HasZoomTokenEvent', 'has_zoom_token', { value: shape.boolean }),
]
