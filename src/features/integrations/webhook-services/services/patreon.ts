import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import { moneyText } from '#features/integrations/webhook-services/money.ts'
import { signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const events = [
  'members:create',
  'members:update',
  'members:delete',
  'members:pledge:create',
  'members:pledge:update',
  'members:pledge:delete',
]

/** The older events, which accompany those of members. */
const ignored = ['pledges:create', 'pledges:update', 'pledges:delete']

/** @source Patreon API documentation, "Webhooks" */
export const patreon = integration({
  name: 'patreon',
  displayName: 'Patreon',
  category: 'Financial',
  eventTypes: events,
  eventHeaders: ['X-Patreon-Event'],
  steps: steps([
    'Open `https://www.patreon.com/portal/registration/register-webhooks`.',
    'Paste `{url}` as a new webhook, and choose the triggers for patrons.',
  ]),
  example: {
    headers: { 'X-Patreon-Event': 'members:pledge:create' },
    body: {
      data: {
        attributes: {
          full_name: 'Ada',
          currently_entitled_amount_cents: 500,
          patron_status: 'active_patron',
        },
      },
      included: [{ type: 'campaign', attributes: { patron_count: 12 } }],
    },
    topic: 'membership notifications',
  },
  render({ payload, event }) {
    if (ignored.includes(event)) return undefined
    if (!events.includes(event)) return unsupported(event)
    const member = payload.object('data.attributes')
    if (member.maybeText('last_charge_status') === 'Declined') return undefined
    const name = inline(member.text('full_name'))
    const cents = member.maybeNumber('currently_entitled_amount_cents') ?? 0
    const amount = moneyText(cents, 'usd')
    const patrons = payload
      .maybeList('included')
      .flatMap((item) => item.maybeText('attributes.patron_count') ?? [])[0]
    const count = patrons === undefined ? '' : ` There are now ${inline(patrons, 20)} patrons.`
    const texts: Readonly<Record<string, string>> = {
      'members:create': `${name} is a member now ${signs.tada}`,
      'members:update': `${name} changed their membership${cents > 0 ? ` (${amount})` : ''}.`,
      'members:delete': `${name} ended their membership.`,
      'members:pledge:create': `${name} pledged ${amount} ${signs.tada}${count}`,
      'members:pledge:update': `${name} changed their pledge to ${amount}.`,
      'members:pledge:delete': `${name} ended their pledge.${count}`,
    }
    return { topic: 'membership notifications', content: texts[event] ?? '', events: [event] }
  },
})
