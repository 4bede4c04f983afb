import * as alertWords from './alert-words/routes.ts'
import * as attachments from './attachments/routes.ts'
import * as bots from './bots/routes.ts'
import * as botStorage from './bots/storage/routes.ts'
import * as channelFolders from './channel-folders/routes.ts'
import * as channels from './channels/routes.ts'
import type { Context } from './context.ts'
import * as domains from './domains/routes.ts'
import * as drafts from './drafts/routes.ts'
import { mountEmoji } from './emoji/pages.ts'
import * as emoji from './emoji/routes.ts'
import * as events from './events/routes.ts'
import { mountExports } from './exports/pages.ts'
import * as exports from './exports/routes.ts'
import * as groups from './groups/routes.ts'
import type { Endpoint } from './http/endpoint.ts'
import { type App, mountEndpoints } from './http/mount.ts'
import * as invites from './invites/routes.ts'
import * as linkifiers from './linkifiers/routes.ts'
import * as deleting from './messages/deleting/routes.ts'
import * as editHistory from './messages/edit-history/routes.ts'
import * as editing from './messages/editing/routes.ts'
import * as flags from './messages/flags/routes.ts'
import * as history from './messages/history/routes.ts'
import * as reactions from './messages/reactions/routes.ts'
import * as readReceipts from './messages/read-receipts/routes.ts'
import * as rendering from './messages/render/routes.ts'
import * as reporting from './messages/reporting/routes.ts'
import * as messages from './messages/routes.ts'
import * as submessages from './messages/submessages/routes.ts'
import * as typing from './messages/typing/routes.ts'
import * as mutedUsers from './muted-users/routes.ts'
import * as navigationViews from './navigation-views/routes.ts'
import type { ListedEndpoint } from './openapi/paths.ts'
import * as playgrounds from './playgrounds/routes.ts'
import * as profileFields from './profile-fields/routes.ts'
import * as push from './push/routes.ts'
import { mountRealmPictures } from './realm/pages.ts'
import * as realmPictures from './realm/pictures/routes.ts'
import * as realm from './realm/routes.ts'
import * as reminders from './reminders/routes.ts'
import * as savedSnippets from './saved-snippets/routes.ts'
import * as scheduledMessages from './scheduled-messages/routes.ts'
import * as subscriptions from './subscriptions/routes.ts'
import { mountThumbnails } from './thumbnails/pages.ts'
import * as thumbnails from './thumbnails/routes.ts'
import { mountUploads } from './uploads/pages.ts'
import { mountResumableUploads } from './uploads/resumable/pages.ts'
import * as uploads from './uploads/routes.ts'
import * as userTopics from './user-topics/routes.ts'
import * as userAdministration from './users/administration/routes.ts'
import * as apiKey from './users/api-key/routes.ts'
import { mountAvatars } from './users/avatars/pages.ts'
import * as avatars from './users/avatars/routes.ts'
import * as login from './users/login/routes.ts'
import * as ownSettings from './users/own-settings/routes.ts'
import * as presence from './users/presence/routes.ts'
import * as profiles from './users/profile/routes.ts'
import * as users from './users/routes.ts'
import * as userStatus from './users/status/routes.ts'
import { mountAccount } from './web/account/pages.ts'
import { mountApiDescription } from './web/api/pages.ts'
import { mountJoining } from './web/join/pages.ts'
import { mountLogin } from './web/login/pages.ts'
import { mountSetup } from './web/setup/pages.ts'
import * as webhooks from './webhooks/incoming/routes.ts'
import * as welcome from './welcome/routes.ts'

/** The routes of every slice, in the sections of the API description. */
const sections: Readonly<Record<string, readonly Readonly<Record<string, Endpoint>>[]>> = {
  Messages: [
    messages,
    history,
    editing,
    deleting,
    editHistory,
    flags,
    reactions,
    readReceipts,
    rendering,
    reporting,
    typing,
    submessages,
  ],
  'Drafts and snippets': [drafts, savedSnippets, scheduledMessages, reminders],
  Files: [uploads, attachments, thumbnails],
  Events: [events],
  Channels: [channels, subscriptions, userTopics, channelFolders],
  Users: [users, profiles, userAdministration, userStatus, presence, mutedUsers],
  Invitations: [invites, welcome],
  Phones: [push],
  'Own settings': [ownSettings, avatars, alertWords, navigationViews],
  Bots: [bots, botStorage, webhooks],
  'User groups': [groups],
  Organization: [
    realm,
    realmPictures,
    profileFields,
    emoji,
    linkifiers,
    playgrounds,
    domains,
    exports,
  ],
  'Logging in': [login, apiKey],
}

/** Every endpoint, as the API description lists them. */
export function listEndpoints(): ListedEndpoint[] {
  return Object.entries(sections).flatMap(([section, slices]) =>
    slices.flatMap((slice) =>
      Object.entries(slice).map(([name, endpoint]) => ({ section, name, endpoint })),
    ),
  )
}

/** All endpoints on one Hono app, under `/api/v1` and `/json`. */
export function createApp(server: Context): App {
  const listed = listEndpoints()
  const app = mountEndpoints(
    server,
    listed.map(({ endpoint }) => endpoint),
  )
  mountApiDescription(app, listed)
  mountAvatars(app, server)
  mountEmoji(app, server)
  mountExports(app, server)
  mountRealmPictures(app, server)
  mountThumbnails(app, server)
  mountUploads(app, server)
  mountResumableUploads(app, server)
  mountSetup(app, server)
  mountJoining(app, server)
  mountAccount(app, server)
  mountLogin(app, server)
  app.get('/health', (c) => c.json({ result: 'success', msg: '', status: 'ok' }))
  return app
}
