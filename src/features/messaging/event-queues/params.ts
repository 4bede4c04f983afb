import * as v from 'valibot'
import { narrowParam } from '#features/messaging/narrow/params.ts'
import {
  bool,
  described,
  int,
  isBool,
  json,
  jsonOrWord,
  oneOf,
  optional,
  recordOf,
  textArray,
  withDefault,
} from '#platform/http/params.ts'

const longestLifespan = 7 * 24 * 3600

const lifespan = v.union([
  v.literal('mobile'),
  v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(longestLifespan)),
])

/** The parameters of `POST /register`; `GET /events` takes them too, instead of a queue id. */
export const registerParams = {
  apply_markdown: withDefault(bool(), false),
  client_gravatar: described(
    optional(bool()),
    'Default: true with an account, where it changes nothing; without one it must be false.',
  ),
  slim_presence: withDefault(bool(), false),
  presence_history_limit_days: withDefault(int({ min: 0, max: 3650 }), 14),
  all_public_streams: optional(bool()),
  include_subscribers: withDefault(oneOf(['true', 'false', 'partial']), 'false'),
  client_capabilities: withDefault(json(recordOf(isBool, 100, 100)), {}),
  event_types: withDefault(json(v.nullable(textArray(200, 100))), null),
  fetch_event_types: withDefault(json(v.nullable(textArray(200, 100))), null),
  narrow: withDefault(narrowParam(), []),
  idle_queue_timeout: optional(jsonOrWord(lifespan)),
  queue_lifespan_secs: optional(int({ min: 0, max: longestLifespan })),
}
