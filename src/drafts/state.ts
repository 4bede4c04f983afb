import type { StatePart } from '#events/state.ts'
import { userSetting } from '#users/settings.ts'
import { draftJson } from './json.ts'
import { listDrafts } from './queries.ts'

export const draftsState: StatePart = {
  types: ['drafts'],
  read({ store, user }) {
    const synchronized = userSetting(store, user.id, 'enable_drafts_synchronization')
    return { drafts: synchronized ? listDrafts(store, user.id).map(draftJson) : [] }
  },
}
