import * as v from 'valibot'
import { integration } from '#features/integrations/webhook-services/declaration.ts'
import { inline } from '#features/integrations/webhook-services/format.ts'
import {
  attachmentSchema,
  attachmentText,
} from '#features/integrations/webhook-services/slack/attachments.ts'
import {
  blockSchema,
  blocksText,
  listOf,
  maybeText,
} from '#features/integrations/webhook-services/slack/blocks.ts'
import { fromMrkdwn } from '#features/integrations/webhook-services/slack/text.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'
import { badRequest } from '#platform/errors.ts'

const message = v.object({
  text: maybeText,
  channel: maybeText,
  blocks: listOf(blockSchema),
  attachments: listOf(attachmentSchema),
})

/** @throws BAD_REQUEST names the invalid member */
function messageOf(payload: unknown): v.InferOutput<typeof message> {
  const result = v.safeParse(message, payload, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const place = (issue.path ?? []).map(({ key }) => String(key).slice(0, 50)).join('.')
  throw badRequest(
    place === ''
      ? 'The payload is not of the form that this service sends.'
      : `The payload has no valid member '${place}'.`,
  )
}

/**
 * Messages for Slack. If there are blocks, `text` is only a fallback and ignored.
 *
 * @source Slack API, "Sending messages using incoming webhooks" (read on 2026-11-24) and "Reference:
 *   Secondary message attachments"
 */
export const slackIncoming = integration({
  name: 'slack_incoming',
  displayName: 'Slack-compatible webhook',
  category: 'Any service',
  eventTypes: null,
  isOftenMalformed: true,
  steps: steps([
    'Many services can post to Slack. Where they ask for the URL of an incoming webhook of Slack, paste `{url}`.',
    'A channel in their settings becomes the topic, unless the URL names one.',
  ]),
  example: {
    body: {
      channel: '#garden',
      text: 'The *roses* were watered by <https://example.com/robot|the robot>.',
    },
    topic: 'garden',
  },
  render({ payload }) {
    const said = messageOf(payload.value)
    const blocks = blocksText(said.blocks ?? [])
    const parts = blocks.length > 0 ? blocks : [fromMrkdwn(said.text ?? '')]
    const content = [...parts, ...(said.attachments ?? []).map(attachmentText)]
      .map((part) => part.trim())
      .filter(Boolean)
      .join('\n\n')
    if (content === '') return undefined
    return { topic: inline(said.channel ?? '').replace(/^[#@]/, ''), content }
  },
})
