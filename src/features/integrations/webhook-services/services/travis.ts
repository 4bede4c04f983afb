import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'
import { signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** @source Travis CI documentation, "Configuring webhook notifications" */
export const travis = integration({
  name: 'travis',
  displayName: 'Travis CI',
  category: 'Continuous integration',
  eventTypes: ['push', 'pull_request', 'api', 'cron'],
  urlOptions: [
    {
      key: 'ignore_pull_requests',
      label: sentText('Nothing about pull requests'),
      validator: 'check_bool',
      isOnByDefault: true,
    },
  ],
  steps: steps(['Add to `.travis.yml`:\n\n```yaml\nnotifications:\n  webhooks: "{url}"\n```']),
  example: {
    body: {
      type: 'push',
      status_message: 'Passed',
      author_name: 'Ada',
      compare_url: 'https://github.com/acme/garden/compare/3f6d0e1...82716f5',
      build_url: 'https://app.travis-ci.com/acme/garden/builds/12',
    },
    topic: 'builds',
  },
  render({ payload, option }) {
    const type = payload.text('type')
    const result = payload.text('status_message')
    const isGood = ['Passed', 'Fixed'].includes(result)
    const isBad = ['Broken', 'Failed', 'Still Failing', 'Errored', 'Canceled'].includes(result)
    const sign = isGood ? signs.good : isBad ? signs.bad : signs.pending
    const changes = link('changes', payload.maybeText('compare_url'))
    const build = link('build', payload.maybeText('build_url'))
    if (type === 'pull_request' && option('ignore_pull_requests') !== 'false') return undefined
    return {
      topic: 'builds',
      content: `${inline(payload.text('author_name'))}: ${inline(result, 60)} ${sign} (${changes}, ${build})`,
      events: [type],
    }
  },
})
