import { messageSent, messagesErased } from '#features/foundation/core/occasions.ts'
import { quietTimesChanged } from '#features/foundation/quiet-times/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { notify, rescheduleMail } from './actions.ts'
import { forgetNotifications } from './jobs.ts'
import { recheckPushesOf } from './revoking.actions.ts'

export const notifications = feature({
  on: [
    on(messageSent, notify),
    on(messagesErased, (tx, { ids }) => recheckPushesOf(tx, ids)),
    on(quietTimesChanged, rescheduleMail),
  ],
  jobs: [forgetNotifications],
})
