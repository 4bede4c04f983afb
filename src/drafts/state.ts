import type { StatePart } from '#events/state.ts'
import { list } from '#shape.ts'
import { userSetting } from '#users/settings.ts'
import { draftJson } from './json.ts'
import { listDrafts } from './queries.ts'
import { draftShape } from './shapes.ts'

export const draftsState: StatePart = {
  types: ['drafts'],
  shape: { drafts: list(draftShape) },
  read({ store, user }) {
    const synchronized = userSetting(store, user.id, 'enable_drafts_synchronization')
    return { drafts: synchronized ? listDrafts(store, user.id).map(draftJson) : [] }
  },
}
