import { accounts } from '#features/access/accounts/feature.ts'
import { botAdministration } from '#features/access/bot-administration/feature.ts'
import { invites } from '#features/access/invites/feature.ts'
import { joining } from '#features/access/joining/feature.ts'
import { scim } from '#features/access/scim/feature.ts'
import { setup } from '#features/access/setup/feature.ts'
import { singleSignOn } from '#features/access/single-sign-on/feature.ts'
import { twoFactor } from '#features/access/two-factor/feature.ts'
import { channelAdministration } from '#features/channels/channel-administration/feature.ts'
import { channelFolders } from '#features/channels/channel-folders/feature.ts'
import { subscriptions } from '#features/channels/subscriptions/feature.ts'
import { attachments } from '#features/files/attachments/feature.ts'
import { externalContent } from '#features/files/external-content/feature.ts'
import { linkPreviews } from '#features/files/link-previews/feature.ts'
import { thumbnails } from '#features/files/thumbnails/feature.ts'
import { uploads } from '#features/files/uploads/feature.ts'
import { bots } from '#features/foundation/bots/feature.ts'
import { channels } from '#features/foundation/channels/feature.ts'
import { domains } from '#features/foundation/domains/feature.ts'
import { groups } from '#features/foundation/groups/feature.ts'
import { identityProviders } from '#features/foundation/identity-providers/feature.ts'
import { mail } from '#features/foundation/mail/feature.ts'
import { presence } from '#features/foundation/presence/feature.ts'
import { quietTimes } from '#features/foundation/quiet-times/feature.ts'
import { sessions } from '#features/foundation/sessions/feature.ts'
import { users } from '#features/foundation/users/feature.ts'
import { assistants } from '#features/integrations/assistants/feature.ts'
import { calls } from '#features/integrations/calls/feature.ts'
import { gifs } from '#features/integrations/gifs/feature.ts'
import { incomingWebhooks } from '#features/integrations/incoming-webhooks/feature.ts'
import { outgoingWebhooks } from '#features/integrations/outgoing-webhooks/feature.ts'
import { alertWords } from '#features/messaging/alert-words/feature.ts'
import { drafts } from '#features/messaging/drafts/feature.ts'
import { emoji } from '#features/messaging/emoji/feature.ts'
import { eventQueues } from '#features/messaging/event-queues/feature.ts'
import { linkifiers } from '#features/messaging/linkifiers/feature.ts'
import { messages } from '#features/messaging/messages/feature.ts'
import { navigationViews } from '#features/messaging/navigation-views/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { picturePreviews } from '#features/messaging/picture-previews/feature.ts'
import { reminders } from '#features/messaging/reminders/feature.ts'
import { savedSnippets } from '#features/messaging/saved-snippets/feature.ts'
import { scheduledMessages } from '#features/messaging/scheduled-messages/feature.ts'
import { userTopics } from '#features/messaging/user-topics/feature.ts'
import { digest } from '#features/notifications/digest/feature.ts'
import { mailGateway } from '#features/notifications/mail-gateway/feature.ts'
import { mailNotifications } from '#features/notifications/mail-notifications/feature.ts'
import { phonePush } from '#features/notifications/phone-push/feature.ts'
import { push } from '#features/notifications/push/feature.ts'
import { webPush } from '#features/notifications/web-push/feature.ts'
import { exports } from '#features/organization/exports/feature.ts'
import { imports } from '#features/organization/imports/feature.ts'
import { organizationSettings } from '#features/organization/organization-settings/feature.ts'
import { playgrounds } from '#features/organization/playgrounds/feature.ts'
import { retention } from '#features/organization/retention/feature.ts'
import { avatars } from '#features/people/avatars/feature.ts'
import { groupAdministration } from '#features/people/group-administration/feature.ts'
import { mutedUsers } from '#features/people/muted-users/feature.ts'
import { onboarding } from '#features/people/onboarding/feature.ts'
import { profileFields } from '#features/people/profile-fields/feature.ts'
import { userStatus } from '#features/people/user-status/feature.ts'
import { welcome } from '#features/people/welcome/feature.ts'
import { help } from '#features/web/help/feature.ts'
import { webClient } from '#features/web/web-client/feature.ts'
import type { Feature } from '#platform/feature.ts'
import { sweepFiles } from '#platform/files/jobs.ts'
import type { HealthCheck } from '#platform/health/check.ts'
import {
  commitCheck,
  damageCheck,
  diskCheck,
  filesCheck,
  jobsCheck,
  translationsCheck,
} from '#platform/health/checks.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Metric } from '#platform/metrics/metric.ts'
import { platformMetrics } from '#platform/metrics/metrics.ts'
import type { ListedEndpoint } from '#platform/openapi/paths.ts'
import { sections } from '#platform/openapi/sections.ts'
import type { Quota } from '#platform/quotas/quota.ts'
import { type Listeners, listenersOf } from '#platform/store/occasions.ts'
import { backupCheck } from './backup/check.ts'
import { operating } from './operating/feature.ts'

/** All features. Adding a feature takes one line here. */
const parts: readonly Feature[] = [
  messages,
  drafts,
  savedSnippets,
  scheduledMessages,
  reminders,
  uploads,
  attachments,
  thumbnails,
  linkPreviews,

  picturePreviews,
  externalContent,
  channels,
  channelAdministration,
  subscriptions,
  userTopics,
  channelFolders,
  users,
  accounts,
  sessions,
  identityProviders,
  scim,
  twoFactor,
  singleSignOn,
  profileFields,
  userStatus,
  presence,
  mutedUsers,
  joining,
  invites,
  welcome,
  setup,
  help,
  webClient,
  phonePush,
  webPush,
  push,
  avatars,
  alertWords,
  navigationViews,
  onboarding,
  bots,
  botAdministration,
  incomingWebhooks,
  outgoingWebhooks,
  assistants,
  calls,
  gifs,
  groups,
  groupAdministration,
  organizationSettings,
  emoji,
  imports,
  linkifiers,
  playgrounds,
  domains,
  exports,
  mail,
  mailGateway,
  quietTimes,
  notifications,
  mailNotifications,
  digest,
  retention,
  operating,
]

/** All features and the event queues, which depend on the state and events of the others. */
export const features: readonly Feature[] = [...parts, eventQueues(parts)]

/** All endpoints, in the order of the sections of the API description. */
export function listEndpoints(): ListedEndpoint[] {
  return sections.flatMap((section) =>
    features.flatMap(({ routes }) =>
      (routes?.[section] ?? []).flatMap((module) =>
        Object.entries(module).map(([name, endpoint]) => ({ section, name, endpoint })),
      ),
    ),
  )
}

/** All limits on what accounts and the organization can hold or do, except sizes. */
export const quotas: readonly Quota[] = features.flatMap((each) => each.quotas ?? [])

/** The checks of `/health`. */
export const healthChecks = (): readonly HealthCheck[] => [
  diskCheck,
  damageCheck,
  filesCheck,
  translationsCheck,
  commitCheck,
  jobsCheck(jobs),
  backupCheck,
  ...features.flatMap((each) => each.health ?? []),
]

/** The metrics of `/metrics`. */
export const metrics = (): readonly Metric[] => [
  ...platformMetrics(jobs),
  ...features.flatMap((each) => each.metrics ?? []),
]

/** All background jobs. */
export const jobs: readonly Job[] = [sweepFiles, ...features.flatMap((each) => each.jobs ?? [])]

/** The reactions of features to occasions that others announce. */
export const listeners: Listeners = listenersOf(features.flatMap((each) => each.on ?? []))
