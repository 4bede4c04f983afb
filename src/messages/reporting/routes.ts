import { endpoint } from '#http/endpoint.ts'
import { int, oneOf, text, withDefault } from '#http/params.ts'
import { reportTypes } from '#realm/choices.ts'
import { requireLength } from '#realm/limits.ts'
import * as actions from './actions.ts'

/** The longest description, in Unicode code points. @source api-changes §2a */
const longest = 1000

/** @source api-changes §2a */
export const reportMessage = endpoint({
  method: 'post',
  path: '/messages/:message_id/report',
  summary: 'Report a message to the moderators of the organization.',
  params: {
    message_id: int(),
    report_type: oneOf(reportTypes.map(({ key }) => key)),
    description: withDefault(text(2 * longest), ''),
  },
  reply: {},
  run(caller, p) {
    const description = p.description.trim()
    requireLength('description', description, longest)
    return caller.store.write((tx) =>
      actions.reportMessage(tx, caller, p.message_id, { type: p.report_type, description }),
    )
  },
})
