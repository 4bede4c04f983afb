import { buildResult } from '#features/integrations/webhook-services/builds.ts'
import { integration } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  code,
  inline,
  lines,
  link,
  listed,
} from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** The limit that a condition sets, in words. */
function conditionText(condition: Fields): string {
  const metric = condition.text('metric').replaceAll('_', ' ')
  const operator = inline(
    (condition.maybeText('operator') ?? '').toLowerCase().replaceAll('_', ' '),
    60,
  )
  const value = condition.maybeText('value')
  const limit = condition.maybeText('errorThreshold')
  return bullet(
    metric,
    `${value === undefined ? '' : code(value)} (error if ${operator} ${inline(limit ?? 'expected', 60)})`.trim(),
  )
}

/** @source SonarQube documentation, "Webhooks" */
export const sonarqube = integration({
  name: 'sonarqube',
  displayName: 'SonarQube',
  category: 'Continuous integration',
  eventTypes: null,
  sendsLongPayloads: true,
  steps: steps([
    'In the project or organization, open **Project settings → Webhooks**, and press **Create**.',
    'Paste `{url}` as **URL**.',
  ]),
  example: {
    body: {
      project: {
        key: 'garden',
        name: 'garden',
        url: 'https://sonarqube.example.com/dashboard?id=garden',
      },
      branch: { name: 'main' },
      qualityGate: {
        status: 'ERROR',
        conditions: [
          {
            metric: 'coverage',
            operator: 'LESS_THAN',
            value: '42.0',
            status: 'ERROR',
            errorThreshold: '80',
          },
        ],
      },
    },
    topic: 'garden / main',
  },
  render({ payload }) {
    const project = payload.text('project.name')
    const branch = payload.someText('branch.name')
    const status = payload.text('qualityGate.status')
    const result = status === 'OK' ? 'success' : status.toLowerCase()
    const failing = payload
      .list('qualityGate.conditions')
      .filter((one) => !['OK', 'NO_VALUE'].includes(one.maybeText('status') ?? ''))
    const where = branch === undefined ? '' : ` for branch ${code(branch)}`
    return {
      topic: branch === undefined ? project : `${project} / ${branch}`,
      content: lines(
        `Quality gate of ${link(project, payload.maybeText('project.url'))}${where}: ${buildResult(result)}`,
        failing.length > 0 && `\n${listed(failing, conditionText)}`,
      ),
    }
  },
})
