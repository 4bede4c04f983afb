import { messageSent, messagesErased } from '#features/foundation/core/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { awaitCards, forgetMessages } from './actions.ts'
import { readPages } from './jobs.ts'
import { mountCardPicture } from './pages.ts'
import { previewRate } from './quotas.ts'
import * as routes from './routes.ts'

export const linkPreviews = feature({
  on: [
    on(messageSent, (tx, { sender, message, pages }) => awaitCards(tx, sender, message.id, pages)),
    on(messagesErased, (tx, { ids }) => forgetMessages(tx, ids)),
  ],
  routes: { Messages: [routes] },
  quotas: [previewRate],
  jobs: [readPages],
  openPages: [mountCardPicture],
})
