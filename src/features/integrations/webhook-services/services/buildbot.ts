import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { code, inline, link } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** By the number in `results`. */
const results = ['success', 'warnings', 'failure', 'skipped', 'exception', 'retry', 'cancelled']

/** @source Buildbot documentation, "ZulipStatusPush" */
export const buildbot = integration({
  name: 'buildbot',
  displayName: 'Buildbot',
  category: 'Continuous integration',
  eventTypes: ['new', 'finished'],
  steps: steps([
    'Add to `master.cfg`:\n\n```python\nc["services"].append(reporters.ZulipStatusPush(endpoint="https://this-server", token="the bot\'s key", stream="builds"))\n```',
    'Other reporters can post to `{url}`.',
  ]),
  example: {
    body: {
      event: 'finished',
      buildid: 12,
      buildername: 'tests',
      project: 'garden',
      results: 0,
      url: 'https://buildbot.example.com/#builders/1/builds/12',
    },
    topic: 'garden',
  },
  render({ payload }) {
    const event = payload.text('event')
    if (event !== 'new' && event !== 'finished') return unsupported(event)
    const name = link(`Build ${payload.text('buildid')}`, payload.maybeText('url'))
    const builder = code(payload.text('buildername'))
    const result = results[payload.maybeNumber('results') ?? -1]
    const outcome =
      result === undefined
        ? inline(payload.maybeText('results') ?? 'finished', 30)
        : buildResult(result)
    return {
      topic: payload.someText('project') ?? 'general',
      content:
        event === 'new' ? `${name} by ${builder} started.` : `${name} by ${builder}: ${outcome}`,
      events: [event],
    }
  },
})
