import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { code, inline, lines, link } from '#features/integrations/webhook-services/format.ts'
import { hmacHeader } from '#features/integrations/webhook-services/signatures.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** The paths of commits on each host. */
const commitPaths: Readonly<Record<string, string>> = {
  github: '/commit/',
  'github-app': '/commit/',
  github_app: '/commit/',
  bitbucket: '/commits/',
  gitlab: '/-/commit/',
}

interface Source {
  readonly hash: string | undefined
  readonly url: string | undefined
  readonly subject: string | undefined
  readonly author: string | undefined
  readonly branch: string | undefined
  readonly tag: string | undefined
}

/**
 * What was built: `vcs` of projects that GitHub's or Bitbucket's OAuth connects, otherwise the
 * parameters of the trigger, by the name of the app that connects the project.
 */
function sourceOf(pipeline: Fields): Source {
  const vcs = pipeline.maybeObject('vcs')
  if (vcs) {
    const hash = vcs.someText('revision')
    return {
      hash,
      url: commitUrl(vcs.someText('target_repository_url'), vcs.someText('provider_name'), hash),
      subject: vcs.someText('commit.subject'),
      author: vcs.someText('commit.author.name'),
      branch: vcs.someText('branch'),
      tag: vcs.someText('tag'),
    }
  }
  const at = (name: string) => pipeline.someText(`trigger_parameters.${name}`)
  const app = apps.find((name) => pipeline.has(`trigger_parameters.${name}`))
  const own = (name: string) => (app && at(`${app}.${name}`)) ?? at(`git.${name}`)
  const home = own('web_url') ?? homeOf(own('repo_url') ?? own('checkout_url'))
  const hash = own('checkout_sha') ?? own('commit_sha')
  return {
    hash,
    url: commitUrl(home, app, hash),
    subject: own('commit_title'),
    author: own('commit_author_name'),
    branch: own('branch'),
    tag: own('tag'),
  }
}

/** The apps that connect a project and name their trigger's parameters. */
const apps = ['gitlab', 'github_app', 'bitbucket_dc'] as const

/** The page of a repository, if this is its address by HTTP. */
function homeOf(url: string | undefined): string | undefined {
  return url?.startsWith('https://') ? url.replace(/\.git$/, '') : undefined
}

/** The page of a commit; undefined for a host whose addresses are unknown. */
function commitUrl(
  home: string | undefined,
  host: string | undefined,
  hash: string | undefined,
): string | undefined {
  const path = chosen(commitPaths, host ?? '')
  return home && path && hash ? `${home}${path}${hash}` : undefined
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
    const hash = source.hash?.slice(0, 11)
    const commit = [hash, source.subject].filter((part) => part !== undefined).join(': ')
    const branch = source.branch ?? source.tag
    return {
      topic: payload.text('project.name'),
      content: lines(
        `${kind} **${name}** of pipeline #${inline(payload.text('pipeline.number'))}: ${buildResult(about.text('status'))}`,
        commit && `* **Commit**: ${link(commit, source.url)}`,
        branch && `* **${source.branch ? 'Branch' : 'Tag'}**: ${code(branch)}`,
        source.author && `* **Author**: ${inline(source.author)}`,
      ),
      events: [type],
    }
  },
})
