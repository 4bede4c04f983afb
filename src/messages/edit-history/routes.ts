import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { bool, int, withDefault } from '#http/params.ts'
import { accessMessage } from '#messages/queries.ts'
import { snapshot } from '#messages/shapes.ts'
import { realmSetting } from '#realm/settings.ts'
import { list, noted } from '#shape.ts'
import { shownTopic } from '#topics/names.ts'
import { snapshots } from './snapshots.ts'

/**
 * What a message was before, oldest first.
 *
 * @throws BAD_REQUEST no such message for the caller, or the realm shows no history
 * @source contract, "Get a message's edit history"
 */
export const getEditHistory = endpoint({
  method: 'get',
  path: '/messages/:message_id/history',
  summary: 'Fetch what a message was before its edits and moves.',
  params: { message_id: int(), allow_empty_topic_name: withDefault(bool(), false) },
  reply: { message_history: noted(list(snapshot), 'Oldest first.') },
  run(caller, p) {
    const visible = realmSetting(caller.store, 'message_edit_history_visibility_policy')
    if (visible === 'none') {
      throw badRequest('Message edit history is disabled in this organization')
    }
    const message = accessMessage(caller.store, caller, p.message_id)
    const shown = (topic: string) => shownTopic(caller.store, topic, p.allow_empty_topic_name)
    return { message_history: snapshots(message, visible, shown) }
  },
})
