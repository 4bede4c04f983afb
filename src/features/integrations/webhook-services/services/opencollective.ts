import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import { signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

/** @source Open Collective documentation, "Webhooks" */
export const opencollective = integration({
  name: 'opencollective',
  displayName: 'Open Collective',
  category: 'Financial',
  eventTypes: null,
  steps: steps([
    'In the collective, open **Settings → Webhooks**.',
    'Choose the activity **New Member**, and paste `{url}`.',
  ]),
  example: {
    body: {
      type: 'collective.member.created',
      data: {
        member: { memberCollective: { name: 'Ada' } },
        order: { formattedAmountWithInterval: '€1.00 / month' },
      },
    },
    topic: 'New Member',
  },
  render({ payload }) {
    const name = payload.someText('data.member.memberCollective.name') ?? 'Incognito'
    const who = name.toLowerCase() === 'incognito' ? 'An incognito member' : inline(name)
    const amount = payload.firstText(
      'data.order.formattedAmountWithInterval',
      'data.order.formattedAmount',
    )
    const given = amount ?? payload.text('data.order.formattedAmount')
    return { topic: 'New Member', content: `${who} donated **${inline(given, 60)}** ${signs.tada}` }
  },
})
