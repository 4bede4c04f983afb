import { limits } from '#features/foundation/realm/limits.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { tidied, word } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { sendWelcomePreview } from './actions.ts'

/** @source Zulip API, "Test welcome bot custom message" (feature level 416) */
export const testWelcomeText = endpoint({
  method: 'post',
  path: '/realm/test_welcome_bot_custom_message',
  summary:
    'Have Welcome Bot send the caller a text in the way that it would end a welcome message.',
  // In UTF-16 code units; the action counts code points.
  params: {
    welcome_message_custom_text: tidied(
      word(2 * limits.welcomeTextLength),
      limits.welcomeTextLength,
    ),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { message_id: shape.integer },
  run: async (caller, p) => ({
    message_id: await caller.store.write((tx) =>
      sendWelcomePreview(tx, caller, p.welcome_message_custom_text),
    ),
  }),
})
