import * as v from 'valibot'
import { cleanText } from '#features/integrations/webhook-services/text.ts'
import { type Widget, widgetSchema } from '#features/messaging/messages/submessages/widgets.ts'

/** A webhook's reply, to be sent to the conversation. */
export interface WebhookReply {
  readonly content: string
  readonly widget: Widget | undefined
}

/** The problem with an invalid reply, in a message for the bot's owner. */
export class MalformedReply extends Error {}

const said = v.nullish(v.string('has content that is not text'))

/** `response_string` is the old name of `content`, and `text` is Slack's. */
const answer = v.object(
  {
    response_not_required: v.nullish(v.unknown()),
    content: said,
    response_string: said,
    text: said,
    widget_content: v.nullish(
      v.union(
        [widgetSchema, v.pipe(v.string(), v.parseJson(), widgetSchema)],
        'contains an unknown widget',
      ),
    ),
  },
  'is not a JSON object',
)

/**
 * Reads the reply in a webhook's response; undefined if the webhook sends none.
 *
 * @throws MalformedReply
 * @source Zulip API, "Outgoing webhooks", "Replying with a message"
 */
export function replyIn(body: Buffer): WebhookReply | undefined {
  const text = body.toString('utf8').trim()
  if (text === '') return undefined
  const value = parsed(text)
  if (Array.isArray(value)) throw new MalformedReply('The response is not a JSON object.')
  const result = v.safeParse(answer, value)
  if (!result.success) throw new MalformedReply(`The response ${result.issues[0].message}.`)
  const { response_not_required, widget_content, ...texts } = result.output
  if (response_not_required === true) return undefined
  const content = cleanText(texts.content ?? texts.response_string ?? texts.text ?? '')
  return content.trim() === '' ? undefined : { content, widget: widget_content ?? undefined }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MalformedReply('The response is not JSON.')
  }
}
