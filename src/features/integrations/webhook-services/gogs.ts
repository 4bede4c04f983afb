import { type Delivery, type DeliveryResult, type Note, unsupported } from './declaration.ts'
import type { Fields } from './fields.ts'
import { inline, link, urlPart } from './format.ts'
import {
  acted,
  closingVerb,
  commented,
  commitsIn,
  isZeroHash,
  parseRef,
  pushed,
  tagged,
  ticket,
  wantsBranch,
} from './git.ts'
import { chosen } from './signs.ts'

/** The differences within this family. */
export interface Dialect {
  /** The member of a pull request that is its number in topics. */
  readonly topicNumber: 'id' | 'number'
}

type Renderer = (payload: Fields, delivery: Delivery, dialect: Dialect) => DeliveryResult

const repo = (payload: Fields) => payload.text('repository.name')
const home = (payload: Fields) => payload.maybeText('repository.html_url')
const actorName = (payload: Fields) =>
  payload.firstText('sender.login', 'sender.username') ?? payload.text('sender.login')
const actor = (payload: Fields) => inline(actorName(payload))
const repoLink = (payload: Fields) =>
  link(payload.maybeText('repository.full_name') ?? repo(payload), home(payload))

const push: Renderer = (payload, delivery) => {
  const { kind, name } = parseRef(payload.text('ref'))
  const who = actor(payload)
  const isGone = isZeroHash(payload.maybeText('after') ?? '1')
  if (kind === 'tag') return tagged({ who, repo: repo(payload), name, isRemoved: isGone })
  if (!wantsBranch(delivery, name)) return undefined
  const total = payload.maybeNumber('total_commits')
  return pushed({
    who,
    pusher: actorName(payload),
    repo: repo(payload),
    branch: name,
    commits: commitsIn(payload, 'author.username', 'author.name'),
    ...(total !== undefined && { total }),
    compare: payload.maybeText('compare_url'),
    change: isGone ? 'deleted' : isZeroHash(payload.maybeText('before') ?? '1') ? 'new' : 'updated',
  })
}

const create: Renderer = (payload, delivery) => {
  const name = payload.text('ref')
  const url = home(payload) && `${home(payload)}/src/${urlPart(name, true)}`
  const [who, topic] = [actor(payload), repo(payload)]
  if (payload.text('ref_type') === 'tag') {
    return { topic, content: `${who} created tag ${link(name, url)}.` }
  }
  if (!wantsBranch(delivery, name)) return undefined
  return { topic: `${topic} / ${name}`, content: `${who} created branch ${link(name, url)}.` }
}

const removed: Renderer = (payload, delivery) => {
  const { name } = parseRef(payload.text('ref'))
  const who = actor(payload)
  if (payload.text('ref_type') === 'tag') {
    return tagged({ who, repo: repo(payload), name, isRemoved: true })
  }
  if (!wantsBranch(delivery, name)) return undefined
  return pushed({
    who,
    pusher: '',
    repo: repo(payload),
    branch: name,
    commits: [],
    compare: undefined,
    change: 'deleted',
  })
}

/** Verbs by action; `edited` and the like are verbs themselves. */
const verbs: Readonly<Record<string, string>> = {
  opened: 'opened',
  reopened: 'reopened',
  edited: 'edited',
  synchronized: 'updated',
  synchronize: 'updated',
  assigned: 'assigned',
  unassigned: 'unassigned',
  label_updated: 'changed the labels of',
  label_cleared: 'removed the labels of',
  milestoned: 'set the milestone of',
  demilestoned: 'removed the milestone of',
  review_requested: 'requested a review of',
  review_request_removed: 'withdrew the request for a review of',
  deleted: 'deleted',
}

function assigneesOf(payload: Fields, path: string): string[] {
  const name = (one: Fields) => one.firstText('login', 'username') ?? []
  const all = payload.maybeList(`${path}.assignees`).flatMap(name)
  const one = payload.firstText(`${path}.assignee.login`, `${path}.assignee.username`)
  return all.length > 0 || one === undefined ? all : [one]
}

function pullOf(payload: Fields, delivery: Delivery, { topicNumber }: Dialect) {
  return ticket(delivery, {
    repo: repo(payload),
    kind: 'PR',
    number: payload.text('pull_request.number'),
    title: payload.text('pull_request.title'),
    url: payload.maybeText('pull_request.html_url'),
    topicNumber: payload.text(`pull_request.${topicNumber}`),
  })
}

const pullRequest: Renderer = (payload, delivery, dialect) => {
  const action = payload.text('action')
  const isMerged = payload.flag('pull_request.merged')
  const verb = action === 'closed' ? closingVerb(isMerged) : chosen(verbs, action)
  if (verb === undefined) return unsupported(`pull_request:${action}`)
  const at = (...names: string[]) => payload.firstText(...names.map((n) => `pull_request.${n}`))
  const merger =
    isMerged && action === 'closed' ? at('merged_by.username', 'merged_by.login') : undefined
  return acted(pullOf(payload, delivery, dialect), {
    who: merger === undefined ? actor(payload) : inline(merger),
    verb,
    ...(action !== 'edited' && {
      from: at('head.ref', 'head_branch'),
      to: at('base.ref', 'base_branch'),
    }),
    assignees: ['opened', 'assigned'].includes(action) ? assigneesOf(payload, 'pull_request') : [],
    body: action === 'opened' ? at('body') : undefined,
  })
}

const verdicts: Readonly<Record<string, string>> = {
  pull_request_review_approved: 'approved',
  pull_request_approved: 'approved',
  pull_request_review_rejected: 'requested changes to',
  pull_request_rejected: 'requested changes to',
  pull_request_review_comment: 'reviewed',
  pull_request_comment: 'reviewed',
}

/** A review; the newer names of its events carry the verdict in the payload. */
const review =
  (event: string): Renderer =>
  (payload, delivery, dialect) => {
    // Comments on a pull request outside of reviews come under one of these names as well.
    if (payload.has('comment')) return comment(payload, delivery, dialect)
    const verb = chosen(verdicts, payload.maybeText('review.type') ?? event) ?? 'reviewed'
    const body = payload.maybeText('review.content')
    return acted(pullOf(payload, delivery, dialect), { who: actor(payload), verb, body })
  }

function issueOf(payload: Fields, delivery: Delivery) {
  const number = payload.text('issue.number')
  return ticket(delivery, {
    repo: repo(payload),
    kind: 'issue',
    number,
    title: payload.text('issue.title'),
    url: home(payload) && `${home(payload)}/issues/${number}`,
  })
}

const issues: Renderer = (payload, delivery) => {
  const action = payload.text('action')
  const verb = action === 'closed' ? 'closed' : chosen(verbs, action)
  if (verb === undefined) return unsupported(`issues:${action}`)
  const hasBody = action === 'opened' || action === 'edited'
  return acted(issueOf(payload, delivery), {
    who: actor(payload),
    verb,
    assignees: assigneesOf(payload, 'issue'),
    body: hasBody ? payload.maybeText('issue.body') : undefined,
  })
}

const comment: Renderer = (payload, delivery) => {
  const action = payload.text('action')
  if (action !== 'created' && action !== 'edited' && action !== 'deleted') {
    return unsupported(`issue_comment:${action}`)
  }
  return commented(issueOf(payload, delivery), {
    who: actor(payload),
    change: action,
    url: payload.maybeText('comment.html_url'),
    body: payload.maybeText('comment.body'),
  })
}

const release: Renderer = (payload) => {
  const action = payload.text('action')
  const verb = chosen({ published: 'published', updated: 'edited', deleted: 'deleted' }, action)
  if (verb === undefined) return unsupported(`release:${action}`)
  const tag = payload.text('release.tag_name')
  const title = payload.someText('release.name') ?? tag
  const author = payload.firstText('release.author.username', 'release.author.login')
  const who = author === undefined ? actor(payload) : inline(author)
  return {
    topic: `${repo(payload)} / ${tag} ${title}`,
    content: `${who} ${verb} release ${link(title, payload.firstText('release.html_url', 'repository.html_url'))} for tag ${link(tag, home(payload))}.`,
  }
}

/** An event that one sentence says. */
const sentence =
  (say: (payload: Fields) => string): Renderer =>
  (payload): Note => ({ topic: repo(payload), content: say(payload) })

const wikiVerbs: Readonly<Record<string, string>> = {
  created: 'created',
  edited: 'edited',
  deleted: 'deleted',
}

const renderers: Readonly<Record<string, Renderer>> = {
  push,
  create,
  delete: removed,
  pull_request: pullRequest,
  ...Object.fromEntries(Object.keys(verdicts).map((event) => [event, review(event)])),
  issues,
  issue_comment: comment,
  release,
  fork: sentence(
    (payload) =>
      `${actor(payload)} forked ${inline(payload.maybeText('forkee.full_name') ?? 'it')} to ${repoLink(payload)}.`,
  ),
  repository: (payload) => {
    const action = payload.text('action')
    if (action !== 'created' && action !== 'deleted') return unsupported(`repository:${action}`)
    return {
      topic: repo(payload),
      content: `${actor(payload)} ${action} the repository ${repoLink(payload)}.`,
    }
  },
  wiki: (payload) => {
    const verb = chosen(wikiVerbs, payload.text('action'))
    if (verb === undefined) return unsupported(`wiki:${payload.text('action')}`)
    const page = payload.text('page')
    const url = home(payload) && `${home(payload)}/wiki/${urlPart(page, true)}`
    const content = `${actor(payload)} ${verb} the wiki page ${link(page, url)}.`
    return { topic: `${repo(payload)} / wiki pages`, content }
  },
  package: (payload) => {
    const verb = chosen({ created: 'published', deleted: 'deleted' }, payload.text('action'))
    if (verb === undefined) return unsupported(`package:${payload.text('action')}`)
    const name = `${payload.text('package.name')} ${payload.maybeText('package.version') ?? ''}`
    const topic = payload.firstText('repository.name', 'package.name') ?? 'packages'
    const url = payload.maybeText('package.html_url')
    return { topic, content: `${actor(payload)} ${verb} the package ${link(name, url)}.` }
  },
}

/** The events of Gitea and Forgejo; Gogs has fewer. */
export const giteaEvents: readonly string[] = Object.keys(renderers)

/** @source Gitea Docs, "Webhooks"; Gogs, "Webhooks" */
export function gogsFamily(delivery: Delivery, dialect: Dialect): DeliveryResult {
  const { event, payload } = delivery
  const known = Object.hasOwn(renderers, event) ? renderers[event] : undefined
  if (!known) return unsupported(event)
  const said = known(payload, delivery, dialect)
  if (said === undefined || !('topic' in said)) return said
  const action = payload.maybeText('action')
  return { ...said, events: action === undefined ? [event] : [event, `${event}:${action}`] }
}

/** A push, for the documentation. */
export const gogsExample = {
  ref: 'refs/heads/main',
  before: '3f6d0e1c2b4a59687786950a1b2c3d4e5f607182',
  after: '82716f5e4d3c2b1a095978867695a4b2c1e0d6f3',
  compare_url: 'https://git.example.com/acme/garden/compare/3f6d0e1...82716f5',
  commits: [
    {
      id: '82716f5e4d3c2b1a095978867695a4b2c1e0d6f3',
      message: 'Water the roses\n\nEvery Monday.',
      url: 'https://git.example.com/acme/garden/commit/82716f5',
      author: { name: 'Ada', username: 'ada' },
    },
  ],
  repository: {
    name: 'garden',
    full_name: 'acme/garden',
    html_url: 'https://git.example.com/acme/garden',
  },
  sender: { login: 'ada', username: 'ada' },
}
