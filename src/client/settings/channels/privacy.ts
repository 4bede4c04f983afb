import type { Channel } from '#client/state/model.ts'
import { type Text, text, texts } from '#translations/translate.ts'

/** Who can read a channel, in one word: what three settings of the wire come to. */
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
    help: 'Everybody on the web can read it, without an account.',
  },
  public: {
    label: 'Public',
    help: 'Everybody in the organization except guests can read and join it.',
  },
  shared: {
    label: 'Private, shared history',
    help: 'For those who were added; they see everything ever written.',
  },
  protected: {
    label: 'Private, protected history',
    help: 'For those who were added; they see what was written since.',
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

/** What a change reveals or hides, and to whom; English, for `t()`. Undefined where it is none. */
export function consequence(from: Privacy, to: Privacy): Text | undefined {
  if (from === to) return undefined
  switch (to) {
    case 'web-public':
      return text(
        'Everybody on the web can read every message that was ever sent here, also those from before this change.',
      )
    case 'public':
      return from === 'web-public'
        ? text(
            'People without an account can no longer read it. Everybody in the organization except guests still can.',
          )
        : text(
            'Everybody in the organization except guests can read every message that was ever sent here, also those from before this change, and see who is subscribed.',
          )
    case 'shared':
      return from === 'protected'
        ? text(
            'All subscribers can read every message that was ever sent here, also those from before they came.',
          )
        : text(
            'Those who are not subscribed can no longer read anything here, nor see that the channel exists. Administrators still see that it does.',
          )
    case 'protected':
      return from === 'shared'
        ? text(
            'Subscribers can read only what was sent while they were subscribed: what they see from before that goes.',
          )
        : text(
            'Those who are not subscribed can no longer read anything here. Subscribers can read only what was sent while they were subscribed.',
          )
  }
}
