import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline, webAddress } from '#features/integrations/webhook-services/format.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** @source wekan/wekan, "Outgoing webhook to Discord and others" */
export const wekan = integration({
  name: 'wekan',
  displayName: 'WeKan',
  category: 'Project management',
  eventTypes: null,
  steps: steps(['On the board, open **⋯ → Outgoing webhooks**.', 'Paste `{url}`, and save.']),
  example: {
    body: {
      text: 'Ada created card "Water the roses" to list "This week" at board "Garden"\nhttps://wekan.example.com/b/x/garden/y',
      user: 'Ada',
      description: 'act-createCard',
    },
    topic: 'Wekan Notification',
  },
  render({ payload }) {
    // Other services send a text as well, but not what was done.
    if (!payload.has('boardId')) payload.text('description')
    const all = payload.text('text').trimEnd().split('\n')
    const last = all.at(-1)?.trim() ?? ''
    const hasLink = all.length > 1 && webAddress(last) !== undefined
    const text = inline((hasLink ? all.slice(0, -1) : all).join(' '), 1500)
    const more = hasLink ? ` ([open](${webAddress(last)}))` : ''
    return { topic: 'Wekan Notification', content: `${text}${more}` }
  },
})
