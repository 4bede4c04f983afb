import type { Channel } from '#client/state/model.ts'

/** What each page of a channel takes. */
export interface ChannelPageProps {
  readonly channel: Channel
}

/** For the drafts of what is typed into fields of a channel. */
export const draftKeyOf = ({ id }: Channel) => `channel ${id}`
