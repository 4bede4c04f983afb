import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { codeBlock } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** The longest JSON that is shown, in characters; a message has room for its fence as well. */
const longestJson = 9800

/**
 * Shows any JSON as a code block, for example to see what a service sends.
 *
 * @source Zulip integrations, "JSON formatter"
 */
export const json = integration({
  name: 'json',
  displayName: 'JSON formatter',
  category: 'Any service',
  eventTypes: null,
  steps: steps(['Let any program post JSON to `{url}`: the bot shows it as it is.']),
  example: { body: { plants: 3, watered: ['Monday', 'Friday'] }, topic: 'JSON' },
  render({ payload }) {
    const laidOut = JSON.stringify(payload.value, null, 2)
    return { topic: 'JSON', content: codeBlock(laidOut, 'json', longestJson) }
  },
})
