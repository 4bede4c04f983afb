import { type AlertState, stateText } from '#features/integrations/webhook-services/alerts.ts'
import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { code, codeBlock, inline, urlPart } from '#features/integrations/webhook-services/format.ts'
import { chosen } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const template = `{"name":$NAME_JSON,"status":"$STATUS","code":"$CODE","tags":"$TAGS","now":"$NOW"}`

const states: Readonly<Record<string, readonly [state: AlertState, words: string]>> = {
  down: ['firing', 'is down'],
  up: ['resolved', 'is up'],
  new: ['info', 'is new'],
  paused: ['info', 'is paused'],
}

/** The page of a check on the public service, if the template gives no other address. */
const checkPage = (id: string) => `https://healthchecks.io/checks/${urlPart(id)}/details/`

/**
 * Tags are filled in without escaping, so that some break the JSON: then the body is shown as it is.
 *
 * @source healthchecks/healthchecks, `templates/integrations/webhook_form.html` (read on 2026-11-23)
 */
export const healthchecks = integration({
  name: 'healthchecks',
  displayName: 'Healthchecks',
  category: 'Monitoring',
  eventTypes: ['down', 'up', 'new', 'paused'],
  takesText: true,
  hasTemplate: true,
  steps: steps([
    'Open **Integrations**, and add a **Webhook**.',
    `For both events, choose the method \`POST\`, paste \`{url}\` as **URL**, and this as **Request body**:\n\n\`\`\`json\n${template}\n\`\`\``,
    'On a server of your own, add a field `"url"` with the address of its check pages.',
  ]),
  example: {
    body: {
      name: 'Nightly backup',
      status: 'down',
      code: '5bf66975-d4c7-4bf5-bcc8-b8d8a82ea278',
      tags: 'backup prod',
      now: '2026-11-02T08:30:00+00:00',
    },
    topic: 'Nightly backup',
  },
  render({ payload }) {
    if (typeof payload.value === 'string') {
      return { topic: 'Healthchecks', content: codeBlock(payload.value) }
    }
    const name = payload.text('name')
    const status = payload.text('status')
    const known = chosen(states, status)
    if (!known) return unsupported(status)
    const [state, words] = known
    const id = payload.someText('code')
    const tags = payload.someText('tags')?.split(/\s+/).slice(0, 20)
    const content = stateText({
      state,
      name,
      url: payload.someText('url') ?? (id === undefined ? undefined : checkPage(id)),
      words,
      facts: [
        ['Tags', tags?.map(code).join(' ')],
        ['Last ping', payload.has('last_ping') ? inline(payload.text('last_ping')) : undefined],
      ],
    })
    return { topic: name, content, events: [status] }
  },
})
