import { accessMessage } from '#features/foundation/core/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import { listReceipts } from './queries.ts'

/** @source Zulip API, "Get a message's read receipts" */
export const getReadReceipts = endpoint({
  method: 'get',
  path: '/messages/:message_id/read_receipts',
  summary: 'List the users who have read a message.',
  params: { message_id: int() },
  reply: {
    user_ids: shape.noted(
      shape.list(shape.integer),
      'Leaves out the sender, users who do not send read receipts, and users whom the caller muted or who muted the caller.',
    ),
  },
  run(caller, p) {
    const { store, user } = caller
    const message = accessMessage(store, caller, p.message_id)
    if (!realmSetting(store, 'enable_read_receipts')) {
      throw badRequest(sentSentence('Read receipts are turned off in this organization.'))
    }
    return { user_ids: listReceipts(store, user, message) }
  },
})
