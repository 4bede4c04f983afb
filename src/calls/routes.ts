import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { bool, text, withDefault } from '#http/params.ts'
import { string } from '#shape.ts'

/** @source the API description's "Create BigBlueButton video call"; api-changes §3b (level 337) */
export const createBigBlueButtonCall = endpoint({
  method: 'get',
  path: '/calls/bigbluebutton/create',
  summary: 'Start a BigBlueButton call, where the server has one.',
  description:
    'This one has none: `realm_available_video_chat_providers` names what calls can be made with.',
  params: { meeting_name: text(), voice_only: withDefault(bool(), false) },
  reply: { url: string },
  run() {
    throw badRequest('BigBlueButton is not configured.')
  },
})
