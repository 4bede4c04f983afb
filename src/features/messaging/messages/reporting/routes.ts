import { reportTypes } from '#features/foundation/realm/choices.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int, oneOf, prose, withDefault } from '#platform/http/params.ts'
import * as actions from './actions.ts'

/** In Unicode code points. */
const descriptionLength = 1000

/** @source Zulip API, "Report a message" (feature level 382) */
export const reportMessage = endpoint({
  method: 'post',
  path: '/messages/:message_id/report',
  summary: 'Report a message to the moderators of the organization.',
  params: {
    message_id: int(),
    report_type: oneOf(reportTypes.map(({ key }) => key)),
    description: withDefault(prose(descriptionLength), ''),
  },
  reply: {},
  run(caller, p) {
    const description = p.description.trim()
    return caller.store.write((tx) =>
      actions.reportMessage(tx, caller, p.message_id, { type: p.report_type, description }),
    )
  },
})
