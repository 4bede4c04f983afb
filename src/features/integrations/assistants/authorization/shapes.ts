import * as shape from '#platform/shape.ts'

/** An assistant that someone has connected. */
export const connectionShape = shape.named('ConnectedAssistant', {
  id: shape.integer,
  name: shape.noted(shape.string, 'What it calls itself.'),
  may_write: shape.noted(shape.boolean, 'Whether it may change anything.'),
  created: shape.timestamp,
  last_used: shape.noted(
    shape.nullable(shape.timestamp),
    'In seconds since the epoch, exact to five minutes; null: never.',
  ),
})
