import { unsupported } from '#features/integrations/webhook-services/declaration.ts'
import {
  code,
  inline,
  lines,
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
import { homeOf, placed, type Renderer, repoOf, userOf } from './payload.ts'

export const push: Renderer = (payload, delivery) => {
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

const wikiVerbs: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'updated',
  delete: 'deleted',
}

export const wikiPage: Renderer = (payload, delivery) => {
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

export const job: Renderer = (payload, delivery) => {
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

export const pipeline: Renderer = (payload, delivery) => {
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

export const release: Renderer = (payload, delivery) => {
  const action = payload.text('action')
  const verb = chosen(wikiVerbs, action)
  if (verb === undefined) return unsupported(`Release Hook ${action}`)
  const name = link(payload.someText('name') ?? payload.text('tag'), payload.maybeText('url'))
  const body = action === 'create' ? payload.maybeText('description') : ''
  const content = quoting(`Release ${name} was ${verb}`, body)
  return { topic: repoOf(payload), content: placed(payload, delivery, content) }
}

/** How a deployment, a job of its own, is going. */
export const deployment: Renderer = (payload, delivery) => {
  const ref = payload.someText('ref')
  if (ref !== undefined && !wantsBranch(delivery, ref)) return undefined
  const hash = payload.someText('short_sha')
  const of = hash === undefined ? '' : ` of ${commitLink(hash, payload.maybeText('commit_url'))}`
  const environment = payload.text('environment')
  const where = link(environment, payload.someText('environment_external_url'))
  const name = link('Deployment', payload.someText('deployable_url'))
  const content = `${name}${of} to ${where} ${stateText(payload.text('status'))}.`
  return {
    topic: `${repoOf(payload)} / Deployment on ${environment}`,
    content: placed(payload, delivery, content),
  }
}

export const featureFlag: Renderer = (payload, delivery) => {
  const state = payload.flag('object_attributes.active') ? 'on' : 'off'
  const name = code(payload.text('object_attributes.name'))
  const content = `${userOf(payload)} turned ${state} the feature flag ${name}.`
  return { topic: repoOf(payload), content: placed(payload, delivery, content) }
}

const milestoneVerbs: Readonly<Record<string, string>> = {
  ...wikiVerbs,
  close: 'closed',
  reopen: 'reopened',
}

export const milestone: Renderer = (payload, delivery) => {
  const action = payload.maybeText('action') ?? ''
  const verb = chosen(milestoneVerbs, action)
  if (verb === undefined) return unsupported(`Milestone Hook ${action}`)
  const home = homeOf(payload)
  const url = home && `${home}/-/milestones/${payload.text('object_attributes.iid')}`
  const name = link(payload.text('object_attributes.title'), action === 'delete' ? undefined : url)
  const who = payload.firstText('user.name')
  const did = `${verb} the milestone ${name}`
  const content =
    who === undefined ? `The milestone ${name} was ${verb}.` : `${inline(who)} ${did}.`
  return { topic: repoOf(payload), content: placed(payload, delivery, content) }
}

/** Tells in time that an access token of a project or group expires. */
export const accessToken: Renderer = (payload, delivery) => {
  const name = code(payload.text('object_attributes.name'))
  const date = inline(payload.maybeText('object_attributes.expires_at') ?? 'soon', 30)
  const content = `${signs.alert} The access token ${name} expires: ${date}`
  return { topic: repoOf(payload), content: placed(payload, delivery, content) }
}

export const vulnerability: Renderer = (payload, delivery) => {
  const at = (name: string) => payload.someText(`object_attributes.${name}`)
  const title = link(payload.text('object_attributes.title'), at('url'))
  const severity = inline(at('severity') ?? 'unknown', 30)
  const state = inline(at('state') ?? 'detected', 30)
  const content = `Vulnerability ${title} is ${state} (severity: ${severity}).`
  return {
    topic: `${repoOf(payload)} / vulnerabilities`,
    content: placed(payload, delivery, content),
  }
}

export const test: Renderer = (payload) => ({
  topic: repoOf(payload),
  content: `The GitLab webhook was set up ${signs.tada}`,
})
