import { stateOf, stateSign } from '#features/integrations/webhook-services/alerts.ts'
import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { bullet, inline, lines, link } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const script = `var p = JSON.parse(value), r = new HttpRequest();
r.addHeader('Content-Type: application/json');
return r.post(p.url, JSON.stringify(p));`

/** @source Zabbix documentation, "Webhook" and "Additional JavaScript objects" (read on 2026-11-24) */
export const zabbix = integration({
  name: 'zabbix',
  displayName: 'Zabbix',
  category: 'Monitoring',
  eventTypes: ['problem', 'ok'],
  hasTemplate: true,
  steps: steps([
    'Open **Alerts → Media types**, and create one of the type **Webhook** with the parameters `url` = `{url}`, `hostname` = `{HOST.NAME}`, `severity` = `{TRIGGER.SEVERITY}`, `status` = `{TRIGGER.STATUS}`, `item` = `{ITEM.NAME1} is {ITEM.VALUE1}`, `trigger` = `{TRIGGER.NAME}` and `link` = `{$ZABBIX_URL}/tr_events.php?triggerid={TRIGGER.ID}&eventid={EVENT.ID}`.',
    `As its script, paste:\n\n\`\`\`js\n${script}\n\`\`\``,
    'Add the media type to a user, and to an action.',
  ]),
  example: {
    body: {
      hostname: 'greenhouse',
      severity: 'High',
      status: 'PROBLEM',
      item: 'Soil moisture is 12 %',
      trigger: 'The soil is dry',
      link: 'https://zabbix.example.com/tr_events.php?triggerid=7&eventid=12',
    },
    topic: 'greenhouse',
  },
  render({ payload }) {
    const at = (name: string) => payload.text(name)
    const status = at('status')
    const name = link(at('hostname'), at('link'))
    return {
      topic: at('hostname'),
      content: lines(
        `${stateSign(stateOf(status))} **${inline(status, 30)}** (${inline(at('severity'), 60)}) on ${name}:`,
        bullet('Trigger', inline(at('trigger'))),
        bullet('Item', inline(at('item'))),
      ),
      events: [status.toLowerCase()],
    }
  },
})
