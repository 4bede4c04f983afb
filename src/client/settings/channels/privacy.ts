import type { Channel } from '#client/state/model.ts'
import { type Text, text, texts } from '#translations/translate.ts'

/** The privacy of a channel, combined from three settings of the wire. */
export type Privacy = 'web-public' | 'public' | 'shared' | 'protected'

export function privacyOf({ isWebPublic, isPrivate, historyIsPublic }: Channel): Privacy {
  if (isWebPublic) return 'web-public'
  if (!isPrivate) return 'public'
  return historyIsPublic ? 'shared' : 'protected'
}

interface PrivacyTexts {
  readonly label: Text
  readonly help: Text
}

/** In the order in which they are offered. Texts are English, for `t()`. */
export const privacies: Readonly<Record<Privacy, PrivacyTexts>> = texts({
  'web-public': {
    label: 'Web-public',
    help: 'Anyone on the internet can read it without an account.',
  },
  public: {
    label: 'Public',
    help: 'Everyone in the organization except guests can read and join it.',
  },
  shared: {
    label: 'Private, shared history',
    help: 'Only people who were added can read it, including messages sent before they joined.',
  },
  protected: {
    label: 'Private, protected history',
    help: 'Only people who were added can read it, and only messages sent since they joined.',
  },
})

/** The settings of the wire, but for whether it is private, which has two names there. */
export function privacyToWire(privacy: Privacy) {
  return {
    isPrivate: privacy === 'shared' || privacy === 'protected',
    rest: {
      is_web_public: privacy === 'web-public',
      history_public_to_subscribers: privacy !== 'protected',
    },
  }
}

/** The effect of a change on readers; English, for `t()`. Undefined: no change. */
export function consequence(from: Privacy, to: Privacy): Text | undefined {
  if (from === to) return undefined
  switch (to) {
    case 'web-public':
      return text(
        'Anyone on the internet will be able to read every message in this channel, including those sent before this change.',
      )
    case 'public':
      return from === 'web-public'
        ? text(
            'People without an account will no longer be able to read it. Everyone in the organization except guests still can.',
          )
        : text(
            'Everyone in the organization except guests will be able to see the subscribers and every message, including those sent before this change.',
          )
    case 'shared':
      return from === 'protected'
        ? text(
            'Subscribers will be able to read every message, including those sent before they joined.',
          )
        : text(
            'People who are not subscribed will no longer be able to read messages or see that the channel exists. Administrators can still see that it does.',
          )
    case 'protected':
      return from === 'shared'
        ? text(
            'Subscribers will only be able to read messages sent while they were subscribed. Earlier messages disappear for them.',
          )
        : text(
            'People who are not subscribed will no longer be able to read this channel. Subscribers will only be able to read messages sent while they were subscribed.',
          )
  }
}
