import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { code, inline, lines, link } from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { badRequest } from '#platform/errors.ts'
import { sentText } from '#translations/translate.ts'

/** The paths of commits on each host. */
const commitPaths: Readonly<Record<string, string>> = {
  github: '/commit/',
  'github-app': '/commit/',
  bitbucket: '/commits/',
  gitlab: '/-/commit/',
}

interface Source {
  readonly hash: string
  readonly url: string | undefined
  readonly subject: string | undefined
  readonly author: string | undefined
  readonly branch: string | undefined
  readonly tag: string | undefined
}

/** @throws BAD_REQUEST a host with unknown addresses */
function sourceOf(pipeline: Fields): Source {
  const gitlab = pipeline.maybeObject('trigger_parameters.gitlab')
  const host = gitlab ? 'gitlab' : pipeline.text('vcs.provider_name')
  const path = chosen(commitPaths, host)
  if (path === undefined)
    throw badRequest(`Projects of the host '${host.slice(0, 50)}' are not supported.`)
  const home = gitlab
    ? gitlab.maybeText('web_url')
    : pipeline.maybeText('vcs.target_repository_url')
  const hash = gitlab ? gitlab.text('checkout_sha') : pipeline.text('vcs.revision')
  return {
    hash,
    url: home && `${home}${path}${hash}`,
    subject: gitlab ? gitlab.someText('commit_title') : pipeline.someText('vcs.commit.subject'),
    author: gitlab
      ? gitlab.someText('commit_author_name')
      : pipeline.someText('vcs.commit.author.name'),
    branch: gitlab ? gitlab.someText('branch') : pipeline.someText('vcs.branch'),
    tag: gitlab ? gitlab.someText('tag') : pipeline.someText('vcs.tag'),
  }
}

/** @source CircleCI documentation, "Webhooks" */
export const circleci = integration({
  name: 'circleci',
  displayName: 'CircleCI',
  category: 'Continuous integration',
  eventTypes: ['ping', 'job-completed', 'workflow-completed'],
  signature: hmacHeader(sentText('Secret token of the webhook'), 'circleci-signature', {
    prefix: 'v1=',
  }),
  steps: steps([
    'Open **Project Settings → Webhooks**, and press **Add Webhook**.',
    'Paste `{url}` as **Receiver URL**, choose the events, and press **Test Ping Event**.',
  ]),
  example: {
    body: {
      type: 'workflow-completed',
      project: { name: 'garden' },
      workflow: {
        name: 'build',
        status: 'success',
        url: 'https://app.circleci.com/pipelines/github/acme/garden/4/workflows/7',
      },
      pipeline: {
        number: 4,
        vcs: {
          provider_name: 'github',
          target_repository_url: 'https://github.com/acme/garden',
          revision: '82716f5e4d3c2b1a095978867695a4b2c1e0d6f3',
          branch: 'main',
          commit: { subject: 'Water the roses', author: { name: 'Ada' } },
        },
      },
    },
    topic: 'garden',
  },
  render({ payload }) {
    const type = payload.text('type')
    if (type === 'ping') {
      const name = inline(payload.maybeText('webhook.name') ?? 'The')
      return {
        topic: 'Test event',
        content: `${name} webhook of CircleCI was set up ${signs.tada}`,
        events: [type],
      }
    }
    const kind = chosen({ 'job-completed': 'Job', 'workflow-completed': 'Workflow' }, type)
    if (kind === undefined) return unsupported(type)
    const about = payload.object(kind.toLowerCase())
    const source = sourceOf(payload.object('pipeline'))
    const name = link(about.text('name'), kind === 'Job' ? undefined : about.maybeText('url'))
    const commit = link(
      `${source.hash.slice(0, 11)}${source.subject === undefined ? '' : `: ${source.subject}`}`,
      source.url,
    )
    const branch = source.branch ?? source.tag
    return {
      topic: payload.text('project.name'),
      content: lines(
        `${kind} **${name}** of pipeline #${inline(payload.text('pipeline.number'))}: ${buildResult(about.text('status'))}`,
        `* **Commit**: ${commit}`,
        branch && `* **${source.branch ? 'Branch' : 'Tag'}**: ${code(branch)}`,
        source.author && `* **Author**: ${inline(source.author)}`,
      ),
      events: [type],
    }
  },
})
