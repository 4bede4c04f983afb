import { seconds } from '#platform/clock.ts'
import { isExtended } from '#platform/events/extended.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { quietTimesJson } from './json.ts'
import { findQuietTimes } from './queries.ts'
import { quietTimesShape } from './shapes.ts'

export const quietTimesState = {
  types: ['quiet_times'],
  members: { quiet_times: shape.extended(quietTimesShape) },
  read: ({ store, user }, { capabilities }) =>
    isExtended({ capabilities })
      ? { quiet_times: quietTimesJson(findQuietTimes(store, user.id, seconds(store.clock))) }
      : {},
} satisfies StatePart
