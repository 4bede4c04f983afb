import { messageSent } from '#features/foundation/core/occasions.ts'
import { feature } from '#platform/feature.ts'
import { on } from '#platform/store/occasions.ts'
import { awaitThumbnails } from './actions.ts'

export const thumbnails = feature({
  on: [
    on(messageSent, (tx, { message }) => awaitThumbnails(tx, message.id, message.renderedContent)),
  ],
})
