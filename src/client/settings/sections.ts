import {
  Bell,
  Bot,
  BotMessageSquare,
  Building2,
  CircleUser,
  Folder,
  Gauge,
  Hash,
  Highlighter,
  IdCard,
  KeyRound,
  Link,
  LogIn,
  MessagesSquare,
  PackageOpen,
  Paperclip,
  Server,
  ShieldCheck,
  SlidersHorizontal,
  Smile,
  SquareTerminal,
  UserCog,
  UsersRound,
  UserX,
  Webhook,
} from 'lucide'
import type { App } from '#client/app.ts'
import type { IconNode } from '#client/ui/icon.tsx'
import { pointing } from '#client/ui/icon.tsx'
import { type Lazy, lazy } from '#client/ui/lazy.tsx'
import { type Text, text } from '#translations/translate.ts'

const enterIcon = pointing(LogIn)

export type SettingsArea = 'personal' | 'organization'

export interface SectionProps {
  /** The part of the address after the section, such as `active` of `users/active`. */
  readonly path: readonly string[]
}

/** A page of the settings. */
export interface Section {
  /** Its part of the address. */
  readonly id: string
  readonly area: SettingsArea
  /** English, for `t()`, as the words. */
  readonly title: Text
  readonly icon: IconNode
  /** The page of the help centre about it, such as `people/topics`, or a part of one. */
  readonly help: string
  /** Other words for it, for the search. */
  readonly words?: string
  /** Whether the user sees it; absent: everyone does. */
  readonly isShown?: (app: App) => boolean
  readonly Page: Lazy<SectionProps>
}

/** Every section, in the order in which they are listed. */
export const sections: readonly Section[] = [
  {
    id: 'profile',
    area: 'personal',
    help: 'people/account',
    title: text('Profile'),
    icon: CircleUser,
    words: 'name picture avatar status fields',
    Page: lazy(async () => (await import('./personal/profile.tsx')).Profile),
  },
  {
    id: 'account-and-privacy',
    area: 'personal',
    help: 'people/account',
    title: text('Account & privacy'),
    icon: KeyRound,
    words: 'address email password api key zuliprc sessions log out deactivate',
    Page: lazy(async () => (await import('./personal/account.tsx')).Account),
  },
  {
    id: 'preferences',
    area: 'personal',
    help: 'people/settings',
    title: text('Preferences'),
    icon: Gauge,
    Page: lazy(async () => (await import('./personal/preferences.tsx')).Preferences),
  },
  {
    id: 'notifications',
    area: 'personal',
    help: 'people/notifications',
    title: text('Notifications'),
    icon: Bell,
    words: 'desktop sound phone mail mobile',
    Page: lazy(async () => (await import('./personal/notifications.tsx')).Notifications),
  },
  {
    id: 'your-bots',
    area: 'personal',
    help: 'administrators/bots-and-integrations#make-a-bot',
    title: text('Your bots'),
    icon: Bot,
    words: 'webhook integration api key',
    isShown: ({ store }) => !store.realm.value.is_guest,
    Page: lazy(async () => (await import('./personal/your-bots.tsx')).YourBots),
  },
  {
    id: 'integrations',
    area: 'personal',
    help: 'administrators/bots-and-integrations',
    title: text('Integrations'),
    icon: Webhook,
    words: 'webhook url services github gitlab jira sentry bots',
    isShown: ({ store }) => !store.realm.value.is_guest,
    Page: lazy(async () => (await import('./integrations/integrations.tsx')).Integrations),
  },
  {
    id: 'alert-words',
    area: 'personal',
    help: 'people/notifications#get-notified-about-words',
    title: text('Alert words'),
    icon: Highlighter,
    Page: lazy(async () => (await import('./personal/alert-words.tsx')).AlertWords),
  },
  {
    id: 'uploaded-files',
    area: 'personal',
    help: 'people/files#delete-a-file',
    title: text('Uploaded files'),
    icon: Paperclip,
    words: 'attachments space quota',
    Page: lazy(async () => (await import('./personal/uploaded-files.tsx')).UploadedFiles),
  },
  {
    id: 'topics',
    area: 'personal',
    help: 'people/topics',
    title: text('Topics'),
    icon: MessagesSquare,
    words: 'followed muted unmuted',
    Page: lazy(async () => (await import('./personal/topics.tsx')).Topics),
  },
  {
    id: 'muted-users',
    area: 'personal',
    help: 'people/privacy#mute-a-person',
    title: text('Muted people'),
    icon: UserX,
    words: 'users mute',
    Page: lazy(async () => (await import('./personal/muted-people.tsx')).MutedPeople),
  },
  {
    id: 'organization-profile',
    area: 'organization',
    help: 'administrators/organization-settings',
    title: text('Profile'),
    icon: Building2,
    words: 'name description icon logo picture deactivate organization',
    Page: lazy(
      async () => (await import('./organization/organization-profile.tsx')).OrganizationProfile,
    ),
  },
  {
    id: 'organization-settings',
    area: 'organization',
    help: 'administrators/organization-settings',
    title: text('Settings'),
    icon: SlidersHorizontal,
    Page: lazy(
      async () => (await import('./organization/organization-settings.tsx')).OrganizationSettings,
    ),
  },
  {
    id: 'organization-permissions',
    area: 'organization',
    help: 'administrators/groups-and-permissions',
    title: text('Permissions'),
    icon: ShieldCheck,
    words: 'who can roles domains',
    Page: lazy(
      async () =>
        (await import('./organization/organization-permissions.tsx')).OrganizationPermissions,
    ),
  },
  {
    id: 'emoji-settings',
    area: 'organization',
    help: 'administrators/organization-settings#add-custom-emoji',
    title: text('Custom emoji'),
    icon: Smile,
    Page: lazy(async () => (await import('./organization/custom-emoji.tsx')).CustomEmoji),
  },
  {
    id: 'linkifier-settings',
    area: 'organization',
    help: 'administrators/organization-settings#turn-ticket-numbers-into-links',
    title: text('Linkifiers'),
    icon: Link,
    words: 'links patterns issues tickets',
    Page: lazy(async () => (await import('./organization/linkifiers.tsx')).Linkifiers),
  },
  {
    id: 'playground-settings',
    area: 'organization',
    help: 'administrators/organization-settings#let-people-run-code-from-messages',
    title: text('Code playgrounds'),
    icon: SquareTerminal,
    words: 'run code languages',
    Page: lazy(async () => (await import('./organization/playgrounds.tsx')).Playgrounds),
  },
  {
    id: 'profile-field-settings',
    area: 'organization',
    help: 'administrators/people-and-roles#add-fields-to-profiles',
    title: text('Custom profile fields'),
    icon: IdCard,
    words: 'pronouns birthday phone external account',
    Page: lazy(async () => (await import('./organization/profile-fields.tsx')).ProfileFields),
  },
  {
    id: 'organization-level-user-defaults',
    area: 'organization',
    help: 'administrators/people-and-roles#choose-the-settings-of-new-people',
    title: text('Default user settings'),
    icon: UserCog,
    words: 'default settings',
    Page: lazy(async () => (await import('./organization/user-defaults.tsx')).UserDefaults),
  },
  {
    id: 'default-channels-list',
    area: 'organization',
    help: 'administrators/inviting-people#choose-the-channels-of-new-people',
    title: text('Default channels'),
    icon: Hash,
    words: 'new people subscribed',
    Page: lazy(async () => (await import('./organization/default-channels.tsx')).DefaultChannels),
  },
  {
    id: 'channel-folders',
    area: 'organization',
    help: 'administrators/channels#group-channels-in-folders',
    title: text('Channel folders'),
    icon: Folder,
    words: 'groups of channels',
    Page: lazy(async () => (await import('./organization/channel-folders.tsx')).ChannelFolders),
  },
  {
    id: 'auth-methods',
    area: 'organization',
    help: 'administrators/organization-settings#choose-how-people-log-in',
    title: text('Authentication methods'),
    icon: enterIcon,
    words: 'authentication methods password',
    Page: lazy(
      async () => (await import('./organization/authentication-methods.tsx')).AuthenticationMethods,
    ),
  },
  {
    id: 'data-exports-admin',
    area: 'organization',
    help: 'administrators/exporting',
    title: text('Data exports'),
    icon: PackageOpen,
    words: 'download archive backup import slack migrate bring',
    Page: lazy(async () => (await import('./organization/data-exports.tsx')).DataExports),
  },
  {
    id: 'server',
    area: 'organization',
    help: 'operators/backups#in-the-browser',
    title: text('Server'),
    icon: Server,
    words: 'backup health storage version mail test download',
    isShown: ({ store }) => store.realm.value.is_owner,
    Page: lazy(async () => (await import('./organization/server.tsx')).ServerPage),
  },
  {
    id: 'users',
    area: 'organization',
    help: 'administrators/people-and-roles',
    title: text('People'),
    icon: UsersRound,
    words: 'users active deactivated invitations invite roles accounts',
    Page: lazy(async () => (await import('./people/users.tsx')).Users),
  },
  {
    id: 'bots',
    area: 'organization',
    help: 'administrators/bots-and-integrations',
    title: text('Bots'),
    icon: BotMessageSquare,
    words: 'all bots webhook integration',
    Page: lazy(async () => (await import('./people/bots.tsx')).Bots),
  },
]
