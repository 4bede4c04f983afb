import {
  type Delivery,
  integration,
  type Note,
  type UnsupportedEvent,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  code,
  inline,
  lines,
  link,
  listed,
  quoting,
} from '#features/integrations/webhook-services/format.ts'
import {
  acted,
  branchesOption,
  commented,
  commitLink,
  commitsIn,
  isZeroHash,
  parseRef,
  privateOption,
  pushed,
  type Ticket,
  tagged,
  ticket,
  wantsBranch,
} from '#features/integrations/webhook-services/git.ts'
import { tokenOrStandardSignature } from '#features/integrations/webhook-services/signatures.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

type RenderResult = Note | UnsupportedEvent | undefined
type Renderer = (payload: Fields, delivery: Delivery) => RenderResult

const repoOf = (payload: Fields) =>
  payload.firstText('project.name', 'repository.name') ?? payload.text('project.name')
const homeOf = (payload: Fields) => payload.firstText('project.web_url', 'repository.homepage')
const userOf = (payload: Fields) => inline(payload.text('user.name'))

/** Puts the project before the sentence if no topic names it. */
function placed(payload: Fields, { isElsewhere }: Delivery, content: string): string {
  return isElsewhere ? `[${link(repoOf(payload), homeOf(payload))}] ${content}` : content
}

const push: Renderer = (payload, delivery) => {
  const { kind, name } = parseRef(payload.text('ref'))
  const repo = repoOf(payload)
  const pusher = payload.text('user_name')
  const who = inline(pusher)
  const [before, after] = [payload.text('before'), payload.text('after')]
  const isGone = isZeroHash(after)
  if (kind === 'tag') {
    const isRemoved = isGone || !payload.has('checkout_sha')
    return tagged({ who, repo, name, isRemoved })
  }
  if (!wantsBranch(delivery, name)) return undefined
  const total = payload.maybeNumber('total_commits_count')
  const home = homeOf(payload)
  return pushed({
    who,
    pusher,
    repo,
    branch: name,
    commits: commitsIn(payload, 'author.name'),
    ...(total !== undefined && { total }),
    compare: home && !isGone ? `${home}/-/compare/${before}...${after}` : undefined,
    change: isGone ? 'deleted' : isZeroHash(before) ? 'new' : 'updated',
  })
}

function assigneesOf(payload: Fields): string[] {
  const all = payload.maybeList('assignees').flatMap((one) => one.maybeText('name') ?? [])
  const one = payload.maybeText('assignee.name')
  return all.length > 0 || one === undefined ? all : [one]
}

/** Templates hide instructions in comments. */
const shown = (text: string | undefined) => text?.replace(/<!--[\s\S]*?(?:-->|$)/g, '')

function ticketOf(
  payload: Fields,
  delivery: Delivery,
  kind: 'issue' | 'MR',
  path: string,
  url?: string | undefined,
): Ticket {
  const title = payload.text(`${path}.title`)
  const isUntitled = kind === 'MR' && delivery.option('use_merge_request_title') === 'false'
  return ticket(delivery, {
    repo: repoOf(payload),
    kind,
    number: payload.text(`${path}.iid`),
    title: isUntitled ? undefined : title,
    url: url ?? payload.maybeText(`${path}.url`),
  })
}

const issueVerbs = { open: 'opened', close: 'closed', reopen: 'reopened', update: 'updated' }

const issue: Renderer = (payload, delivery) => {
  const action = payload.maybeText('object_attributes.action') ?? 'open'
  const verb = chosen(issueVerbs, action)
  if (verb === undefined) return unsupported(`Issue Hook ${action}`)
  const isOpened = action === 'open'
  const note = acted(ticketOf(payload, delivery, 'issue', 'object_attributes'), {
    who: userOf(payload),
    verb,
    assignees: isOpened ? assigneesOf(payload) : [],
    body: isOpened ? shown(payload.maybeText('object_attributes.description')) : undefined,
  })
  return { ...note, content: placed(payload, delivery, note.content) }
}

const mergeVerbs: Readonly<Record<string, string>> = {
  open: 'opened',
  update: 'updated',
  close: 'closed',
  reopen: 'reopened',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'took back the approval of',
  unapproval: 'took back the approval of',
}

const mergeRequest: Renderer = (payload, delivery) => {
  const at = (name: string) => payload.maybeText(`object_attributes.${name}`)
  const action = at('action') ?? 'open'
  const hasCommits = action === 'update' && payload.has('object_attributes.oldrev')
  const verb = hasCommits ? 'added commits to' : chosen(mergeVerbs, action)
  if (verb === undefined) return unsupported(`Merge Request Hook ${action}`)
  const isOpened = action === 'open'
  const hasBranches = isOpened || action === 'merge'
  const note = acted(ticketOf(payload, delivery, 'MR', 'object_attributes'), {
    who: userOf(payload),
    verb,
    ...(hasBranches && { from: at('source_branch'), to: at('target_branch') }),
    assignees: isOpened ? assigneesOf(payload) : [],
    body: isOpened ? shown(at('description')) : undefined,
  })
  return { ...note, content: placed(payload, delivery, note.content) }
}

const comment: Renderer = (payload, delivery) => {
  const kind = payload.maybeText('object_attributes.noteable_type') ?? ''
  const target = commentTarget(payload, delivery)
  if (!target) return unsupported(`Note Hook ${kind}`)
  const note = commented(target, {
    who: userOf(payload),
    change: payload.maybeText('object_attributes.action') === 'update' ? 'edited' : 'created',
    url: payload.maybeText('object_attributes.url'),
    body: payload.maybeText('object_attributes.note'),
  })
  return { ...note, content: placed(payload, delivery, note.content) }
}

/** The object of a comment: old versions of GitLab send only the URL of the comment. */
function commentTarget(payload: Fields, delivery: Delivery): Ticket | undefined {
  const url = payload.maybeText('object_attributes.url')?.split('#', 1)[0]
  if (payload.has('issue')) return ticketOf(payload, delivery, 'issue', 'issue', url)
  if (payload.has('merge_request')) return ticketOf(payload, delivery, 'MR', 'merge_request', url)
  if (payload.has('commit')) {
    const hash = payload.text('commit.id')
    return {
      topic: repoOf(payload),
      target: commitLink(hash, payload.maybeText('commit.url') ?? url),
    }
  }
  if (!payload.has('snippet')) return undefined
  const number = payload.text('snippet.id')
  return ticket(delivery, {
    repo: repoOf(payload),
    kind: 'snippet',
    number,
    title: payload.maybeText('snippet.title'),
    url: payload.maybeText('snippet.url') ?? `${homeOf(payload)}/-/snippets/${number}`,
  })
}

const wikiVerbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
}

const wikiPage: Renderer = (payload, delivery) => {
  const action = payload.maybeText('object_attributes.action') ?? ''
  const verb = chosen(wikiVerbs, action)
  if (verb === undefined) return unsupported(`Wiki Page Hook ${action}`)
  const page = link(
    payload.text('object_attributes.title'),
    payload.maybeText('object_attributes.url'),
  )
  const content = `${userOf(payload)} ${verb} the wiki page ${page}.`
  return { topic: repoOf(payload), content: placed(payload, delivery, content) }
}

const states: Readonly<Record<string, string>> = {
  success: `succeeded ${signs.good}`,
  failed: `failed ${signs.bad}`,
  canceled: `was canceled ${signs.info}`,
  skipped: `was skipped ${signs.info}`,
  created: `was created ${signs.pending}`,
  pending: `is pending ${signs.pending}`,
  running: `is running ${signs.pending}`,
  manual: `waits to be started by hand ${signs.info}`,
}

const stateText = (status: string) =>
  chosen(states, status) ?? `is ${inline(status, 30).replaceAll('_', ' ')} ${signs.info}`

const job: Renderer = (payload, delivery) => {
  const ref = payload.text('ref')
  if (!wantsBranch(delivery, ref)) return undefined
  const home = homeOf(payload)
  const id = payload.maybeText('build_id')
  const name = link(payload.text('build_name'), home && id && `${home}/-/jobs/${id}`)
  const stage = payload.someText('build_stage')
  const where = stage === undefined ? '' : ` from stage ${code(stage)}`
  const content = `Job ${name}${where} ${stateText(payload.text('build_status'))}.`
  const repo = payload.firstText('project.name', 'repository.name')
  return {
    topic: `${repo ?? payload.text('repository.name')} / ${ref}`,
    content: placed(payload, delivery, content),
  }
}

const pipeline: Renderer = (payload, delivery) => {
  const ref = payload.text('object_attributes.ref')
  if (!wantsBranch(delivery, ref)) return undefined
  const home = homeOf(payload)
  const id = payload.text('object_attributes.id')
  const url = home ? `${home}/-/pipelines/${id}` : payload.maybeText('object_attributes.url')
  const status = stateText(payload.text('object_attributes.status'))
  const jobs = listed(payload.maybeList('builds'), (build) => {
    const at = home && `${home}/-/jobs/${build.text('id')}`
    const files = build.someText('artifacts_file.filename')
    const artifacts =
      files === undefined || !at
        ? ''
        : `, with [artifacts](${at}/artifacts/browse) ([download](${at}/artifacts/download))`
    return `* ${link(build.text('name'), at)} ${stateText(build.text('status'))}${artifacts}`
  })
  const content = `${link(`Pipeline #${id}`, url)} on ${code(ref)} ${status}`
  return {
    topic: `${repoOf(payload)} / ${ref}`,
    content: placed(payload, delivery, lines(content, jobs && `\n${jobs}`)),
  }
}

const release: Renderer = (payload, delivery) => {
  const action = payload.text('action')
  const verb = chosen(wikiVerbs, action)
  if (verb === undefined) return unsupported(`Release Hook ${action}`)
  const name = link(payload.someText('name') ?? payload.text('tag'), payload.maybeText('url'))
  const body = action === 'create' ? payload.maybeText('description') : ''
  const content = quoting(`Release ${name} was ${verb}`, body)
  return { topic: repoOf(payload), content: placed(payload, delivery, content) }
}

const test: Renderer = (payload) => ({
  topic: repoOf(payload),
  content: `The GitLab webhook was set up ${signs.tada}`,
})

/** By the name in the `X-Gitlab-Event` header. */
const renderers: Readonly<Record<string, Renderer>> = {
  'Push Hook': push,
  'Tag Push Hook': push,
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Note Hook': comment,
  'Confidential Note Hook': comment,
  'Merge Request Hook': mergeRequest,
  'Pipeline Hook': pipeline,
  'Job Hook': job,
  'Build Hook': job,
  'Release Hook': release,
  'Wiki Page Hook': wikiPage,
  'Test Hook': test,
}

/** Hooks of the whole server name the event in the payload: `merge_request`. */
function hookName({ event, payload }: Delivery): string {
  if (event !== 'System Hook') return event
  const name = payload.firstText('event_name', 'object_kind') ?? ''
  const words = name.slice(0, 60).split('_')
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')} Hook`
}

/** The suffixes of event names in Zulip's filters. */
function actionOf(payload: Fields, event: string): string | undefined {
  if (event.endsWith('Note Hook')) return payload.maybeText('object_attributes.noteable_type')
  return payload.maybeText('object_attributes.action')
}

/** @source GitLab Docs, "Webhook events" and "Webhooks" (read on 2026-11-24) */
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
    ...Object.keys(mergeVerbs).map((action) => `Merge Request Hook ${action}`),
    ...['create', 'update', 'delete'].map((action) => `Wiki Page Hook ${action}`),
    'Release Hook',
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
