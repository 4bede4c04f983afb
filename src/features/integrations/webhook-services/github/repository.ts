import { unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  code,
  inline,
  link,
  listed,
  quoting,
} from '#features/integrations/webhook-services/format.ts'
import {
  commitLink,
  commitsIn,
  isZeroHash,
  parseRef,
  pushed,
  tagged,
  wantsBranch,
} from '#features/integrations/webhook-services/git.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { actor, type GithubEvent, type GithubEvents, repo, repoLink } from './payload.ts'

const push: GithubEvent = {
  filters: (payload) => [
    parseRef(payload.maybeText('ref') ?? '').kind === 'tag' ? 'push_tags' : 'push_commits',
  ],
  say(payload, delivery) {
    const { kind, name } = parseRef(payload.text('ref'))
    const isGone = payload.flag('deleted') || isZeroHash(payload.maybeText('after') ?? '1')
    const who = actor(payload)
    if (kind === 'tag') return tagged({ who, repo: repo(payload), name, isRemoved: isGone })
    // Branches of the merge queue come and go by themselves.
    if (name.startsWith('gh-readonly-queue/') || !wantsBranch(delivery, name)) return undefined
    const isNew = payload.flag('created') || isZeroHash(payload.maybeText('before') ?? '1')
    const isForced = payload.flag('forced')
    return pushed({
      who,
      pusher: payload.text('sender.login'),
      repo: repo(payload),
      branch: name,
      commits: commitsIn(payload, 'author.username', 'author.name'),
      compare: payload.maybeText('compare'),
      change: isGone ? 'deleted' : isNew ? 'new' : isForced ? 'forced' : 'updated',
    })
  },
}

const refEvent = (done: string): GithubEvent => ({
  say(payload, delivery) {
    const topic = repo(payload)
    const who = actor(payload)
    const ref = payload.someText('ref')
    // Without a ref the event is about a repository; a push event also reports new branches.
    if (ref === undefined) return { topic, content: `${who} ${done} the repository.` }
    const kind = payload.text('ref_type') === 'tag' ? 'tag' : 'branch'
    if (kind === 'branch' && !wantsBranch(delivery, ref)) return undefined
    return { topic, content: `${who} ${done} ${kind} ${code(ref)}.` }
  },
})

const release: GithubEvent = {
  say(payload) {
    const action = payload.text('action')
    // `created` and `released` accompany `published` for the same release.
    if (!['published', 'edited', 'deleted'].includes(action))
      return unsupported(`release:${action}`)
    const tag = payload.text('release.tag_name')
    const name = link(
      payload.someText('release.name') ?? tag,
      payload.maybeText('release.html_url'),
    )
    const body = action === 'published' ? payload.maybeText('release.body') : ''
    const line = `${actor(payload)} ${action} release ${name} for tag ${code(tag)}`
    return { topic: repo(payload), content: quoting(line, body) }
  },
}

/** An event that one sentence says, by its action. */
const sentence = (
  event: string,
  say: (payload: Fields, action: string) => string | undefined,
): GithubEvent => ({
  say(payload) {
    const action = payload.maybeText('action') ?? ''
    const content = say(payload, action)
    return content === undefined
      ? unsupported(`${event}:${action}`)
      : { topic: repo(payload), content }
  },
})

const star = sentence('star', (payload, action) => {
  const verb = chosen({ created: 'starred', deleted: 'unstarred' }, action)
  return verb && `${actor(payload)} ${verb} ${repoLink(payload)}.`
})

const watch = sentence('watch', (payload) => `${actor(payload)} starred ${repoLink(payload)}.`)

const fork = sentence(
  'fork',
  (payload) => `${actor(payload)} forked this to ${repoLink(payload, 'forkee')}.`,
)

const made = sentence('public', (payload) => `${actor(payload)} made ${repoLink(payload)} public.`)

const repositoryEvent = sentence('repository', (payload, action) =>
  /^[a-z_]{1,30}$/.test(action)
    ? `${actor(payload)} ${action.replaceAll('_', ' ')} the repository ${repoLink(payload)}.`
    : undefined,
)

const member = sentence('member', (payload, action) => {
  const verb = chosen({ added: 'added', removed: 'removed', edited: 'edited' }, action)
  const whom = link(payload.text('member.login'), payload.maybeText('member.html_url'))
  const way = action === 'removed' ? 'from' : action === 'added' ? 'to' : 'of'
  const what = action === 'edited' ? `the permissions of ${whom} as a collaborator` : whom
  return (
    verb && `${actor(payload)} ${verb} ${what} ${way === 'of' ? 'on' : way} ${repoLink(payload)}.`
  )
})

const teamAdd = sentence(
  'team_add',
  (payload) =>
    `The repository ${repoLink(payload)} was added to the team ${inline(payload.text('team.name'))}.`,
)

const pageBuild = sentence('page_build', (payload) => {
  const status = payload.text('build.status')
  const who = inline(payload.text('build.pusher.login'))
  const error = payload.someText('build.error.message')
  return quoting(`The GitHub Pages build that ${who} triggered is ${code(status)}`, error)
})

const gollum: GithubEvent = {
  say(payload) {
    const pages = payload.list('pages')
    const list = listed(pages, (page) => {
      const title = link(page.firstText('title', 'page_name') ?? 'page', page.maybeText('html_url'))
      return `* ${inline(page.maybeText('action') ?? 'changed', 30)} ${title}`
    })
    return {
      topic: `${repo(payload)} / wiki pages`,
      content: `${actor(payload)} changed the wiki:\n\n${list}`,
    }
  },
}

const results: Readonly<Record<string, string>> = {
  success: signs.good,
  failure: signs.bad,
  error: signs.bad,
  timed_out: signs.bad,
  pending: signs.pending,
  in_progress: signs.pending,
  queued: signs.pending,
}

/** The result of a check or the state of a deployment, in words and with its sign. */
function outcome(result: string): string {
  const sign = chosen(results, result) ?? signs.info
  return `${inline(result.replaceAll('_', ' '), 60)} ${sign}`
}

const checkRun: GithubEvent = {
  say(payload) {
    // Checks begin all the time; only their results are shown.
    const status = payload.maybeText('check_run.status') ?? payload.text('action')
    if (status !== 'completed') return undefined
    const name = link(payload.text('check_run.name'), payload.maybeText('check_run.html_url'))
    const hash = payload.text('check_run.head_sha')
    const url = payload.maybeText('repository.html_url')
    const commit = commitLink(hash, url && `${url}/commit/${hash}`)
    const result = outcome(payload.someText('check_run.conclusion') ?? 'no result')
    return {
      topic: `${repo(payload)} / checks`,
      content: `Check ${name} of ${commit}: ${result}`,
    }
  },
}

const status: GithubEvent = {
  say(payload) {
    const commit = commitLink(payload.text('sha'), payload.maybeText('commit.html_url'))
    const name = link(payload.maybeText('context') ?? 'Status', payload.maybeText('target_url'))
    const result = outcome(payload.text('state'))
    return { topic: repo(payload), content: `${name} of ${commit}: ${result}` }
  },
}

const deploymentTopic = (payload: Fields) =>
  `${repo(payload)} / Deployment on ${payload.text('deployment.environment')}`

const deployment: GithubEvent = {
  say: (payload) => ({
    topic: deploymentTopic(payload),
    content: `${actor(payload)} created a deployment.`,
  }),
}

const deploymentStatus: GithubEvent = {
  say(payload) {
    const state = outcome(payload.text('deployment_status.state'))
    const name = link(
      'Deployment',
      payload.firstText('deployment_status.log_url', 'deployment_status.target_url'),
    )
    return { topic: deploymentTopic(payload), content: `${name}: ${state}` }
  },
}

const workflowRun: GithubEvent = {
  say(payload, delivery) {
    if (payload.text('action') !== 'completed') return undefined
    const title = payload.someText('workflow_run.name')
    const branch = payload.someText('workflow_run.head_branch')
    if (branch !== undefined && !wantsBranch(delivery, branch)) return undefined
    const number = payload.maybeText('workflow_run.run_number')
    const name = link(
      `${title ?? 'workflow'}${number === undefined ? '' : ` #${number}`}`,
      payload.maybeText('workflow_run.html_url'),
    )
    const where = branch === undefined ? '' : ` on branch ${code(branch)}`
    const result = outcome(payload.someText('workflow_run.conclusion') ?? 'no result')
    return {
      topic: `${repo(payload)} / ${title ?? 'workflows'}`,
      content: `Workflow ${name}${where}: ${result}`,
    }
  },
}

/** The events of a repository besides those of its tickets. */
export const repositoryEvents: GithubEvents = {
  push,
  create: refEvent('created'),
  delete: refEvent('deleted'),
  release,
  star,
  watch,
  fork,
  public: made,
  repository: repositoryEvent,
  member,
  team_add: teamAdd,
  page_build: pageBuild,
  gollum,
  check_run: checkRun,
  status,
  deployment,
  deployment_status: deploymentStatus,
  workflow_run: workflowRun,
}
