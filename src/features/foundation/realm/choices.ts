import type { Config } from '#platform/config.ts'
import { sentText } from '#translations/translate.ts'

/** The values of `giphy_rating`: the rating up to which a picker shows GIFs. */
export const gifRatings = {
  disabled: { id: 0, name: 'No GIFs' },
  y: { id: 1, name: 'Rated Y: suitable for young children' },
  g: { id: 2, name: 'Rated G: suitable for everyone' },
  pg: { id: 3, name: 'Rated PG: parental guidance advised' },
  'pg-13': { id: 4, name: 'Rated PG-13: unsuitable for children under 13' },
  r: { id: 5, name: 'Rated R: for adults' },
} as const

/** The values of `video_chat_provider` that this server knows, by their names in the API. */
export const videoCallProviders = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
  zoom: { id: 3, name: 'Zoom' },
  zoom_server_to_server: { id: 5, name: 'Zoom' },
  big_blue_button: { id: 4, name: 'BigBlueButton' },
  constructor_groups: { id: 6, name: 'Constructor Groups' },
  nextcloud_talk: { id: 7, name: 'Nextcloud Talk' },
} as const

/**
 * The providers that can be chosen: Jitsi, which needs no account, and those that the operator
 * configured.
 */
export function availableCallProviders(
  config: Pick<
    Config,
    'bigBlueButtonUrl' | 'constructorGroupsUrl' | 'nextcloudUrl' | 'zoomUrl' | 'zoomAccount'
  >,
): Readonly<Record<string, { readonly id: number; readonly name: string }>> {
  const { disabled, jitsi_meet, big_blue_button, nextcloud_talk } = videoCallProviders
  const { constructor_groups, zoom, zoom_server_to_server } = videoCallProviders
  const hasZoom = config.zoomUrl !== null
  return {
    disabled,
    jitsi_meet,
    ...(hasZoom && (config.zoomAccount === null ? { zoom } : { zoom_server_to_server })),
    ...(config.bigBlueButtonUrl !== null && { big_blue_button }),
    ...(config.constructorGroupsUrl !== null && { constructor_groups }),
    ...(config.nextcloudUrl !== null && { nextcloud_talk }),
  }
}

/** The Jitsi server for calls, unless the organization sets its own. */
export const defaultJitsiServer = 'https://meet.jit.si'

/** The reasons for reporting a message. @source Zulip API, "Report a message" */
export const reportTypes = [
  { key: 'spam', name: sentText('Spam') },
  { key: 'harassment', name: sentText('Harassment') },
  { key: 'inappropriate', name: sentText('Inappropriate content') },
  { key: 'norms', name: sentText('Against the rules of this community') },
  { key: 'other', name: sentText('Something else') },
] as const
export type ReportType = (typeof reportTypes)[number]['key']

/** A site on which users have accounts. */
interface ExternalAccount {
  /** The name of its profile fields. */
  readonly name: string
  readonly text: string
  readonly hint: string
  /** The URL of a profile page, with `%(username)s` for the account. */
  readonly url_pattern: string
}

const site = (text: string, url_pattern: string, name = `${text} username`): ExternalAccount => ({
  name,
  text,
  hint: '',
  url_pattern,
})

/** The sites that a custom profile field of type 7 can name by its `subtype`. */
export const externalAccounts = {
  bluesky: site('Bluesky', 'https://bsky.app/profile/%(username)s'),
  github: site('GitHub', 'https://github.com/%(username)s'),
  gitlab: site('GitLab', 'https://gitlab.com/%(username)s'),
  linkedin: site('LinkedIn', 'https://www.linkedin.com/in/%(username)s'),
  twitter: site('X (Twitter)', 'https://x.com/%(username)s', 'Twitter username'),
} as const satisfies Record<string, ExternalAccount>

/** The values of the setting `emojiset`. */
export const emojisets = [
  { key: 'google', text: 'Google' },
  { key: 'google-blob', text: 'Google blobs' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const
