import {
  type Delivery,
  type DeliveryResult,
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { bullet, inline, link, listed } from '#features/integrations/webhook-services/format.ts'
import {
  acted,
  branchesOption,
  type Commit,
  commented,
  commitLink,
  pushed,
  type Ticket,
  tagged,
  ticket,
  wantsBranch,
} from '#features/integrations/webhook-services/git.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const repo = (payload: Fields) => payload.text('repository.name')
const home = (payload: Fields) => payload.maybeText('repository.links.html.href')
const personName = (fields: Fields, path: string) =>
  fields.firstText(
    ...['display_name', 'nickname', 'username'].map((name) => (path ? `${path}.${name}` : name)),
  )
const actor = (payload: Fields) => inline(personName(payload, 'actor') ?? 'Somebody')

/** Bitbucket names people as they are in commits, with an address after the name. */
function authorOf(commit: Fields): string | undefined {
  return (
    personName(commit, 'author.user') ?? commit.maybeText('author.raw')?.split('<', 1)[0]?.trim()
  )
}

function commitsOf(change: Fields): Commit[] {
  return change.maybeList('commits').map((commit) => ({
    id: commit.text('hash'),
    message: commit.maybeText('message') ?? '',
    url: commit.maybeText('links.html.href'),
    author: authorOf(commit),
  }))
}

/** A message for each branch and tag of a push. */
function push(payload: Fields, delivery: Delivery): DeliveryResult {
  return payload.list('push.changes').flatMap((change): Note | [] => {
    const now = change.maybeObject('new')
    const ref = now ?? change.object('old')
    const name = ref.text('name')
    const who = actor(payload)
    if (ref.maybeText('type') === 'tag') {
      const url = ref.maybeText('links.html.href')
      const note = tagged({ who, repo: repo(payload), name, url, isRemoved: !now })
      return { ...note, events: ['push', 'repo:push'] }
    }
    if (!wantsBranch(delivery, name)) return []
    const isForced = change.flag('forced')
    const hash = now?.maybeText('target.hash')
    const note = pushed({
      who,
      pusher: personName(payload, 'actor') ?? '',
      repo: repo(payload),
      branch: name,
      commits: commitsOf(change),
      ...(change.flag('truncated') && { total: 'unknown' as const }),
      compare: change.maybeText('links.html.href'),
      change: !now ? 'deleted' : isForced ? 'forced' : change.has('old') ? 'updated' : 'new',
      head:
        isForced && hash !== undefined
          ? { hash, url: now?.maybeText('target.links.html.href') }
          : undefined,
    })
    return { ...note, events: ['push', 'repo:push'] }
  })
}

function issueOf(payload: Fields, delivery: Delivery): Ticket {
  return ticket(delivery, {
    repo: repo(payload),
    kind: 'issue',
    number: payload.text('issue.id'),
    title: payload.text('issue.title'),
    url: payload.maybeText('issue.links.html.href'),
  })
}

function pullOf(payload: Fields, delivery: Delivery): Ticket {
  return ticket(delivery, {
    repo: repo(payload),
    kind: 'PR',
    number: payload.text('pullrequest.id'),
    title: payload.text('pullrequest.title'),
    url: payload.maybeText('pullrequest.links.html.href'),
  })
}

const pullVerbs: Readonly<Record<string, string>> = {
  created: 'created',
  updated: 'updated',
  approved: 'approved',
  unapproved: 'took back the approval of',
  fulfilled: 'merged',
  rejected: 'rejected',
}

function pull(payload: Fields, delivery: Delivery, event: string): Note | undefined {
  const comment = /^comment_(created|updated|deleted)$/.exec(event)?.[1]
  const target = pullOf(payload, delivery)
  const who = actor(payload)
  if (comment !== undefined) {
    return commented(target, {
      who,
      change: comment === 'updated' ? 'edited' : comment === 'deleted' ? 'deleted' : 'created',
      url: payload.maybeText('comment.links.html.href'),
      body: payload.maybeText('comment.content.raw'),
    })
  }
  const verb = chosen(pullVerbs, event)
  if (verb === undefined) return undefined
  const isShown = event === 'created' || event === 'updated'
  const reviewers = payload
    .maybeList('pullrequest.reviewers')
    .flatMap((one) => personName(one, '') ?? [])
  return acted(target, {
    who,
    verb,
    ...((isShown || event === 'fulfilled') && {
      from: payload.maybeText('pullrequest.source.branch.name'),
      to: payload.maybeText('pullrequest.destination.branch.name'),
    }),
    ...(isShown && {
      assignees: reviewers,
      body: payload.firstText('pullrequest.description', 'pullrequest.summary.raw'),
    }),
  })
}

function repoUpdated(payload: Fields): Note {
  const value = (text: string | undefined) => (text ? inline(text) : '*none*')
  const changes = payload.entries('changes').flatMap(([name, change]) => {
    const [from, to] = [change.maybeText('old'), change.maybeText('new')]
    if (from === undefined && to === undefined) return []
    return bullet(name.replaceAll('_', ' '), `${value(from)} → ${value(to)}`)
  })
  const topic = payload.firstText('repository.name', 'changes.name.new') ?? repo(payload)
  return {
    topic,
    content: `${actor(payload)} changed the repository ${link(topic, home(payload))}:\n\n${listed(changes, (line) => line)}`,
  }
}

/** What the payload is about; the header identifies pull requests and `repo:updated`. */
function said(payload: Fields, delivery: Delivery, key: string): DeliveryResult {
  const who = () => actor(payload)
  const named = (note: Note, ...events: string[]): Note => ({
    ...note,
    events: [...events, key].filter(Boolean),
  })
  if (payload.has('push')) return push(payload, delivery)
  if (payload.has('fork')) {
    const copy = link(
      payload.firstText('fork.full_name', 'fork.name') ?? 'a fork',
      payload.maybeText('fork.links.html.href'),
    )
    return named({ topic: repo(payload), content: `${who()} forked this to ${copy}.` }, 'fork')
  }
  if (payload.has('commit_status')) {
    const at = (name: string) => payload.maybeText(`commit_status.${name}`)
    const hash = /\/commits?\/([\da-f]{7,64})/.exec(at('links.commit.href') ?? '')?.[1] ?? ''
    const commit = commitLink(hash, home(payload) && `${home(payload)}/commits/${hash}`)
    const name = link(payload.text('commit_status.key'), at('url'))
    const state = inline(payload.text('commit_status.state').toLowerCase(), 60)
    return named(
      { topic: repo(payload), content: `${name} of ${commit}: ${state}` },
      'change_commit_status',
    )
  }
  if (payload.has('pullrequest')) {
    const event = /^pullrequest:(\w+)$/.exec(key)?.[1] ?? ''
    const note = pull(payload, delivery, event)
    return note ? named(note, `pull_request_${event}`) : unsupported(key || 'pullrequest')
  }
  if (payload.has('issue')) {
    const target = () => issueOf(payload, delivery)
    if (payload.has('changes')) {
      return named(acted(target(), { who: who(), verb: 'updated' }), 'issue_updated')
    }
    if (payload.has('comment')) {
      const url = payload.maybeText('comment.links.html.href')
      const body = payload.maybeText('comment.content.raw')
      return named(commented(target(), { who: who(), url, body }), 'issue_commented')
    }
    const assignee = personName(payload, 'issue.assignee')
    return named(
      acted(target(), {
        who: who(),
        verb: 'created',
        assignees: assignee === undefined ? [] : [assignee],
        body: payload.maybeText('issue.content.raw'),
      }),
      'issue_created',
    )
  }
  if (payload.has('comment.commit')) {
    const url = payload.maybeText('comment.links.html.href')
    const hash = payload.text('comment.commit.hash')
    const commit = commitLink(hash, home(payload) && `${home(payload)}/commits/${hash}`)
    const body = payload.maybeText('comment.content.raw')
    const target = { topic: repo(payload), target: commit }
    return named(commented(target, { who: who(), url, body }), 'commit_comment')
  }
  if (key === 'repo:updated') return named(repoUpdated(payload))
  return unsupported(key || 'unknown')
}

/** @source Atlassian Support, "Event payloads" of Bitbucket Cloud */
export const bitbucket2 = integration({
  name: 'bitbucket2',
  displayName: 'Bitbucket Cloud',
  category: 'Version control',
  eventTypes: [
    ...['push', 'fork', 'commit_comment', 'change_commit_status', 'repo:updated'],
    ...['issue_created', 'issue_updated', 'issue_commented'],
    ...[...Object.keys(pullVerbs), 'comment_created', 'comment_updated', 'comment_deleted'].map(
      (event) => `pull_request_${event}`,
    ),
  ],
  sendsLongPayloads: true,
  signature: hmacHeader(
    sentText('Secret with which Bitbucket signs its requests'),
    'x-hub-signature',
    {
      prefix: 'sha256=',
    },
  ),
  urlOptions: [branchesOption],
  steps: steps([
    'In the repository, open **Repository settings → Webhooks**, and press **Add webhook**.',
    'Paste `{url}` as **URL**. If the bot has a secret, enter the same as **Secret**.',
    'Choose the triggers, and press **Save**.',
  ]),
  example: {
    headers: { 'X-Event-Key': 'pullrequest:created' },
    body: {
      actor: { display_name: 'Ada', nickname: 'ada' },
      repository: {
        name: 'garden',
        links: { html: { href: 'https://bitbucket.org/acme/garden' } },
      },
      pullrequest: {
        id: 12,
        title: 'Water the plants on Fridays',
        description: 'They were dry on Monday.',
        links: { html: { href: 'https://bitbucket.org/acme/garden/pull-requests/12' } },
        source: { branch: { name: 'water' } },
        destination: { branch: { name: 'main' } },
        reviewers: [{ display_name: 'Grace' }],
      },
    },
    topic: 'garden / PR #12 Water the plants on Fridays',
  },
  render: (delivery) =>
    said(delivery.payload, delivery, delivery.header('x-event-key')?.slice(0, 100) ?? ''),
})
