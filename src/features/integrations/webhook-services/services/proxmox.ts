import { type AlertState, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import {
  code,
  codeBlock,
  inline,
  paragraphs,
  timestamp,
} from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** Not every notification has these fields, and `escape` fails where one is missing. */
const template =
  '{"title":"{{ escape title }}","message":"{{ escape message }}","severity":"{{ severity }}","timestamp":{{ timestamp }},"type":"{{#if fields.type}}{{ escape fields.type }}{{/if}}","host":"{{#if fields.hostname}}{{ escape fields.hostname }}{{/if}}"}'

const severities: Readonly<Record<string, AlertState>> = {
  info: 'info',
  notice: 'info',
  warning: 'warning',
  error: 'firing',
  unknown: 'warning',
}

/** @source Proxmox VE Administration Guide, "Notifications: Webhook" (read on 2026-11-24) */
export const proxmox = integration({
  name: 'proxmox',
  displayName: 'Proxmox',
  category: 'Infrastructure',
  eventTypes: Object.keys(severities),
  takesText: true,
  hasTemplate: true,
  steps: steps([
    'Open **Datacenter → Notifications** (in Proxmox Backup Server: **Configuration → Notifications**), and add a target of the type **Webhook**.',
    `Choose the method \`POST\`, paste \`{url}\` as **URL**, and as **Body**:\n\n\`\`\`json\n${template}\n\`\`\``,
    'Press **Test**, and name the target in a matcher.',
  ]),
  example: {
    body: {
      title: 'vzdump backup status (pve1): backup successful',
      message: 'VM 100: 12.4 GiB in 3m 20s',
      severity: 'info',
      timestamp: 1_793_000_000,
      type: 'vzdump',
      host: 'pve1',
    },
    topic: 'vzdump backup status: backup successful',
  },
  render({ payload }) {
    if (typeof payload.value === 'string') {
      return { topic: 'Proxmox', content: codeBlock(payload.value) }
    }
    const title = payload.text('title')
    const severity = payload.text('severity')
    const state = chosen(severities, severity)
    if (!state) return unsupported(severity)
    const host = payload.someText('host')
    const seconds = payload.maybeNumber('timestamp')
    const time = seconds === undefined ? undefined : timestamp(seconds * 1000)
    const message = payload.someText('message')
    return {
      // The topic of a task is the same on all nodes.
      topic:
        host === undefined
          ? title
          : title.replaceAll(`(${host})`, '').replace(/(?<!\s)\s+(?=:)/g, ''),
      content: paragraphs(
        `${stateSign(state)} **${inline(title)}**${host === undefined ? '' : ` on ${code(host)}`}${time === undefined ? '' : ` at ${time}`}`,
        message && codeBlock(message),
      ),
      events: [severity],
    }
  },
})
