import { endpoint } from '#platform/http/endpoint.ts'
import { word } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { listChannelAddressesOf } from './addresses.queries.ts'
import { channelEmailAddressJson } from './json.ts'
import { channelEmailAddressShape } from './shapes.ts'

const own = 'Not part of the Zulip API.'

/** An endpoint of Parley's own. */
export const getChannelEmailAddresses = endpoint({
  method: 'get',
  path: '/users/me/channel_email_addresses',
  summary:
    'List the email addresses of channels that the caller asked for, or that post as the caller or one of their bots.',
  description: own,
  params: {},
  reply: { channel_email_addresses: shape.list(channelEmailAddressShape) },
  run: ({ store, user }) => ({
    channel_email_addresses: listChannelAddressesOf(store, user.id).map(channelEmailAddressJson),
  }),
})

/** An endpoint of Parley's own. */
export const revokeChannelEmailAddress = endpoint({
  method: 'delete',
  path: '/users/me/channel_email_addresses/:address_id{[0-9a-f]+}',
  summary: "Revoke a channel's email address; the next one will be different.",
  description: own,
  params: { address_id: word(64) },
  errors: ['NOT_FOUND'],
  reply: {},
  run: ({ store }, p) =>
    store.write((tx, user) => actions.revokeChannelAddress(tx, user, p.address_id)),
})
