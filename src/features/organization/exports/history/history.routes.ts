import { requireOwner } from '#features/foundation/permissions/rules.ts'
import {
  confirmation,
  confirmationOf,
  confirmationShape,
  needsConfirmation,
  requireConfirmation,
} from '#features/foundation/sessions/confirmation.params.ts'
import { requireUnchanged } from '#features/foundation/users/own-password.params.ts'
import { exportPath } from '#features/organization/exports/json.ts'
import { listHistoryExports } from '#features/organization/exports/queries.ts'
import { exportQuota, newExportQuota } from '#features/organization/exports/quotas.ts'
import { zulipReleases } from '#features/organization/exports/zulip/format.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { described, int, oneOf, oneOfInts, withDefault } from '#platform/http/params.ts'
import { limitsText } from '#platform/quotas/room.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './history.actions.ts'
import { historyJson } from './history.json.ts'
import { historyShape } from './history.shapes.ts'
import { progressOf } from './progress.queries.ts'
import { historyFormats, historyScopes } from './scopes.ts'

/*
 * Endpoints of Parley's own: exports of the history, for an import into Zulip or to read without a server.
 */

const errors = ['UNAUTHORIZED_PRINCIPAL'] as const

export const getHistoryExports = endpoint({
  method: 'get',
  path: '/export/history',
  summary: 'List the exports of the history.',
  description: 'For owners.',
  errors,
  params: {},
  reply: {
    exports: shape.list(historyShape),
    can_export_everything: shape.noted(
      shape.boolean,
      'Whether the operator lets owners export `everything`.',
    ),
    confirmation: confirmationShape,
  },
  run({ store, user }) {
    requireOwner(user)
    const progress = progressOf(store)
    return {
      exports: listHistoryExports(store).map((each) => historyJson(each, progress.get(each.id))),
      can_export_everything: store.config.ownersOperate,
      confirmation: confirmationOf(user),
    }
  },
})

export const askHistoryExport = endpoint({
  method: 'post',
  path: '/export/history',
  summary: 'Request an export of the history, which is made in the background.',
  description: `For owners. ${needsConfirmation} ${limitsText(exportQuota, newExportQuota)}`,
  errors,
  params: {
    format: described(
      oneOf(historyFormats),
      '`zulip`: for an import into Zulip; `archive`: pages of HTML and JSON Lines, to read without a server.',
    ),
    scope: described(
      withDefault(oneOf(historyScopes), 'public'),
      '`public`: public channels; `full_with_consent`: also the private data of users who consent; `everything`: all data of the server, if the operator lets owners export it.',
    ),
    zulip_release: described(
      withDefault(oneOfInts(zulipReleases), zulipReleases[0]),
      'The major release of Zulip that will import it: each release imports only its own exports.',
    ),
    password: confirmation,
  },
  reply: { id: shape.integer },
  async run(caller, { format, password, scope, zulip_release: release }, request) {
    actions.requireHistoryRight(caller.store, caller.user, scope)
    const { passwordHash } = await requireConfirmation(caller, password, request)
    return await caller.store.write((tx, user) => {
      requireUnchanged(user, passwordHash)
      return { id: actions.requestHistory(tx, caller, { format, scope, release }) }
    })
  },
})

export const downloadHistoryExport = endpoint({
  method: 'post',
  path: '/export/history/:export_id{[0-9]+}/download',
  summary: 'Get the address from which an export of the history can be downloaded.',
  description: `For owners. ${needsConfirmation} Anyone who has the address can use it until the export is deleted.`,
  errors,
  params: { export_id: int(), password: confirmation },
  reply: { url: shape.noted(shape.string, 'A path of this server.') },
  async run(caller, { export_id: id, password }, request) {
    actions.accessHistory(caller.store, caller, id)
    const { passwordHash } = await requireConfirmation(caller, password, request)
    const user = caller.requireCurrent(caller.store)
    requireUnchanged(user, passwordHash)
    const found = actions.accessHistory(caller.store, { user }, id)
    if (found.fileHash === null)
      throw badRequest(sentSentence('The export cannot be downloaded.'), { parameter: 'export_id' })
    return { url: exportPath(found) }
  },
})

export const removeHistoryExport = endpoint({
  method: 'delete',
  path: '/export/history/:export_id{[0-9]+}',
  summary: 'Delete an export of the history; its address stops working.',
  description: 'For owners.',
  errors,
  params: { export_id: int() },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.removeHistory(tx, caller, p.export_id)),
})
