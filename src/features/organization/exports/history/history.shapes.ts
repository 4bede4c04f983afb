import * as shape from '#platform/shape.ts'
import { historyFormats, historyScopes } from './scopes.ts'

export const historyShape = shape.named('HistoryExport', {
  id: shape.integer,
  acting_user_id: shape.integer,
  format: shape.choice(...historyFormats),
  scope: shape.choice(...historyScopes),
  zulip_release: shape.noted(
    shape.nullable(shape.integer),
    'The release of Zulip that it is for; null for an archive.',
  ),
  requested_at: shape.noted(shape.integer, 'In seconds since the epoch.'),
  state: shape.choice('pending', 'ready', 'failed', 'deleted'),
  progress: shape.noted(
    shape.nullable(shape.object({ step: shape.string, done: shape.integer, total: shape.integer })),
    'Its progress; null unless it is being made. A `total` of 0 means unknown.',
  ),
  notes: shape.noted(shape.list(shape.string), 'Sentences about data that it could not keep.'),
})
