import {
  type Delivery,
  integration,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { branchesOption, privateOption } from '#features/integrations/webhook-services/git.ts'
import type { Renderer } from '#features/integrations/webhook-services/gitlab/payload.ts'
import * as project from '#features/integrations/webhook-services/gitlab/project.ts'
import * as tickets from '#features/integrations/webhook-services/gitlab/tickets.ts'
import { tokenOrStandardSignature } from '#features/integrations/webhook-services/signatures.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** By the name in the `X-Gitlab-Event` header. */
const renderers: Readonly<Record<string, Renderer>> = {
  'Push Hook': project.push,
  'Tag Push Hook': project.push,
  'Issue Hook': tickets.issue,
  'Confidential Issue Hook': tickets.issue,
  'Note Hook': tickets.comment,
  'Confidential Note Hook': tickets.comment,
  'Merge Request Hook': tickets.mergeRequest,
  'Pipeline Hook': project.pipeline,
  'Job Hook': project.job,
  'Build Hook': project.job,
  'Release Hook': project.release,
  'Wiki Page Hook': project.wikiPage,
  'Deployment Hook': project.deployment,
  'Feature Flag Hook': project.featureFlag,
  'Milestone Hook': project.milestone,
  'Resource Access Token Hook': project.accessToken,
  'Vulnerability Hook': project.vulnerability,
  'Test Hook': project.test,
}

/** Hooks of the whole server name the event in the payload: `merge_request`. */
function hookName(delivery: Delivery): string {
  const name = ownName(delivery)
  // A work item comes under the name of an issue, except where the payload names the event.
  return name === 'Work Item Hook' ? 'Issue Hook' : name
}

function ownName({ event, payload }: Delivery): string {
  if (event !== 'System Hook') return event
  const name = payload.firstText('event_name', 'object_kind') ?? ''
  const words = name.slice(0, 60).split('_')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')} Hook`
}

/** The suffixes of event names in Zulip's filters. */
function actionOf(payload: Fields, event: string): string | undefined {
  if (event.endsWith('Note Hook')) return payload.maybeText('object_attributes.noteable_type')
  return payload.firstText('object_attributes.action', 'action')
}

/** @source GitLab Docs, "Webhook events" (work items as of 18.6) and "Webhooks" (read on 2026-11-24) */
export const gitlab = integration({
  name: 'gitlab',
  displayName: 'GitLab',
  category: 'Version control',
  eventTypes: [
    ...['Push Hook', 'Tag Push Hook', 'Job Hook', 'Build Hook', 'Pipeline Hook', 'Test Hook'],
    ...['open', 'close', 'reopen', 'update'].map((action) => `Issue Hook ${action}`),
    ...['open', 'close', 'reopen', 'update'].map((action) => `Confidential Issue Hook ${action}`),
    ...['Commit', 'Issue', 'MergeRequest', 'Snippet'].map((kind) => `Note Hook ${kind}`),
    'Confidential Note Hook Issue',
    ...Object.keys(tickets.mergeVerbs).map((action) => `Merge Request Hook ${action}`),
    ...['create', 'update', 'delete'].map((action) => `Wiki Page Hook ${action}`),
    'Release Hook',
    'Deployment Hook',
    'Feature Flag Hook',
    ...['create', 'close', 'reopen', 'delete'].map((action) => `Milestone Hook ${action}`),
    'Resource Access Token Hook',
    'Vulnerability Hook',
  ],
  eventHeaders: ['X-Gitlab-Event'],
  sendsLongPayloads: true,
  signature: tokenOrStandardSignature(
    sentText('Signing token (whsec_…) or secret token of the webhook'),
    'x-gitlab-token',
  ),
  urlOptions: [
    branchesOption,
    privateOption,
    {
      key: 'use_merge_request_title',
      label: sentText('Titles of merge requests in topics'),
      validator: 'check_bool',
      isOnByDefault: true,
    },
  ],
  steps: steps([
    'In the project or group, open **Settings → Webhooks**, and press **Add new webhook**.',
    'Paste `{url}` as **URL**. As the secret of the bot, take the **Signing token** that GitLab makes; older versions have a **Secret token** that you choose.',
    'Choose the events, and press **Add webhook**. **Test** sends one of them.',
  ]),
  example: {
    headers: { 'X-Gitlab-Event': 'Issue Hook' },
    body: {
      object_kind: 'issue',
      user: { name: 'Ada' },
      project: { name: 'garden', web_url: 'https://gitlab.com/acme/garden' },
      object_attributes: {
        iid: 7,
        title: 'The roses need water',
        url: 'https://gitlab.com/acme/garden/-/issues/7',
        description: 'Most of all on *Mondays*.',
        action: 'open',
      },
      assignees: [{ name: 'Grace' }],
    },
    topic: 'garden / issue #7 The roses need water',
  },
  render(delivery) {
    const { payload } = delivery
    const name = hookName(delivery)
    const known = Object.hasOwn(renderers, name) ? renderers[name] : undefined
    if (!known) return unsupported(name)
    const visibility = payload.maybeNumber('project.visibility_level')
    const isPrivate = visibility !== undefined && visibility !== publicLevel
    if (isPrivate && delivery.option('ignore_private_repositories') === 'true') return undefined
    const said = known(payload, delivery)
    if (said === undefined || 'unsupported' in said) return said
    const action = actionOf(payload, name)
    const withAction = action === undefined ? [] : [`${name} ${action}`, `${name}:${action}`]
    return { ...said, events: [name, ...withAction] }
  },
})

/** GitLab's number for projects that everyone can see. */
const publicLevel = 20
