import { domains } from '#features/access/domains/feature.ts'
import { identityProviders } from '#features/access/identity-providers/feature.ts'
import { invites } from '#features/access/invites/feature.ts'
import { joining } from '#features/access/joining/feature.ts'
import { scim } from '#features/access/scim/feature.ts'
import { sessions } from '#features/access/sessions/feature.ts'
import { setup } from '#features/access/setup/feature.ts'
import { singleSignOn } from '#features/access/single-sign-on/feature.ts'
import { twoFactor } from '#features/access/two-factor/feature.ts'
import { channelAdministration } from '#features/channels/channel-administration/feature.ts'
import { channelFolders } from '#features/channels/channel-folders/feature.ts'
import { channels } from '#features/channels/channels/feature.ts'
import { subscriptions } from '#features/channels/subscriptions/feature.ts'
import { attachments } from '#features/files/attachments/feature.ts'
import { externalContent } from '#features/files/external-content/feature.ts'
import { imagePreviews } from '#features/files/image-previews/feature.ts'
import { linkPreviews } from '#features/files/link-previews/feature.ts'
import { thumbnails } from '#features/files/thumbnails/feature.ts'
import { uploads } from '#features/files/uploads/feature.ts'
import { calls } from '#features/integrations/calls/feature.ts'
import { gifs } from '#features/integrations/gifs/feature.ts'
import { incomingWebhooks } from '#features/integrations/incoming-webhooks/feature.ts'
import { outgoingWebhooks } from '#features/integrations/outgoing-webhooks/feature.ts'
import { alertWords } from '#features/messaging/alert-words/feature.ts'
import { drafts } from '#features/messaging/drafts/feature.ts'
import { emoji } from '#features/messaging/emoji/feature.ts'
import { eventQueues } from '#features/messaging/event-queues/feature.ts'
import { messages } from '#features/messaging/messages/feature.ts'
import { navigationViews } from '#features/messaging/navigation-views/feature.ts'
import { reminders } from '#features/messaging/reminders/feature.ts'
import { savedSnippets } from '#features/messaging/saved-snippets/feature.ts'
import { scheduledMessages } from '#features/messaging/scheduled-messages/feature.ts'
import { userTopics } from '#features/messaging/user-topics/feature.ts'
import { digest } from '#features/notifications/digest/feature.ts'
import { mail } from '#features/notifications/mail/feature.ts'
import { mailIn } from '#features/notifications/mail-gateway/feature.ts'
import { missedMail } from '#features/notifications/mail-notifications/feature.ts'
import { notifications } from '#features/notifications/notifications/feature.ts'
import { push } from '#features/notifications/phone-push/feature.ts'
import { pushDelivery } from '#features/notifications/push/feature.ts'
import { quietTimes } from '#features/notifications/quiet-times/feature.ts'
import { webPush } from '#features/notifications/web-push/feature.ts'
import { exports } from '#features/organization/exports/feature.ts'
import { imports } from '#features/organization/import/feature.ts'
import { linkifiers } from '#features/organization/linkifiers/feature.ts'
import { realmAdministration } from '#features/organization/organization-settings/feature.ts'
import { playgrounds } from '#features/organization/playgrounds/feature.ts'
import { retention } from '#features/organization/retention/feature.ts'
import { accounts } from '#features/people/accounts/feature.ts'
import { avatars } from '#features/people/avatars/feature.ts'
import { botAdministration } from '#features/people/bot-administration/feature.ts'
import { bots } from '#features/people/bots/feature.ts'
import { groupAdministration } from '#features/people/group-administration/feature.ts'
import { groups } from '#features/people/groups/feature.ts'
import { mutedUsers } from '#features/people/muted-users/feature.ts'
import { onboarding } from '#features/people/onboarding/feature.ts'
import { presence } from '#features/people/presence/feature.ts'
import { profileFields } from '#features/people/profile-fields/feature.ts'
import { userStatus } from '#features/people/user-status/feature.ts'
import { users } from '#features/people/users/feature.ts'
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

  imagePreviews,
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
  push,
  webPush,
  pushDelivery,
  avatars,
  alertWords,
  navigationViews,
  onboarding,
  bots,
  botAdministration,
  incomingWebhooks,
  outgoingWebhooks,
  calls,
  gifs,
  groups,
  groupAdministration,
  realmAdministration,
  emoji,
  imports,
  linkifiers,
  playgrounds,
  domains,
  exports,
  mail,
  mailIn,
  quietTimes,
  notifications,
  missedMail,
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
