import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { branchesOption, privateOption } from '#features/integrations/webhook-services/git.ts'
import { discussionEvents } from '#features/integrations/webhook-services/github/discussions.ts'
import { organizationEvents } from '#features/integrations/webhook-services/github/organization.ts'
import type { GithubEvents } from '#features/integrations/webhook-services/github/payload.ts'
import { relationEvents } from '#features/integrations/webhook-services/github/relations.ts'
import { repositoryEvents } from '#features/integrations/webhook-services/github/repository.ts'
import { securityEvents } from '#features/integrations/webhook-services/github/security.ts'
import { ticketEvents } from '#features/integrations/webhook-services/github/tickets.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const events: GithubEvents = {
  ...ticketEvents,
  ...relationEvents,
  ...discussionEvents,
  ...repositoryEvents,
  ...securityEvents,
  ...organizationEvents,
}

/** Events that accompany others, or are only about the administration of GitHub. */
const ignored = `check_suite label meta milestone organization project_card
  repository_vulnerability_alert`.split(/\s+/)

/**
 * @source GitHub Docs, "Webhook events and payloads" (headers read on 2026-11-23) and "Validating
 *   webhook deliveries"
 */
export const github = integration({
  name: 'github',
  displayName: 'GitHub',
  category: 'Version control',
  eventTypes: `assigned_or_unassigned_pull_request cancelled check_run closed_pull_request
    code_scanning_alert commit_comment create created delete dependabot_alert deployment deployment_status discussion
    discussion_comment edited fork gollum issue_comment issue_dependencies issue_labeled_or_unlabeled
    issue_milestoned_or_demilestoned issues issues_transferred locked_or_unlocked_pull_request member
    membership opened_or_update_pull_request opened_pull_request page_build pending_cancellation
    pending_tier_change ping public pull_request_auto_merge pull_request_enqueued_or_dequeued
    pull_request_labeled_or_unlabeled pull_request_milestoned_or_demilestoned
    pull_request_ready_for_review pull_request_review pull_request_review_comment
    pull_request_review_requested pull_request_review_thread push_commits push_tags release
    repository repository_advisory secret_scanning_alert star status sub_issues team team_add
    tier_changed updated_pull_request watch workflow_run`.split(/\s+/),
  eventHeaders: ['X-GitHub-Event'],
  sendsLongPayloads: true,
  signature: hmacHeader(
    sentText('Secret with which GitHub signs its requests'),
    'x-hub-signature-256',
    {
      prefix: 'sha256=',
    },
  ),
  urlOptions: [branchesOption, privateOption],
  steps: steps([
    'In the repository or organization, open **Settings → Webhooks**, and press **Add webhook**.',
    'Paste `{url}` as **Payload URL**, and choose the content type `application/json`.',
    'If the bot has a secret, enter the same as **Secret**.',
    'Choose the events, and press **Add webhook**. GitHub sends a ping right away.',
  ]),
  example: {
    headers: { 'X-GitHub-Event': 'pull_request' },
    body: {
      action: 'opened',
      pull_request: {
        number: 12,
        title: 'Water the plants on Fridays',
        html_url: 'https://github.com/acme/garden/pull/12',
        body: 'They were dry on Monday.',
        merged: false,
        head: { ref: 'water', label: 'acme:water' },
        base: { ref: 'main', label: 'acme:main' },
      },
      repository: {
        name: 'garden',
        full_name: 'acme/garden',
        html_url: 'https://github.com/acme/garden',
      },
      sender: { login: 'ada', html_url: 'https://github.com/ada' },
    },
    topic: 'garden / PR #12 Water the plants on Fridays',
  },
  render(delivery) {
    const { event: header, payload } = delivery
    if (ignored.includes(header)) return undefined
    // A sponsorship may come under the name of its action.
    const name = payload.has('sponsorship') ? 'sponsorship' : header
    const known = Object.hasOwn(events, name) ? events[name] : undefined
    if (!known) return unsupported(header)
    const isPrivate = payload.flag('repository.private')
    if (isPrivate && delivery.option('ignore_private_repositories') === 'true') return undefined
    const said = known.say(payload, delivery)
    if (said === undefined || !('topic' in said)) return said
    const action = payload.maybeText('action')
    const own = action === undefined ? [name] : [name, `${name}:${action}`]
    return { ...said, events: [...(known.filters?.(payload) ?? []), ...own] }
  },
})
