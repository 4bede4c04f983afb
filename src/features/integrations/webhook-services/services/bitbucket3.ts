import {
  type Delivery,
  type DeliveryResult,
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'
import {
  acted,
  branchesOption,
  commented,
  commitLink,
  parseRef,
  pushed,
  tagged,
  ticket,
  wantsBranch,
} from '#features/integrations/webhook-services/git.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

const selfOf = (item: Fields | undefined) => item?.maybeText('links.self.0.href')

/** A person with their profile. */
function person(item: Fields | undefined): string {
  return item ? link(item.firstText('displayName', 'name') ?? 'somebody', selfOf(item)) : 'Somebody'
}

const actor = (payload: Fields) => person(payload.maybeObject('actor'))

/** The address of a repository without the page that it leads to. */
function homeOf(repository: Fields): string | undefined {
  return selfOf(repository)?.replace(/\/browse\/?$/, '')
}

/** A message for each branch and tag that changed. */
function refsChanged(payload: Fields, delivery: Delivery, event: string): DeliveryResult {
  const repo = payload.text('repository.name')
  const home = homeOf(payload.object('repository'))
  return payload.list('changes').flatMap((change): Note | [] => {
    const kind = change.text('ref.type')
    const name = change.maybeText('ref.displayId') ?? parseRef(change.text('ref.id')).name
    const who = actor(payload)
    const type = change.text('type')
    const events = ['repo:refs_changed', event]
    if (kind === 'TAG')
      return { ...tagged({ who, repo, name, isRemoved: type === 'DELETE' }), events }
    if (!wantsBranch(delivery, name)) return []
    const hash = change.maybeText('toHash') ?? ''
    const note = pushed({
      who,
      pusher: '',
      repo,
      branch: name,
      commits: [],
      compare: undefined,
      change: type === 'DELETE' ? 'deleted' : type === 'ADD' ? 'new' : 'updated',
      head: type === 'UPDATE' ? { hash, url: home && `${home}/commits/${hash}` } : undefined,
    })
    return { ...note, events }
  })
}

const pullVerbs: Readonly<Record<string, string>> = {
  'pr:opened': 'opened',
  'pr:modified': 'modified',
  'pr:from_ref_updated': 'updated',
  'pr:merged': 'merged',
  'pr:declined': 'declined',
  'pr:deleted': 'deleted',
  'pr:reviewer:approved': 'approved',
  'pr:reviewer:unapproved': 'took back the approval of',
  'pr:reviewer:needs_work': 'wants more work on',
}

const commentChanges = { added: 'created', edited: 'edited', deleted: 'deleted' } as const

function pull(payload: Fields, delivery: Delivery, event: string): DeliveryResult {
  const request = payload.object('pullRequest')
  const target = ticket(delivery, {
    repo: request.text('toRef.repository.name'),
    kind: 'PR',
    number: request.text('id'),
    title: request.text('title'),
    url: selfOf(request),
  })
  const who = actor(payload)
  const comment = /^pr:comment:(\w+)$/.exec(event)?.[1]
  if (comment !== undefined) {
    const change = chosen(commentChanges, comment)
    if (!change) return unsupported(event)
    return commented(target, {
      who,
      change,
      url: selfOf(request),
      body: payload.maybeText('comment.text'),
    })
  }
  if (event === 'pr:reviewer:updated') {
    const all = (path: string) => payload.maybeList(path).slice(0, 20).map(person).join(', ')
    const [added, removed] = [all('addedReviewers'), all('removedReviewers')]
    const changes = [added && `added ${added}`, removed && `removed ${removed}`].filter(Boolean)
    const verb = changes.length > 0 ? changes.join(' and ') : 'changed the reviewers'
    return acted(target, { who, verb: `${verb} as a reviewer of` })
  }
  const verb = chosen(pullVerbs, event)
  if (verb === undefined) return unsupported(event)
  const isOpened = event === 'pr:opened'
  const reviewers = request
    .maybeList('reviewers')
    .slice(0, 20)
    .map((one) => person(one.maybeObject('user')))
  return acted(target, {
    who,
    verb,
    ...((isOpened || event === 'pr:merged' || event === 'pr:modified') && {
      from: request.maybeText('fromRef.displayId'),
      to: request.maybeText('toRef.displayId'),
    }),
    rest: isOpened && reviewers.length > 0 ? `(reviewers: ${reviewers.join(', ')})` : '',
    body: isOpened || event === 'pr:modified' ? request.maybeText('description') : undefined,
  })
}

function said(payload: Fields, delivery: Delivery, event: string): DeliveryResult {
  if (payload.has('test') || event === 'diagnostics:ping') {
    return {
      topic: 'Bitbucket Server Ping',
      content: `The Bitbucket Server webhook was set up ${signs.tada}`,
    }
  }
  if (event.startsWith('pr:')) return pull(payload, delivery, event)
  switch (event) {
    case 'repo:refs_changed':
      return refsChanged(payload, delivery, event)
    case 'repo:forked': {
      const copy = payload.object('repository')
      const name = link(`${copy.maybeText('project.key') ?? ''}/${copy.text('name')}`, selfOf(copy))
      return {
        topic: copy.maybeText('origin.name') ?? copy.text('name'),
        content: `${actor(payload)} forked this to ${name}.`,
      }
    }
    case 'repo:modified': {
      const [old, now] = [payload.text('old.name'), payload.text('new.name')]
      const change =
        old === now ? 'changed the repository' : `renamed the repository from ${inline(old)} to`
      return {
        topic: now,
        content: `${actor(payload)} ${change} ${link(now, selfOf(payload.object('new')))}.`,
      }
    }
    default: {
      const action = /^repo:comment:(\w+)$/.exec(event)?.[1] ?? ''
      const change = chosen(commentChanges, action)
      if (!change) return unsupported(event)
      const repository = payload.object('repository')
      const home = homeOf(repository)
      const hash = payload.text('commit')
      const url = home && `${home}/commits/${hash}`
      return commented(
        { topic: repository.text('name'), target: commitLink(hash, url) },
        { who: actor(payload), change, url, body: payload.maybeText('comment.text') },
      )
    }
  }
}

/** @source Atlassian Support, "Event payload" of Bitbucket Data Center */
export const bitbucket3 = integration({
  name: 'bitbucket3',
  displayName: 'Bitbucket Server',
  category: 'Version control',
  eventTypes: [
    'diagnostics:ping',
    ...[
      'refs_changed',
      'forked',
      'modified',
      'comment:added',
      'comment:edited',
      'comment:deleted',
    ].map((event) => `repo:${event}`),
    ...Object.keys(pullVerbs),
    ...['pr:reviewer:updated', 'pr:comment:added', 'pr:comment:edited', 'pr:comment:deleted'],
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
    'In the repository or project, open **Settings → Webhooks**, and press **Create webhook**.',
    'Paste `{url}` as **URL**, choose the events, and press **Test connection**, then **Save**.',
  ]),
  example: {
    body: {
      eventKey: 'pr:opened',
      actor: {
        displayName: 'Ada',
        links: { self: [{ href: 'https://bitbucket.example.com/users/ada' }] },
      },
      pullRequest: {
        id: 12,
        title: 'Water the plants on Fridays',
        description: 'They were dry on Monday.',
        fromRef: { displayId: 'water' },
        toRef: { displayId: 'main', repository: { name: 'garden' } },
        reviewers: [],
        links: {
          self: [
            { href: 'https://bitbucket.example.com/projects/G/repos/garden/pull-requests/12' },
          ],
        },
      },
    },
    topic: 'garden / PR #12 Water the plants on Fridays',
  },
  render(delivery) {
    const { payload, header } = delivery
    const isTest = payload.has('test')
    const event =
      payload.someText('eventKey') ??
      header('x-event-key') ??
      (isTest ? 'diagnostics:ping' : payload.text('eventKey'))
    const result = said(payload, delivery, event.slice(0, 100))
    return result && 'topic' in result ? { ...result, events: [event.slice(0, 100)] } : result
  },
})
