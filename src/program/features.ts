import { accounts } from '#features/accounts/feature.ts'
import { alertWords } from '#features/alert-words/feature.ts'
import { attachments } from '#features/attachments/feature.ts'
import { avatars } from '#features/avatars/feature.ts'
import { botAdministration } from '#features/bot-administration/feature.ts'
import { bots } from '#features/bots/feature.ts'
import { channelAdministration } from '#features/channel-administration/feature.ts'
import { channelFolders } from '#features/channel-folders/feature.ts'
import { channels } from '#features/channels/feature.ts'
import { digest } from '#features/digest/feature.ts'
import { domains } from '#features/domains/feature.ts'
import { drafts } from '#features/drafts/feature.ts'
import { emoji } from '#features/emoji/feature.ts'
import { eventQueues } from '#features/event-queues/feature.ts'
import { exports } from '#features/exports/feature.ts'
import { externalContent } from '#features/external-content/feature.ts'
import { groupAdministration } from '#features/group-administration/feature.ts'
import { groups } from '#features/groups/feature.ts'
import { identityProviders } from '#features/identity-providers/feature.ts'
import { imagePreviews } from '#features/image-previews/feature.ts'
import { incomingWebhooks } from '#features/incoming-webhooks/feature.ts'
import { invites } from '#features/invites/feature.ts'
import { joining } from '#features/joining/feature.ts'
import { linkifiers } from '#features/linkifiers/feature.ts'
import { mail } from '#features/mail/feature.ts'
import { mailIn } from '#features/mail-in/feature.ts'
import { messages } from '#features/messages/feature.ts'
import { missedMail } from '#features/missed-mail/feature.ts'
import { mutedUsers } from '#features/muted-users/feature.ts'
import { navigationViews } from '#features/navigation-views/feature.ts'
import { notifications } from '#features/notifications/feature.ts'
import { onboarding } from '#features/onboarding/feature.ts'
import { outgoingWebhooks } from '#features/outgoing-webhooks/feature.ts'
import { playgrounds } from '#features/playgrounds/feature.ts'
import { presence } from '#features/presence/feature.ts'
import { profileFields } from '#features/profile-fields/feature.ts'
import { push } from '#features/push/feature.ts'
import { pushDelivery } from '#features/push-delivery/feature.ts'
import { realmAdministration } from '#features/realm-administration/feature.ts'
import { reminders } from '#features/reminders/feature.ts'
import { retention } from '#features/retention/feature.ts'
import { savedSnippets } from '#features/saved-snippets/feature.ts'
import { scheduledMessages } from '#features/scheduled-messages/feature.ts'
import { scim } from '#features/scim/feature.ts'
import { sessions } from '#features/sessions/feature.ts'
import { setup } from '#features/setup/feature.ts'
import { singleSignOn } from '#features/single-sign-on/feature.ts'
import { subscriptions } from '#features/subscriptions/feature.ts'
import { twoFactor } from '#features/two-factor/feature.ts'
import { uploads } from '#features/uploads/feature.ts'
import { userStatus } from '#features/user-status/feature.ts'
import { userTopics } from '#features/user-topics/feature.ts'
import { users } from '#features/users/feature.ts'
import { webClient } from '#features/web-client/feature.ts'
import { webPush } from '#features/web-push/feature.ts'
import { welcome } from '#features/welcome/feature.ts'
import type { Feature } from '#platform/feature.ts'
import { sweepFiles } from '#platform/files/jobs.ts'
import type { HealthCheck } from '#platform/health/check.ts'
import { commitCheck, diskCheck, jobsCheck } from '#platform/health/checks.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Metric } from '#platform/metrics/metric.ts'
import { platformMetrics } from '#platform/metrics/metrics.ts'
import type { ListedEndpoint } from '#platform/openapi/paths.ts'
import { sections } from '#platform/openapi/sections.ts'
import type { Quota } from '#platform/quotas/quota.ts'
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
  groups,
  groupAdministration,
  realmAdministration,
  emoji,
  linkifiers,
  playgrounds,
  domains,
  exports,
  mail,
  mailIn,
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

/** What `/health` checks. */
export const healthChecks = (): readonly HealthCheck[] => [
  diskCheck,
  commitCheck,
  jobsCheck(jobs),
  backupCheck,
  ...features.flatMap((each) => each.health ?? []),
]

/** What `/metrics` shows. */
export const metrics = (): readonly Metric[] => [
  ...platformMetrics(jobs),
  ...features.flatMap((each) => each.metrics ?? []),
]

/** All background jobs. */
export const jobs: readonly Job[] = [sweepFiles, ...features.flatMap((each) => each.jobs ?? [])]
