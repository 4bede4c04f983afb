import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import {
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  code,
  inline,
  lines,
  link,
  urlPart,
} from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** A build or deployment of the first Semaphore. */
function classic(payload: Fields, event: string): Note {
  const isBuild = event === 'build'
  const build = link(
    `Build ${payload.maybeText('build_number') ?? ''}`.trim(),
    payload.firstText('build_url', 'build_html_url'),
  )
  const number = payload.maybeText('number') ?? ''
  const deploy = link(`Deploy ${number}`.trim(), payload.firstText('html_url', 'deploy_url'))
  const name = isBuild ? build : `${deploy} of ${build.replace(/^\[Build/, '[build')}`
  const commit = payload.object('commit')
  const server = payload.someText('server_name')
  const [title = ''] = (commit.maybeText('message') ?? '').split('\n', 1)
  return {
    topic: `${payload.text('project_name')}/${payload.text('branch_name')}`,
    content: lines(
      `${name}: ${buildResult(payload.text('result'))}`,
      bullet(
        'Commit',
        link(`${commit.text('id').slice(0, 11)}: ${title}`, commit.maybeText('url')),
      ),
      bullet('Author', inline(commit.maybeText('author_name') ?? '')),
      bullet('Server', server === undefined ? undefined : inline(server)),
    ),
    events: [event],
  }
}

const isOnGithub = (url: string | undefined) => url?.startsWith('https://github.com/') === true

function current(payload: Fields, kind: string): Note | undefined {
  const revision = payload.object('revision')
  const home = payload.maybeText('repository.url')
  const own = (path: string) => (isOnGithub(home) ? `${home}/${path}` : undefined)
  const project = payload.text('project.name')
  const organization = payload.text('organization.name')
  const workflow = `https://${/^[\w-]{1,60}$/.test(organization) ? organization : 'me'}.semaphoreci.com/workflows/${urlPart(payload.text('workflow.id'))}`
  const sender = revision.firstText('sender.login') ?? 'Somebody'
  const who = link(sender, isOnGithub(home) ? `https://github.com/${urlPart(sender)}` : undefined)
  const hash = revision.text('commit_sha')
  const [title = ''] = (revision.maybeText('commit_message') ?? '').split('\n', 1)
  const commit = link(`${hash.slice(0, 11)}: ${title}`, own(`commit/${urlPart(hash)}`))
  const line = `${link(payload.text('pipeline.name'), workflow)} pipeline: ${buildResult(payload.text('pipeline.result'))}`
  const note = (topic: string, ...facts: (string | undefined)[]): Note => ({
    topic,
    content: lines(line, ...facts, bullet('Author', who)),
    events: [kind],
  })
  switch (kind) {
    case 'branch':
      return note(`${project}/${revision.text('branch.name')}`, bullet('Commit', commit))
    case 'tag': {
      const tag = revision.text('tag.name')
      return note(
        project,
        bullet('Tag', link(tag, own(`tree/${urlPart(tag, true)}`))),
        bullet('Commit', commit),
      )
    }
    case 'pull_request': {
      const request = revision.object('pull_request')
      const number = request.text('number')
      const name = link(`#${number} ${request.text('name')}`, own(`pull/${urlPart(number)}`))
      return note(
        `${project}/${request.text('branch_name')}`,
        bullet('Pull request', name),
        bullet('Branch', code(request.text('branch_name'))),
        bullet('Commit', commit),
      )
    }
    default:
      return undefined
  }
}

/** @source Semaphore Docs, "Webhook notifications" */
export const semaphore = integration({
  name: 'semaphore',
  displayName: 'Semaphore',
  category: 'Continuous integration',
  eventTypes: ['branch', 'tag', 'pull_request', 'build', 'deploy'],
  steps: steps([
    'Open **Settings → Notifications**, and press **New notification**.',
    'Choose the branches and pipelines, and paste `{url}` as **Endpoint** of a **Webhook**.',
  ]),
  example: {
    body: {
      organization: { name: 'acme' },
      project: { name: 'garden' },
      repository: { url: 'https://github.com/acme/garden', slug: 'acme/garden' },
      workflow: { id: '84383f37-d025-4811-b719-61c6acc92a1e' },
      pipeline: { name: 'Tests', result: 'passed' },
      revision: {
        reference_type: 'branch',
        branch: { name: 'main' },
        commit_sha: '82716f5e4d3c2b1a095978867695a4b2c1e0d6f3',
        commit_message: 'Water the roses',
        sender: { login: 'ada' },
      },
    },
    topic: 'garden/main',
  },
  render({ payload }) {
    const event = payload.someText('event')
    if (event !== undefined)
      return event === 'build' || event === 'deploy' ? classic(payload, event) : unsupported(event)
    const kind = payload.text('revision.reference_type')
    return current(payload, kind) ?? unsupported(kind)
  },
})
