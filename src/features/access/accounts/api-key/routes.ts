import { replaceApiKey } from '#features/access/accounts/credentials.actions.ts'
import { queueCredentialMail } from '#features/foundation/mail/credential-changes.actions.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'

/**
 * Gives the caller a new API key; the old key stops working, even in running requests: of two
 * requests with the same key only the first gets a new one.
 *
 * @source Zulip API, "API changelog" (feature level 492)
 */
export const regenerateApiKey = endpoint({
  method: 'post',
  path: '/users/me/api_key/regenerate',
  summary: 'Give the caller a new API key; the old one stops working.',
  description: 'Closes the event queues that were registered with the old key.',
  params: {},
  reply: { api_key: shape.string },
  async run({ store, server }) {
    const { apiKey } = await store.write((tx, user) => {
      if (user.botType !== null)
        throw badRequest(sentSentence('This endpoint does not accept bot requests.'))
      queueCredentialMail(tx, user, 'key')
      return replaceApiKey(tx, server.queues, user.id)
    })
    return { api_key: apiKey }
  },
})
