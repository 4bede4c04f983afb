import {
  type Delivery,
  type DeliveryResult,
  integration,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, quoting } from '#features/integrations/webhook-services/format.ts'
import {
  acted,
  branchesOption,
  isZeroHash,
  parseRef,
  pushed,
  ticket,
  wantsBranch,
} from '#features/integrations/webhook-services/git.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

function push(payload: Fields, delivery: Delivery): DeliveryResult {
  const { name } = parseRef(payload.text('resource.refUpdates.0.name'))
  if (!wantsBranch(delivery, name)) return undefined
  const old = payload.text('resource.refUpdates.0.oldObjectId')
  const now = payload.text('resource.refUpdates.0.newObjectId')
  const home = payload.maybeText('resource.repository.remoteUrl')
  const pusher = payload.text('resource.pushedBy.displayName')
  const compare = `branchCompare?baseVersion=GC${old}&targetVersion=GC${now}&_a=files`
  return pushed({
    who: inline(pusher),
    pusher,
    repo: payload.text('resource.repository.name'),
    branch: name,
    commits: payload.maybeList('resource.commits').map((commit) => {
      const id = commit.text('commitId')
      return {
        id,
        message: commit.maybeText('comment') ?? '',
        url: home && `${home}/commit/${id}`,
        author: commit.maybeText('author.name'),
      }
    }),
    compare: home && `${home}/${compare}`,
    change: isZeroHash(now) ? 'deleted' : isZeroHash(old) ? 'new' : 'updated',
  })
}

function pull(payload: Fields, delivery: Delivery, event: string): DeliveryResult {
  const at = (name: string) => payload.maybeText(`resource.${name}`)
  const target = ticket(delivery, {
    repo: payload.text('resource.repository.name'),
    kind: 'PR',
    number: payload.text('resource.pullRequestId'),
    title: payload.text('resource.title'),
    url: at('_links.web.href'),
    isTitled: true,
  })
  const who = inline(payload.text('resource.createdBy.displayName'))
  const branches = {
    from: parseRef(at('sourceRefName') ?? '').name,
    to: parseRef(at('targetRefName') ?? '').name,
  }
  switch (event) {
    case 'git.pullrequest.created':
      return acted(target, { who, verb: 'created', ...branches, body: at('description') })
    case 'git.pullrequest.updated': {
      // Azure says only in words what was updated, and by whom.
      const words = payload.firstText('detailedMessage.markdown', 'message.markdown')
      return { topic: target.topic, content: quoting(`${target.target} was updated`, words) }
    }
    default: {
      // The same event also reports attempts to merge.
      const isMerged = at('status') === 'completed' && at('mergeStatus') === 'succeeded'
      return isMerged ? acted(target, { who, verb: 'merged', ...branches }) : undefined
    }
  }
}

/** @source Microsoft Learn, "Service hooks events" of Azure DevOps */
export const azuredevops = integration({
  name: 'azuredevops',
  displayName: 'Azure DevOps',
  category: 'Version control',
  eventTypes: [
    'git.push',
    'git.pullrequest.created',
    'git.pullrequest.updated',
    'git.pullrequest.merged',
  ],
  sendsLongPayloads: true,
  urlOptions: [branchesOption],
  steps: steps([
    'Open **Project settings → Service hooks**, and add a subscription of the type **Web Hooks**.',
    'Choose an event of code, and paste `{url}` as **URL**. Press **Test**, then **Finish**.',
    'Add one subscription for each event.',
  ]),
  example: {
    body: {
      eventType: 'git.pullrequest.created',
      resource: {
        pullRequestId: 12,
        title: 'Water the plants on Fridays',
        description: 'They were dry on Monday.',
        status: 'active',
        sourceRefName: 'refs/heads/water',
        targetRefName: 'refs/heads/main',
        createdBy: { displayName: 'Ada' },
        repository: { name: 'garden', remoteUrl: 'https://dev.azure.com/acme/garden/_git/garden' },
        _links: { web: { href: 'https://dev.azure.com/acme/garden/_git/garden/pullrequest/12' } },
      },
    },
    topic: 'garden / PR #12 Water the plants on Fridays',
  },
  render(delivery) {
    const { payload } = delivery
    const event = payload.text('eventType')
    if (event !== 'git.push' && !/^git\.pullrequest\.(created|updated|merged)$/.test(event)) {
      return unsupported(event)
    }
    const said = event === 'git.push' ? push(payload, delivery) : pull(payload, delivery, event)
    return said && 'topic' in said ? { ...said, events: [event] } : said
  },
})
