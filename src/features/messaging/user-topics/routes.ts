import { accessChannelByName } from '#features/foundation/channels/access.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, oneOf, oneOfInts, optional, text, word } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import { visibilityPolicies } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { userTopicQuota } from './quotas.ts'

/** @source Zulip API, "Update personal preferences for a topic" */
export const updateUserTopic = endpoint({
  method: 'post',
  path: '/user_topics',
  summary: 'Mute, unmute or follow a topic.',
  description: limitsText(userTopicQuota),
  params: {
    stream_id: int(),
    topic: text(1000),
    visibility_policy: described(
      oneOfInts([0, 1, 2, 3]),
      '0 none, 1 muted, 2 unmuted, 3 followed.',
    ),
  },
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) =>
      actions.updateUserTopic(tx, caller, p.stream_id, p.topic, p.visibility_policy),
    ),
})

/** The deprecated way to mute or unmute a topic. @source Zulip API, "Topic muting" */
export const muteTopic = endpoint({
  method: 'patch',
  path: '/users/me/subscriptions/muted_topics',
  summary: 'Mute or unmute a topic.',
  deprecated: true,
  params: {
    stream_id: described(optional(int()), 'Either this or `stream` is required.'),
    stream: described(optional(word(1000)), 'The name of the channel.'),
    topic: text(1000),
    op: oneOf(['add', 'remove']),
  },
  errors: ['STREAM_DOES_NOT_EXIST'],
  reply: {},
  run: (caller, p) =>
    caller.store.write((tx) => {
      const channelId = chosenChannel(tx, caller, p.stream_id, p.stream)
      const { muted, none } = visibilityPolicies
      const policy = p.op === 'add' ? muted : none
      actions.updateUserTopic(tx, caller, channelId, p.topic, policy)
    }),
})

function chosenChannel(
  read: Read,
  caller: Caller,
  id: number | undefined,
  name: string | undefined,
): number {
  if (id !== undefined && name !== undefined) {
    throw badRequest(sentSentence("Please choose one: 'stream' or 'stream_id'."), {
      parameter: 'stream_id',
    })
  }
  if (id !== undefined) return id
  if (name === undefined)
    throw badRequest(sentSentence("Please supply 'stream'."), { parameter: 'stream' })
  return accessChannelByName(read, caller, name).id
}
