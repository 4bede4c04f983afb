import type { TestServer } from '#test/support/server.ts'
import { channelsActions } from './channels.ts'
import { messagesActions } from './messages.ts'
import { peopleActions } from './people.ts'
import { personalActions } from './personal.ts'
import { realmActions } from './realm.ts'
import { type Action, stageOf } from './stage.ts'

/** One action after another, so that every type and op of event occurs, in its usual forms. */
export function actionsOf(server: TestServer): Action[] {
  const stage = stageOf(server)
  return [
    ...messagesActions(stage),
    ...personalActions(stage),
    ...realmActions(stage),
    ...channelsActions(stage),
    ...peopleActions(stage),
  ]
}
