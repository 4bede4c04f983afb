import * as v from 'valibot'
import { integrations } from '#features/bots/integrations.ts'
import { code, inline, link, quoting } from '#features/incoming-webhooks/markdown.ts'
import {
  integer,
  maybeText,
  type Note,
  requirePayload,
  text,
} from '#features/incoming-webhooks/note.ts'
import { isWantedBranch, isZeroHash, parseRef, pushText } from '#features/incoming-webhooks/refs.ts'

const { gitlab } = integrations

type NoteResult = Pick<Note, 'topic' | 'content'> | undefined | 'unsupported'
type NoteRenderer = (event: string, payload: unknown, branches: string | undefined) => NoteResult

function noteRenderer<T>(
  schema: v.GenericSchema<unknown, T>,
  say: (payload: T, branches: string | undefined) => NoteResult,
): NoteRenderer {
  return (event, payload, branches) => say(requirePayload(gitlab, event, schema, payload), branches)
}

const project = v.object({ path_with_namespace: text, web_url: maybeText })
const user = v.object({ name: text })
const common = { user, project }

const push = noteRenderer(
  v.object({
    user_name: text,
    project,
    ref: text,
    before: text,
    after: text,
    commits: v.optional(v.array(v.object({ id: text, message: text, url: maybeText })), []),
    total_commits_count: v.optional(integer),
  }),
  (payload, branches) => {
    const { kind, name } = parseRef(payload.ref)
    const path = payload.project.path_with_namespace
    const actor = inline(payload.user_name)
    const isGone = isZeroHash(payload.after)
    if (kind === 'tag') {
      return {
        topic: path,
        content: `${actor} ${isGone ? 'removed' : 'pushed'} tag ${code(name)}.`,
      }
    }
    if (!isWantedBranch(name, branches)) return undefined
    const topic = `${path} / ${name}`
    if (isGone) return { topic, content: `${actor} deleted branch ${code(name)}.` }
    const isNew = isZeroHash(payload.before)
    const compare = `${payload.project.web_url}/-/compare/${payload.before}...${payload.after}`
    const content = pushText({
      who: actor,
      branch: name,
      commits: payload.commits,
      total: payload.total_commits_count ?? payload.commits.length,
      compare: isNew ? undefined : compare,
      isNew,
      isForced: false,
    })
    return { topic, content }
  },
)

const numbered = { iid: integer, title: text, url: maybeText, description: maybeText }

type Numbered = v.InferOutput<v.ObjectSchema<typeof numbered, undefined>>

const linkTo = (what: string, sign: string, { iid, title, url }: Numbered) =>
  link(`${what} ${sign}${iid}: ${title}`, url)
const issueTopic = (path: string, { iid, title }: Pick<Numbered, 'iid' | 'title'>) =>
  `${path} / issue #${iid} ${title}`
const requestTopic = (path: string, { iid, title }: Pick<Numbered, 'iid' | 'title'>) =>
  `${path} / MR !${iid} ${title}`

const issue = noteRenderer(
  v.object({ ...common, object_attributes: v.object({ ...numbered, action: maybeText }) }),
  ({ user: { name }, project: { path_with_namespace: path }, object_attributes: one }) => {
    const verbs: Record<string, string> = {
      open: 'opened',
      close: 'closed',
      reopen: 'reopened',
      update: 'updated',
    }
    const action = one.action ?? ''
    const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined
    if (verb === undefined) return 'unsupported'
    const line = `${inline(name)} ${verb} ${linkTo('issue', '#', one)}`
    const content = quoting(line, action === 'open' ? one.description : '')
    return { topic: issueTopic(path, one), content }
  },
)

const mergeRequest = noteRenderer(
  v.object({
    ...common,
    object_attributes: v.object({
      ...numbered,
      action: maybeText,
      source_branch: text,
      target_branch: text,
    }),
  }),
  ({ user: { name }, project: { path_with_namespace: path }, object_attributes: one }) => {
    const topic = requestTopic(path, one)
    const target = linkTo('MR', '!', one)
    if (one.action === 'open') {
      const branches = `from ${code(one.source_branch)} to ${code(one.target_branch)}`
      return {
        topic,
        content: quoting(`${inline(name)} opened ${target} ${branches}`, one.description),
      }
    }
    const verbs: Record<string, string> = {
      close: 'closed',
      reopen: 'reopened',
      update: 'updated',
      merge: 'merged',
      approved: 'approved',
      approval: 'approved',
      unapproved: 'took back the approval of',
      unapproval: 'took back the approval of',
    }
    const action = one.action ?? ''
    const verb = Object.hasOwn(verbs, action) ? verbs[action] : undefined
    return verb === undefined
      ? 'unsupported'
      : { topic, content: `${inline(name)} ${verb} ${target}.` }
  },
)

const about = v.nullish(v.object({ iid: integer, title: text }))

const note = noteRenderer(
  v.object({
    ...common,
    object_attributes: v.object({ note: text, noteable_type: text, url: maybeText }),
    issue: about,
    merge_request: about,
    commit: v.nullish(v.object({ id: text })),
    snippet: v.nullish(v.object({ title: text })),
  }),
  (payload) => {
    const { project: where, object_attributes: one } = payload
    const path = where.path_with_namespace
    const target = noteTarget(path, payload)
    if (!target) return 'unsupported'
    const line = `${inline(payload.user.name)} ${link('commented', one.url)} on ${target.name}`
    return { topic: target.topic, content: quoting(line, one.note) }
  },
)

interface Noted {
  issue?: v.InferOutput<typeof about>
  merge_request?: v.InferOutput<typeof about>
  commit?: { id: string } | null | undefined
  snippet?: { title: string } | null | undefined
}

function noteTarget(
  path: string,
  { issue, merge_request: request, commit, snippet }: Noted,
): { topic: string; name: string } | undefined {
  if (issue)
    return { topic: issueTopic(path, issue), name: inline(`issue #${issue.iid}: ${issue.title}`) }
  if (request) {
    return {
      topic: requestTopic(path, request),
      name: inline(`MR !${request.iid}: ${request.title}`),
    }
  }
  if (commit) return { topic: path, name: `commit ${code(commit.id.slice(0, 11))}` }
  if (snippet) return { topic: path, name: inline(`snippet ${snippet.title}`) }
  return undefined
}

const results: Readonly<Record<string, string>> = {
  success: 'success ✅',
  failed: 'failed ❌',
  canceled: 'canceled ⚪',
}

/** Only the results are shown, because pipelines and jobs start all the time. */
const ended = (status: string) => (Object.hasOwn(results, status) ? results[status] : undefined)

const pipeline = noteRenderer(
  v.object({
    project,
    object_attributes: v.object({ id: integer, ref: text, status: text, url: maybeText }),
  }),
  ({ project: where, object_attributes: one }, branches) => {
    const result = ended(one.status)
    if (result === undefined || !isWantedBranch(one.ref, branches)) return undefined
    const url = one.url ?? `${where.web_url}/-/pipelines/${one.id}`
    const name = link(`Pipeline ${one.id}`, url)
    return {
      topic: `${where.path_with_namespace} / ${one.ref}`,
      content: `${name} on ${code(one.ref)}: ${result}`,
    }
  },
)

const job = noteRenderer(
  v.object({
    ref: text,
    build_id: integer,
    build_name: text,
    build_status: text,
    project_name: text,
    repository: v.nullish(v.object({ homepage: maybeText })),
  }),
  (one, branches) => {
    const result = ended(one.build_status)
    if (result === undefined || !isWantedBranch(one.ref, branches)) return undefined
    const home = one.repository?.homepage
    const name = link(`Job ${one.build_name}`, home && `${home}/-/jobs/${one.build_id}`)
    return {
      topic: `${one.project_name.replaceAll(' / ', '/')} / ${one.ref}`,
      content: `${name} on ${code(one.ref)}: ${result}`,
    }
  },
)

const pageVerbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
}
const pageVerb = (action: string | null | undefined) =>
  Object.hasOwn(pageVerbs, action ?? '') ? pageVerbs[action ?? ''] : undefined

const release = noteRenderer(
  v.object({
    project,
    action: text,
    name: text,
    tag: text,
    url: maybeText,
    description: maybeText,
  }),
  ({ project: where, action, name, tag, url, description }) => {
    const verb = pageVerb(action)
    if (verb === undefined) return 'unsupported'
    const line = `Release ${link(name || tag, url)} was ${verb}`
    const content = quoting(line, action === 'create' ? description : '')
    return { topic: where.path_with_namespace, content }
  },
)

const wikiPage = noteRenderer(
  v.object({
    ...common,
    object_attributes: v.object({ title: text, url: maybeText, action: maybeText }),
  }),
  ({ user: { name }, project: where, object_attributes: page }) => {
    const verb = pageVerb(page.action)
    if (verb === undefined) return 'unsupported'
    const content = `${inline(name)} ${verb} the wiki page ${link(page.title, page.url)}.`
    return { topic: where.path_with_namespace, content }
  },
)

/** The renderers, by the event's name in the `X-Gitlab-Event` header. */
export const eventsOf: Readonly<Record<string, NoteRenderer>> = {
  'Push Hook': push,
  'Tag Push Hook': push,
  'Issue Hook': issue,
  'Confidential Issue Hook': issue,
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Merge Request Hook': mergeRequest,
  'Pipeline Hook': pipeline,
  'Job Hook': job,
  'Release Hook': release,
  'Wiki Page Hook': wikiPage,
}
