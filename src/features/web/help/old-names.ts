/**
 * Pages of Zulip's help centre to which its apps, its texts and people's bookmarks link, by the last
 * part of their address, and the page here that is about the same.
 */
const pages: Readonly<Record<string, string>> = {
  'add-a-bot-or-integration': 'administrators/bots-and-integrations',
  'add-or-remove-users-from-a-stream': 'administrators/channels',
  'change-your-email-address': 'people/account',
  'change-your-password': 'people/account',
  'channel-permissions': 'administrators/channels',
  'configure-notification-bot': 'administrators/organization-settings',
  'create-channels': 'administrators/channels',
  'custom-emoji': 'administrators/organization-settings',
  'deactivate-or-reactivate-a-user': 'administrators/people-and-roles',
  'dm-mention-alert-notifications': 'people/notifications',
  'do-not-disturb': 'people/notifications',
  'email-notifications': 'people/notifications',
  'export-your-organization': 'administrators/exporting',
  'follow-a-topic': 'people/topics',
  'format-your-message-using-markdown': 'people/formatting',
  'getting-started-with-zulip': 'people/getting-around',
  'import-from-mattermost': 'administrators/importing',
  'import-from-rocketchat': 'administrators/importing',
  'import-from-slack': 'administrators/importing',
  inbox: 'people/reading',
  'introduction-to-topics': 'people/topics',
  'invite-new-users': 'administrators/inviting-people',
  'keyboard-shortcuts': 'people/keyboard-shortcuts',
  'logging-in': 'people/account',
  'marking-messages-as-read': 'people/reading',
  'mention-a-user-or-group': 'people/sending-messages',
  'message-a-channel-by-email': 'administrators/channels',
  'mobile-notifications': 'people/notifications',
  'move-content-to-another-channel': 'people/topics',
  'move-content-to-another-topic': 'people/topics',
  'mute-a-channel': 'people/notifications',
  'mute-a-topic': 'people/topics',
  'quote-or-forward-a-message': 'people/sending-messages',
  'read-receipts': 'people/privacy',
  'recent-conversations': 'people/reading',
  'rename-a-topic': 'people/topics',
  'resolve-a-topic': 'people/topics',
  'roles-and-permissions': 'administrators/people-and-roles',
  'schedule-a-message': 'people/sending-messages',
  'schedule-a-reminder': 'people/reading',
  'search-for-messages': 'people/search',
  'share-and-upload-files': 'people/files',
  'star-a-message': 'people/reading',
  'start-a-call': 'people/calls',
  'status-and-availability': 'people/account',
  'stream-permissions': 'administrators/channels',
  'two-factor-authentication': 'people/account',
  'typing-notifications': 'people/privacy',
  'user-groups': 'administrators/groups-and-permissions',
  'user-roles': 'administrators/people-and-roles',
  'view-and-edit-your-message-edit-history': 'people/sending-messages',
}

/** The path of the page about the same; undefined: none is known. */
export const pageForOldName = (name: string): string | undefined =>
  Object.hasOwn(pages, name) ? pages[name] : undefined

/** The pages to which old addresses lead. */
export const oldTargets: readonly string[] = [...new Set(Object.values(pages))]
