import { type AlertState, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  code,
  inline,
  lines,
  quoted,
  timestamp,
} from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const levels: Readonly<Record<string, AlertState>> = {
  OK: 'resolved',
  WARNING: 'warning',
  CRITICAL: 'firing',
}

/** The sentence for each type of alert, before its facts. */
const types: Readonly<Record<string, string>> = {
  Test: 'is a test of the alerter',
  ServerUnreachable: 'is unreachable',
  ServerCpu: 'has a high load of its processors',
  ServerMem: 'uses much of its memory',
  ServerDisk: 'uses much of a disk',
  ServerVersionMismatch: 'runs another version than Komodo',
  ContainerStateChange: 'is in another state',
  StackStateChange: 'is in another state',
  DeploymentImageUpdateAvailable: 'has an update of its image',
  DeploymentAutoUpdated: 'was updated',
  StackImageUpdateAvailable: 'has an update of an image',
  StackAutoUpdated: 'was updated',
  AwsBuilderTerminationFailed: 'could not be terminated',
  ResourceSyncPendingUpdates: 'has pending updates',
  BuildFailed: 'failed to build',
  RepoBuildFailed: 'failed to build',
  ProcedureFailed: 'failed',
  ActionFailed: 'failed',
  ScheduleRun: 'ran on schedule',
  Custom: 'says',
}

function number(data: Fields, path: string, unit: string): string | undefined {
  const value = data.maybeNumber(path)
  return value === undefined ? undefined : `${Math.round(value * 10) / 10}${unit}`
}

/** @source moghtech/komodo, `client/core/rs/src/entities/alert.rs` */
export const komodo = integration({
  name: 'komodo',
  displayName: 'Komodo',
  category: 'Infrastructure',
  eventTypes: Object.keys(types),
  steps: steps([
    'Open **Alerters**, and create one with the endpoint type **Custom**.',
    'Paste `{url}` as its URL, choose the types of alerts, and press **Test Alerter**.',
  ]),
  example: {
    body: {
      ts: 1_793_000_000_000,
      resolved: false,
      level: 'CRITICAL',
      target: { type: 'Server', id: '65f0' },
      data: {
        type: 'ServerDisk',
        data: { name: 'greenhouse', path: '/data', used_gb: 95.2, total_gb: 100 },
      },
    },
    topic: 'greenhouse',
  },
  render({ payload }) {
    const type = payload.text('data.type')
    if (type === 'None') return undefined
    const words = chosen(types, type)
    if (words === undefined) return unsupported(type)
    const data = payload.maybeObject('data.data') ?? payload.object('data')
    const isResolved = payload.flag('resolved')
    const level = payload.text('level')
    const name = data.firstText('name', 'server_name') ?? 'Komodo'
    const at = (path: string) => {
      const text = data.firstText(path)
      return text === undefined ? undefined : code(text)
    }
    const [from, to] = [at('from'), at('to')]
    const used = number(data, 'used_gb', ' GB')
    const images = data.texts('images').slice(0, 20).map(code)
    const target = payload.someText('target.type')
    const message = data.firstText('message', 'err.error', 'err')
    return {
      topic: name,
      content: lines(
        `${stateSign(isResolved ? 'resolved' : (chosen(levels, level) ?? 'info'))} ${target === undefined ? '' : `${inline(target, 60)} `}**${inline(name)}** ${words}${isResolved ? ' (resolved)' : ''}`,
        bullet('Server', name === data.someText('server_name') ? undefined : at('server_name')),
        bullet('Region', at('region')),
        bullet('Load', number(data, 'percentage', ' %')),
        bullet('Path', at('path')),
        bullet('Used', used && `${used} of ${number(data, 'total_gb', ' GB') ?? 'all'}`),
        bullet('State', from && to && `${from} → ${to}`),
        bullet('Service', at('service')),
        bullet('Version', at('version')),
        bullet('Image', at('image') ?? images.join(' ')),
        bullet('Time', timestamp(payload.maybeNumber('ts'))),
        message && `\n${quoted(lines(message, data.someText('details')))}`,
      ),
      events: [type],
    }
  },
})
