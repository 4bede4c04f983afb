import {
  integration,
  type Note,
  unsupported,
} from '#features/integrations/webhook-services/declaration.ts'
import type { Fields } from '#features/integrations/webhook-services/fields.ts'
import {
  bullet,
  code,
  inline,
  lines,
  link,
  paragraphs,
  timestamp,
  urlPart,
} from '#features/integrations/webhook-services/format.ts'
import { moneyText } from '#features/integrations/webhook-services/money.ts'
import { stripeSignature } from '#features/integrations/webhook-services/signatures.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { sentText } from '#translations/translate.ts'

/** By the prefix of an ID: the kind of the object, and its path in the dashboard. */
const kinds: Readonly<Record<string, readonly [name: string, path?: string]>> = {
  ba: ['Bank account'],
  card: ['Card'],
  ch: ['Charge', 'charges'],
  cus: ['Customer', 'customers'],
  dp: ['Dispute', 'disputes'],
  du: ['Dispute', 'disputes'],
  file: ['File', 'files'],
  ii: ['Invoice item', 'invoiceitems'],
  in: ['Invoice', 'invoices'],
  link: ['File link', 'file_links'],
  mbur: ['Invoice item'],
  pi: ['Payment intent', 'payment_intents'],
  po: ['Payout', 'payouts'],
  prod: ['Product', 'products'],
  py: ['Payment', 'payments'],
  pyr: ['Refund', 'refunds'],
  re: ['Refund', 'refunds'],
  si: ['Subscription item', 'subscription_items'],
  src: ['Payment source'],
  sub: ['Subscription', 'subscriptions'],
}

/** The object with an ID, as a link to the dashboard. */
function linked(id: string): string {
  const [name, path] = kinds[/^[a-z]+(?=_)/.exec(id)?.[0] ?? ''] ?? ['Object']
  return dashboard(name, path, id)
}

const dashboard = (label: string, path: string | undefined, id: string) =>
  link(label, path && `https://dashboard.stripe.com/${path}/${urlPart(id)}`)

/** Attributes that change by themselves, by category of events. */
const housekeeping: Readonly<Record<string, readonly string[]>> = {
  customer: ['delinquent', 'currency', 'default_source'],
  invoice: [
    'lines',
    'description',
    'number',
    'finalized_at',
    'status_transitions',
    'payment_intent',
  ],
  invoiceitem: ['description', 'invoice'],
}

/** A bullet for each changed attribute; undefined: the event has none. */
function changesOf(payload: Fields, category: string): string[] | undefined {
  const before = payload.maybeObject('data.previous_attributes')
  if (!before) return undefined
  const object = payload.object('data.object')
  const hidden = housekeeping[category] ?? []
  return before
    .entries('')
    .filter(([name]) => !hidden.includes(name))
    .slice(0, 20)
    .map(([name]) => bullet(name.replaceAll('_', ' '), attribute(object, name)))
}

function attribute(object: Fields, name: string): string {
  const text = object.maybeText(name)
  if (text !== undefined) return code(text)
  return object.has(name) ? code(JSON.stringify(object.maybeObject(name)?.value ?? '…')) : '*none*'
}

const amountOf = (object: Fields, path = 'amount') =>
  moneyText(object.number(path), object.maybeText('currency') ?? 'usd')

interface Scene {
  readonly payload: Fields
  readonly object: Fields
  /** The parts of the event's type after the category. */
  readonly resource: string
  /** What happened: `created`. */
  readonly event: string
  /** The object itself, linked. */
  readonly self: string
}

interface StripeNote {
  readonly topic?: string
  /** Undefined: not worth a message. */
  readonly text: string | undefined
}

const words = (event: string) => inline(event.replaceAll('_', ' '), 60)

/** Adds the changes to the sentence about an update; no sentence if they are only housekeeping. */
function updated(scene: Scene, category: string, line: string): string | undefined {
  const changes = changesOf(scene.payload, category)
  if (scene.event !== 'updated' || changes === undefined) return `${line}.`
  return changes.length === 0 ? undefined : `${line}:\n\n${changes.join('\n')}`
}

function charge(scene: Scene): StripeNote {
  const { object, resource, event, self } = scene
  const related = object.maybeText('charge')
  const of = related === undefined ? '' : ` for ${linked(related)}`
  const status = object.someText('status')
  if (resource === 'dispute') {
    const reason = object.someText('reason')
    const text = lines(
      `${self} ${words(event)}${of}: ${amountOf(object)}.`,
      reason && `\n${bullet('Reason', inline(reason))}`,
      status && bullet('Status', inline(status)),
    )
    return { topic: 'disputes', text }
  }
  if (resource === 'refund') {
    const reason = object.someText('failure_reason')
    const state = [status, reason]
      .flatMap((one) => (one === undefined ? [] : words(one)))
      .join(', ')
    const text = `${self}${of} ${words(event)}: ${amountOf(object)}${state && ` (${state})`}.`
    return { topic: 'refunds', text }
  }
  const failure = object.someText('failure_code')
  const reason = failure === undefined ? '' : `, with the failure code ${code(failure)}`
  return { topic: 'charges', text: `${self} of ${amountOf(object)} ${words(event)}${reason}.` }
}

function subscription(scene: Scene): StripeNote {
  const { object, event, self } = scene
  if (event === 'trial_will_end') {
    const end = timestamp((object.maybeNumber('trial_end') ?? 0) * 1000)
    return { text: `The trial of ${self} will end${end === undefined ? '' : ` at ${end}`}.` }
  }
  const line = updated(scene, 'subscription', `${self} ${words(event)}`)
  if (event !== 'created') return { text: line }
  // If the subscription has none itself, its first item does.
  const plan = object.maybeObject('plan') ?? object.maybeObject('items.data.0.plan')
  const id = plan?.maybeText('id')
  return {
    text: paragraphs(
      line,
      lines(
        id && bullet('Plan', dashboard(plan?.firstText('nickname', 'name') ?? id, 'plans', id)),
        bullet('Quantity', inline(object.firstText('quantity', 'items.data.0.quantity') ?? '')),
        bullet('Billing', words(object.firstText('collection_method', 'billing') ?? '')),
      ),
    ),
  }
}

function customer(scene: Scene): StripeNote {
  const { object, resource, event, self } = scene
  const owner = object.maybeText('customer')
  switch (resource) {
    case '': {
      const email = object.someText('email')
      const line = `${self} ${words(event)}`
      if (event === 'updated') return { text: updated(scene, 'customer', line) }
      return { text: `${line}${email === undefined ? '' : ` (${inline(email)})`}.` }
    }
    case 'subscription':
      return subscription(scene)
    case 'discount': {
      // Newer versions of the API only name the coupon by its ID, unless it is expanded.
      const at = (name: string) => object.firstText(`coupon.${name}`, `source.coupon.${name}`)
      const id = at('id') ?? object.firstText('source.coupon', 'coupon') ?? ''
      const coupon = dashboard(at('name') ?? (id || 'coupon'), 'coupons', id)
      return {
        text: `Discount ${words(event)} (${coupon})${owner ? ` for ${linked(owner)}` : ''}.`,
      }
    }
    case 'source': {
      const of = owner ? ` of ${linked(owner)}` : ''
      return { text: updated(scene, 'source', `${self}${of} ${words(event)}`) }
    }
    default:
      return { text: undefined }
  }
}

function invoice(scene: Scene): StripeNote {
  const { payload, object, event, self } = scene
  const before = payload.maybeObject('data.previous_attributes')
  // Newer versions of the API have no member `paid`.
  const isPaid =
    (before?.has('paid') && object.flag('paid')) ||
    (before?.has('status') && object.maybeText('status') === 'paid')
  if (event === 'updated' && isPaid && object.maybeNumber('amount_remaining') === 0) {
    return { text: `${self} is now paid.` }
  }
  if (event === 'updated') return { text: updated(scene, 'invoice', `${self} updated`) }
  if (event !== 'created') return { text: `${self} ${words(event)}.` }
  const facts = [
    ['Reason', words(object.maybeText('billing_reason') ?? '')],
    ['Total', amountOf(object, 'total')],
    ['Amount due', amountOf(object, 'amount_due')],
  ] as const
  return {
    text: `${self} created:\n\n${facts
      .map(([name, value]) => bullet(name, value))
      .filter(Boolean)
      .join('\n')}`,
  }
}

function invoiceItem(scene: Scene): StripeNote {
  const { object, event, self } = scene
  const line =
    event === 'created' ? `${self} created: ${amountOf(object)}` : `${self} ${words(event)}`
  return { text: updated(scene, 'invoiceitem', line) }
}

function file({ object, event, self }: Scene): StripeNote {
  const purpose = object.someText('purpose')
  const title = object.someText('title')
  const facts = [purpose && words(purpose), title && inline(title)].filter(Boolean).join(', ')
  return { topic: 'files', text: `${self} ${words(event)}${facts && ` (${facts})`}.` }
}

function account(scene: Scene): StripeNote {
  if (scene.event !== 'updated') return { text: undefined }
  const changes = changesOf(scene.payload, 'account') ?? []
  return {
    topic: 'account updates',
    text: changes.length === 0 ? undefined : `Account updated:\n\n${changes.join('\n')}`,
  }
}

const categories: Readonly<Record<string, (scene: Scene) => StripeNote>> = {
  charge,
  customer,
  // Since 2024-10-28.acacia, refunds have events of their own.
  refund: (scene) => charge({ ...scene, resource: 'refund' }),
  invoice,
  invoiceitem: invoiceItem,
  file,
  account,
}

/** Ignored categories: other events say the same, or nobody is interested in them. */
const silent = `application_fee balance capability coupon credit_note checkout issuer_fraud_record
  invoice_payment issuing_authorization issuing_card issuing_cardholder issuing_dispute issuing_transaction order
  order_return payment_intent payment_link payment_method payout person plan price product promotion_code
  radar recipient reporting review setup_intent sigma sku source subscription_schedule tax_rate terminal
  topup transfer`.split(/\s+/)

/**
 * @source Stripe API reference, "Types of events"; its changelog on invoices (2025-03-31.basil) and
 *   discounts (2025-09-30.clover), read on 2026-11-24
 */
export const stripe = integration({
  name: 'stripe',
  displayName: 'Stripe',
  category: 'Financial',
  eventTypes: `account.updated charge.dispute.closed charge.dispute.created charge.dispute.updated
    charge.captured charge.expired charge.failed charge.pending charge.refunded charge.succeeded
    charge.refund.updated charge.updated customer.created customer.deleted customer.updated
    customer.discount.created customer.discount.deleted customer.discount.updated
    customer.source.created customer.source.deleted customer.source.expiring customer.source.updated
    customer.subscription.created customer.subscription.deleted
    customer.subscription.trial_will_end customer.subscription.updated file.created invoice.created
    invoice.deleted invoice.finalized invoice.marked_uncollectible invoice.paid
    invoice.payment_failed invoice.payment_succeeded invoice.sent invoice.upcoming invoice.updated
    invoice.voided invoiceitem.created invoiceitem.deleted invoiceitem.updated refund.created
    refund.failed refund.updated`.split(/\s+/),
  signature: stripeSignature(sentText('Signing secret of the endpoint (whsec_…)')),
  steps: steps([
    'Open **Developers → Webhooks**, and press **Add endpoint**.',
    'Paste `{url}` as **Endpoint URL**, and choose the events.',
    'If the bot is to check signatures, copy the **Signing secret** into its settings.',
  ]),
  example: {
    body: {
      type: 'charge.succeeded',
      data: {
        object: {
          id: 'ch_3Garden',
          amount: 1200,
          currency: 'eur',
          customer: 'cus_Ada',
          status: 'succeeded',
        },
      },
    },
    topic: 'cus_Ada',
  },
  render({ payload }) {
    const type = payload.text('type')
    const parts = type.split('.')
    const [category = '', event = ''] = [parts[0], parts.at(-1)]
    if (silent.includes(category)) return undefined
    const say = Object.hasOwn(categories, category) ? categories[category] : undefined
    if (!say || parts.length < 2) return unsupported(type)
    const object = payload.object('data.object')
    const id = object.maybeText('id')
    const self = id === undefined ? inline(category) : linked(id)
    const note = say({ payload, object, resource: parts.slice(1, -1).join('.'), event, self })
    if (note.text === undefined) return undefined
    const own = type.startsWith('customer.') && parts.length === 2 ? id : undefined
    const owner =
      own ??
      (note.topic === undefined || category === 'charge' ? object.maybeText('customer') : undefined)
    const isOwn = category === 'charge' && parts.length > 2
    const topic = (isOwn ? note.topic : owner) ?? note.topic ?? category
    return { topic, content: note.text, events: [type] } satisfies Note
  },
})
