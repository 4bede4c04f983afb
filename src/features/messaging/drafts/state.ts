import { userSetting } from '#features/foundation/users/settings.queries.ts'
import type { StatePart } from '#platform/events/state.ts'
import * as shape from '#platform/shape.ts'
import { draftJson } from './json.ts'
import { listDrafts } from './queries.ts'
import { draftShape } from './shapes.ts'

export const draftsState = {
  types: ['drafts'],
  members: { drafts: shape.list(draftShape) },
  read({ store, user }) {
    const synchronized = userSetting(store, user.id, 'enable_drafts_synchronization')
    return { drafts: synchronized ? listDrafts(store, user.id).map(draftJson) : [] }
  },
} satisfies StatePart
