import * as v from 'valibot'
import { requireAdministrator } from '#features/foundation/permissions/rules.ts'
import { listUsers } from '#features/foundation/users/queries.ts'
import { userSetting } from '#features/foundation/users/settings.queries.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { bool, described, int, jsonOrWord, withDefault } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import * as actions from './actions.ts'
import { exportJson, typeNamed, typeNames } from './json.ts'
import { listExports } from './queries.ts'
import { exportQuota, newExportQuota } from './quotas.ts'
import { consentShape, exportShape } from './shapes.ts'

/** @source Zulip API, "Get data export consent state" (feature level 295) */
export const getConsents = endpoint({
  method: 'get',
  path: '/export/realm/consents',
  summary: 'List which users consent to the export of their private data.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { export_consents: shape.list(consentShape) },
  params: { extended_members: withDefault(bool(), false) },
  run({ store, user }, p) {
    requireAdministrator(user)
    const people = listUsers(store).filter(({ isActive, botType }) => isActive && botType === null)
    return {
      export_consents: people.map(({ id }) => ({
        user_id: id,
        consented: userSetting(store, id, 'allow_private_data_export'),
        ...(p.extended_members && {
          email_address_visibility: userSetting(store, id, 'email_address_visibility'),
        }),
      })),
    }
  },
})

/** @source Zulip API, "Get all data exports" */
export const getExports = endpoint({
  method: 'get',
  path: '/export/realm',
  summary: 'List the data exports.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { exports: shape.list(exportShape) },
  params: {},
  run({ store, user, server }) {
    requireAdministrator(user)
    return {
      exports: listExports(store).map((realmExport) => exportJson(realmExport, server.realmUrl)),
    }
  },
})

/** @source Zulip API, "Create a data export" (feature levels 304, 449) */
export const askExport = endpoint({
  method: 'post',
  path: '/export/realm',
  summary: "Request an export of the organization's data.",
  description: `The server makes it in the background and sends an event when it is ready. With \`full_with_consent\` it includes the private data of users who consent to that. ${limitsText(exportQuota, newExportQuota)}`,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { id: shape.integer },
  params: {
    export_type: described(
      withDefault(jsonOrWord(v.picklist([1, 2, ...typeNames])), 1),
      '1: `public`; 2: `full_with_consent`, which adds the private data of users who consent. Names are accepted too.',
    ),
  },
  run: (caller, p) =>
    caller.store.write((tx) => ({
      id: actions.requestExport(tx, caller, typeNamed(p.export_type)),
    })),
})

export const removeExport = endpoint({
  method: 'delete',
  path: '/export/realm/:export_id{[0-9]+}',
  summary: 'Delete a data export.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { export_id: int() },
  run: (caller, p) => caller.store.write((tx) => actions.removeExport(tx, caller, p.export_id)),
})
