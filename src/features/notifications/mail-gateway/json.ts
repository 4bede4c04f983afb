import { type ChannelMailAddress, channelAddressId } from './addresses.queries.ts'

export function channelEmailAddressJson(address: ChannelMailAddress) {
  const { channelId, creatorId, senderId, createdAt } = address
  return {
    id: channelAddressId(address),
    stream_id: channelId,
    creator_id: creatorId,
    sender_id: senderId,
    created: createdAt,
  }
}
