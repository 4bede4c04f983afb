import { endpoint } from '#http/endpoint.ts'
import { word } from '#http/params.ts'
import { integer } from '#shape.ts'
import { tryWelcomeText } from './actions.ts'

/** @source api-changes §2a (feature level 416) */
export const testWelcomeText = endpoint({
  method: 'post',
  path: '/realm/test_welcome_bot_custom_message',
  summary: 'Look at the end of a welcome message, as a message of Welcome Bot.',
  // In UTF-16 units; the action counts characters.
  params: { welcome_message_custom_text: word(16_000) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { message_id: integer },
  run: async (caller, p) => ({
    message_id: await caller.store.write((tx) =>
      tryWelcomeText(tx, caller, p.welcome_message_custom_text),
    ),
  }),
})
