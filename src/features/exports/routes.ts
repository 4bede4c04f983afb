import * as v from 'valibot'
import { requireAdministrator } from '#features/permissions/rules.ts'
import { listUsers } from '#features/users/queries.ts'
import { userSetting } from '#features/users/settings.queries.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, jsonOrWord, withDefault } from '#platform/http/params.ts'
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
  summary: 'List which people let an export have what is private to them.',
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { export_consents: shape.list(consentShape) },
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

/** @source Zulip API, "Get all data exports" */
export const getExports = endpoint({
  method: 'get',
  path: '/export/realm',
  summary: "List the copies of the organization's data that were asked for.",
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
  summary: "Ask for a copy of the organization's data.",
  description: `It is made in the background; an event tells when it is there. With \`full_with_consent\` it has also what any of those people may read who allow it in their settings. ${limitsText(exportQuota, newExportQuota)}`,
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: { id: shape.integer },
  params: {
    export_type: described(
      withDefault(jsonOrWord(v.picklist([1, 2, ...typeNames])), 1),
      '1 for what is public, 2 for that and what people consent to; or its name.',
    ),
  },
  run: (caller, p) =>
    caller.store.write((tx) => ({ id: actions.askExport(tx, caller, typeNamed(p.export_type)) })),
})

export const removeExport = endpoint({
  method: 'delete',
  path: '/export/realm/:export_id{[0-9]+}',
  summary: "Delete a copy of the organization's data.",
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  params: { export_id: int() },
  run: (caller, p) => caller.store.write((tx) => actions.removeExport(tx, caller, p.export_id)),
})
