import { integration, unsupported } from '#features/integrations/webhook-services/declaration.ts'
import {
  bullet,
  inline,
  lines,
  link,
  paragraphs,
  quoted,
  webAddress,
} from '#features/integrations/webhook-services/format.ts'
import { chosen, signs } from '#features/integrations/webhook-services/signs.ts'
import { steps } from '#features/integrations/webhook-services/steps.ts'

const types: Readonly<Record<string, string>> = {
  TEST_NOTIFICATION: signs.tada,
  MEDIA_PENDING: signs.pending,
  MEDIA_APPROVED: signs.good,
  MEDIA_AUTO_APPROVED: signs.good,
  MEDIA_AUTO_REQUESTED: signs.pending,
  MEDIA_AVAILABLE: signs.done,
  MEDIA_FAILED: signs.failed,
  MEDIA_DECLINED: signs.bad,
  ISSUE_CREATED: signs.alert,
  ISSUE_COMMENT: signs.info,
  ISSUE_RESOLVED: signs.resolved,
  ISSUE_REOPENED: signs.alert,
}

/** @source Overseerr Docs, "Notifications: webhook" */
export const overseerr = integration({
  name: 'overseerr',
  displayName: 'Overseerr',
  category: 'Media',
  eventTypes: Object.keys(types),
  steps: steps([
    'Open **Settings → Notifications → Webhook**, in Jellyseerr and Seerr as well.',
    'Paste `{url}` as **Webhook URL**, leave the default payload, and press **Test**.',
  ]),
  example: {
    body: {
      notification_type: 'MEDIA_PENDING',
      event: 'New Movie Request',
      subject: 'The Secret Garden (1993)',
      message: 'A lonely girl finds a garden.',
      image: 'https://image.tmdb.org/t/p/w600/garden.jpg',
      request: { requestedBy_username: 'ada' },
    },
    topic: 'The Secret Garden (1993)',
  },
  render({ payload }) {
    const type = payload.text('notification_type')
    const sign = chosen(types, type)
    if (sign === undefined) return unsupported(type)
    const subject = payload.text('subject')
    const event = payload.someText('event') ?? type.toLowerCase().replaceAll('_', ' ')
    const at = (...paths: string[]) => {
      const text = payload.firstText(...paths)
      return text === undefined ? undefined : inline(text)
    }
    const image = payload.maybeText('image')
    return {
      topic: subject,
      content: paragraphs(
        `${sign} **${inline(event)}**: ${inline(subject)}`,
        quoted(payload.maybeText('message')),
        lines(
          bullet('Requested by', at('request.requestedBy_username')),
          bullet('Reported by', at('issue.reportedBy_username')),
          bullet('Comment by', at('comment.commentedBy_username')),
        ),
        webAddress(image) && link('image', image),
      ),
      events: [type],
    }
  },
})
