import type { Action, Stage } from './stage.ts'

/** Channels and who subscribes. */
export function channelsActions({
  ids,
  owner,
  admin,
  member,
  guest,
  made,
  keep,
  one,
}: Stage): Action[] {
  return [
    [
      'a channel',
      keep('channel', 'id', () =>
        member.post('/channels/create', {
          name: 'stage',
          subscribers: [ids.member, ids.guest],
          description: 'The *boards*',
        }),
      ),
    ],
    [
      'a private channel',
      keep('private', 'id', () =>
        member.post('/channels/create', {
          name: 'backstage',
          subscribers: [ids.member],
          invite_only: true,
          history_public_to_subscribers: true,
        }),
      ),
    ],
    [
      'a message in the private channel',
      async () =>
        member.post('/messages', {
          type: 'channel',
          to: made.private,
          topic: 'hush',
          content: 'Shh.',
        }),
    ],
    [
      'an edited channel',
      () =>
        member.patch(`/streams/${made.channel}`, {
          name: 'the stage',
          description: 'Nothing',
          folder_id: 1,
          topics_policy: 'allow_empty_topic',
          message_retention_days: undefined,
        }),
    ],
    ['a default channel', () => owner.post('/default_streams', { stream_id: made.channel })],
    ['no default channel', () => owner.del('/default_streams', { stream_id: made.channel })],
    ['retention', () => owner.patch(`/streams/${made.channel}`, { message_retention_days: 30 })],
    [
      'who posts',
      () => member.patch(`/streams/${made.channel}`, { can_send_message_group: { new: 3 } }),
    ],
    [
      'who may join',
      () =>
        member.patch(`/streams/${made.private}`, {
          can_subscribe_group: { new: one(ids.outsider) },
        }),
    ],
    [
      'who may join no more',
      () => member.patch(`/streams/${made.private}`, { can_subscribe_group: { new: 1 } }),
    ],
    [
      'a public channel',
      () =>
        member.patch(`/streams/${made.private}`, {
          is_private: false,
          history_public_to_subscribers: true,
        }),
    ],
    [
      'a private one again',
      () =>
        member.patch(`/streams/${made.private}`, {
          is_private: true,
          history_public_to_subscribers: false,
        }),
    ],
    [
      'subscribers',
      () =>
        member.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'backstage' }],
          principals: [ids.outsider, ids.guest],
        }),
    ],
    [
      'fewer subscribers',
      () =>
        member
          .del('/users/me/subscriptions', { subscriptions: ['backstage'], principals: [ids.guest] })
          .then(() => guest.del('/users/me/subscriptions', { subscriptions: ['backstage'] }))
          .then(() =>
            admin.del('/users/me/subscriptions', {
              subscriptions: ['backstage'],
              principals: [ids.guest],
            }),
          ),
    ],
    ['who leaves', () => member.del('/users/me/subscriptions', { subscriptions: ['Verona'] })],
    [
      'who comes back',
      () =>
        member.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'Verona', color: '#aabbcc' }],
        }),
    ],
    [
      'a subscription',
      () =>
        member.post('/users/me/subscriptions/properties', {
          subscription_data: [
            { stream_id: 3, property: 'color', value: '#c2c2c2' },
            { stream_id: 3, property: 'is_muted', value: true },
          ],
        }),
    ],
    ['an archived channel', () => member.del(`/streams/${made.channel}`)],
    ['its return', () => member.patch(`/streams/${made.channel}`, { is_archived: false })],
  ]
}
