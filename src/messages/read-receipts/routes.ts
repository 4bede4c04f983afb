import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { int } from '#http/params.ts'
import { accessMessage } from '#messages/queries.ts'
import { realmSetting } from '#realm/settings.ts'
import { integer, list, noted } from '#shape.ts'
import { listReceipts } from './queries.ts'

/** @source the API description of `GET /messages/{message_id}/read_receipts` */
export const getReadReceipts = endpoint({
  method: 'get',
  path: '/messages/:message_id/read_receipts',
  summary: 'List who has read a message.',
  params: { message_id: int() },
  reply: {
    user_ids: noted(
      list(integer),
      'Without its sender, those who do not send read receipts, and those whom the caller muted or who muted the caller.',
    ),
  },
  run(caller, p) {
    const { store, user } = caller
    const message = accessMessage(store, caller, p.message_id)
    if (!realmSetting(store, 'enable_read_receipts')) {
      throw badRequest('Read receipts are turned off in this organization.')
    }
    return { user_ids: listReceipts(store, user, message) }
  },
})
