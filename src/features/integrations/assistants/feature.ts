import {
  messageSent,
  messagesChanged,
  messagesErased,
} from '#features/foundation/core/occasions.ts'
import { loggedOutElsewhere } from '#features/foundation/sessions/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { mountAuthorization } from './authorization/pages.ts'
import { deleteConnectionsOf } from './authorization/queries.ts'
import { connectionQuota, registrationRate } from './authorization/quotas.ts'
import * as authorizationRoutes from './authorization/routes.ts'
import { noteChange, noteChanges } from './changes.actions.ts'
import { mountAssistants } from './pages.ts'

export const assistants = feature({
  routes: { Bots: [authorizationRoutes] },
  quotas: [registrationRate, connectionQuota],
  on: [
    on(messageSent, (tx, { message }) => noteChange(tx, message)),
    on(messagesChanged, (tx, { ids }) => noteChanges(tx, ids)),
    on(messagesErased, (tx, { ids }) => noteChanges(tx, ids)),
    on(loggedOutElsewhere, (tx, { id }) => deleteConnectionsOf(tx, id)),
  ],
  pages: [mountAssistants, mountAuthorization],
})
