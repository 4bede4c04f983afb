import { badRequest } from '#errors.ts'
import { endpoint } from '#http/endpoint.ts'
import { deletePhonesOf } from '#push/queries.ts'
import { string } from '#shape.ts'
import { newApiKey } from '#users/actions.ts'
import { updateUser } from '#users/queries.ts'

/**
 * Gives the caller another API key; the one of this call is the last thing the old one did.
 *
 * @source api-changes §2b
 */
export const regenerateApiKey = endpoint({
  method: 'post',
  path: '/users/me/api_key/regenerate',
  summary: 'Give the caller another API key, and make the old one worthless.',
  params: {},
  reply: { api_key: string },
  async run({ store, user }) {
    if (user.botType !== null) throw badRequest('This endpoint does not accept bot requests.')
    const apiKey = newApiKey()
    await store.write((tx) => {
      updateUser(tx, user.id, { apiKey })
      // Whoever had the key can have registered a phone with it.
      deletePhonesOf(tx, user.id)
    })
    return { api_key: apiKey }
  },
})
