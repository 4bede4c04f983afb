import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import { integration } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import { inline, link } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** The result of a build, compared with the one before. */
function outcome(build: Fields): string {
  const result = build.text('buildResult')
  const change = build.maybeText('buildResultDelta')
  if (result === 'success') return change === 'fixed' ? 'fixed' : 'success'
  if (result === 'failure')
    return change === 'broken' ? 'broken' : change === 'unchanged' ? 'still failing' : 'failure'
  return result
}

/** Whether it is a personal build of uncommitted changes, which only concerns its author. */
function isPersonal(build: Fields): boolean {
  return build
    .maybeList('teamcityProperties')
    .some((one) => one.maybeText('name') === 'env.BUILD_IS_PERSONAL' && one.flag('value'))
}

/** @source tcWebHooks for TeamCity, "JSON payload" */
export const teamcity = integration({
  name: 'teamcity',
  displayName: 'TeamCity',
  category: 'Continuous integration',
  eventTypes: ['success', 'failure', 'running'],
  sendsLongPayloads: true,
  steps: steps([
    'Install the plugin **tcWebHooks**.',
    'In the project, open **WebHooks**, add one with the payload format **Legacy Webhook (JSON)**, and paste `{url}`.',
    'Choose the events, such as **Build Finished**.',
  ]),
  example: {
    body: {
      build: {
        buildFullName: 'Garden :: Build',
        buildNumber: '12',
        buildResult: 'success',
        buildResultDelta: 'fixed',
        buildStatus: 'Tests passed: 27',
        buildStatusUrl: 'https://teamcity.example.com/viewLog.html?buildId=12',
        triggeredBy: 'Git',
        teamcityProperties: [],
      },
    },
    topic: 'Garden :: Build',
  },
  render({ payload }) {
    const build = payload.maybeObject('build')
    if (!build) {
      if (payload.entries('').length === 0) return undefined
      return {
        topic: 'TeamCity',
        content:
          'TeamCity sent a payload of another format. Choose **Legacy Webhook (JSON)** in the settings of its webhook.',
        events: ['running'],
        isForOwner: true,
      }
    }
    if (isPersonal(build)) return undefined
    const name = build.text('buildFullName')
    const branch = build.someText('branchDisplayName')
    const url = build.maybeText('buildStatusUrl')
    const status = inline(build.maybeText('buildStatus') ?? '')
    const changes = url === undefined ? 'changes' : link('changes', `${url}&tab=buildChangesDiv`)
    const trigger = build.someText('triggeredBy')
    const by = trigger === undefined ? '' : ` by ${inline(trigger)}`
    const number = link(`build ${build.text('buildNumber')}`, url)
    return {
      topic: branch === undefined ? name : `${name} (${branch})`,
      content: `${inline(name)} ${number}: ${buildResult(outcome(build))} (${status}). See the ${changes}${by}.`,
      events: [build.text('buildResult')],
    }
  },
})
