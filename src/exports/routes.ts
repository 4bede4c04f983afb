import { endpoint } from '#http/endpoint.ts'
import { requireAdministrator } from '#permissions/can.ts'
import { list } from '#shape.ts'
import { listUsers } from '#users/queries.ts'
import { userSetting } from '#users/settings.ts'
import { consentShape } from './shapes.ts'

/** @source api-changes §2a (feature level 295) */
export const getConsents = endpoint({
  method: 'get',
  path: '/export/realm/consents',
  summary: 'List which people let an export have what is private to them.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { export_consents: list(consentShape) },
  params: {},
  run({ store, user }) {
    requireAdministrator(user)
    const people = listUsers(store).filter(({ isActive, botType }) => isActive && botType === null)
    return {
      export_consents: people.map(({ id }) => ({
        user_id: id,
        consented: userSetting(store, id, 'allow_private_data_export'),
        email_address_visibility: userSetting(store, id, 'email_address_visibility'),
      })),
    }
  },
})
