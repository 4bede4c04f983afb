import { accessMessage } from '#features/foundation/core/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import { shownTopic } from '#features/foundation/recipients/topics.rules.ts'
import { snapshot } from '#features/messaging/messages/shapes.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { bool, int, withDefault } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import { snapshots } from './snapshots.json.ts'

/**
 * The versions of a message, oldest first: the original and the newest ones, in 1 MiB.
 *
 * @throws BAD_REQUEST the caller may not read the message, or the realm hides edit history
 * @source Zulip API, "Get a message's edit history"
 */
export const getEditHistory = endpoint({
  method: 'get',
  path: '/messages/:message_id/history',
  summary: 'Fetch the versions of a message before its edits and moves.',
  description: 'A history of more than 1 MiB contains only its first snapshot and its newest ones.',
  params: { message_id: int(), allow_empty_topic_name: withDefault(bool(), false) },
  reply: { message_history: shape.noted(shape.list(snapshot), 'Oldest first.') },
  *run(caller, p) {
    const visible = realmSetting(caller.store, 'message_edit_history_visibility_policy')
    if (visible === 'none') {
      throw badRequest(sentSentence('Message edit history is disabled in this organization'))
    }
    const message = accessMessage(caller.store, caller, p.message_id)
    const shown = (topic: string) => shownTopic(caller.store, topic, p.allow_empty_topic_name)
    const message_history = yield* snapshots(caller.store, message, visible, shown)
    accessMessage(caller.store, caller, p.message_id)
    return { message_history }
  },
})
