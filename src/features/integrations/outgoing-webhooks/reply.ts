import * as v from 'valibot'
import { cleanText } from '#features/integrations/webhook-services/text.ts'
import { type Widget, widgetSchema } from '#features/messaging/messages/submessages/widgets.ts'
import { inEnglish, type Sentence, sentence, text } from '#translations/translate.ts'

/** A webhook's reply, to be sent to the conversation. */
export interface WebhookReply {
  readonly content: string
  readonly widget: Widget | undefined
}

/** The problem with an invalid reply, in a message for the bot's owner. */
export class MalformedReply extends Error {
  readonly sentence: Sentence

  constructor(problem: Sentence) {
    super(inEnglish(problem))
    this.sentence = problem
  }
}

const noObject = text('The response is not a JSON object.')

const said = v.nullish(v.string(text('The response has content that is not text.')))

/** `response_string` is the old name of `content`, and `text` is Slack's. */
const reply = v.object(
  {
    response_not_required: v.nullish(v.unknown()),
    content: said,
    response_string: said,
    text: said,
    widget_content: v.nullish(
      v.union(
        [widgetSchema, v.pipe(v.string(), v.parseJson(), widgetSchema)],
        text('The response contains an unknown widget.'),
      ),
    ),
  },
  noObject,
)

/**
 * Reads the reply in a webhook's response; undefined if the webhook sends none.
 *
 * @throws MalformedReply
 * @source Zulip API, "Outgoing webhooks", "Replying with a message"
 */
export function replyIn(body: Buffer): WebhookReply | undefined {
  const source = body.toString('utf8').trim()
  if (source === '') return undefined
  const value = parsed(source)
  if (Array.isArray(value)) throw new MalformedReply(sentence(noObject))
  const result = v.safeParse(reply, value)
  if (!result.success) throw new MalformedReply(sentence(result.issues[0].message))
  const { response_not_required, widget_content, ...texts } = result.output
  if (response_not_required === true) return undefined
  const content = cleanText(texts.content ?? texts.response_string ?? texts.text ?? '')
  return content.trim() === '' ? undefined : { content, widget: widget_content ?? undefined }
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    throw new MalformedReply(sentence('The response is not JSON.'))
  }
}
