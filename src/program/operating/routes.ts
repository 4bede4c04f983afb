import {
  confirmation,
  confirmationOf,
  needsConfirmation,
  requireConfirmation,
} from '#features/foundation/sessions/confirmation.params.ts'
import { requireUnchanged } from '#features/foundation/users/own-password.params.ts'
import { serverStatusMembers } from '#features/organization/organization-settings/operating.shapes.ts'
import { withStore } from '#platform/context.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { text } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import * as backups from './backups.actions.ts'
import { sendTestMail } from './mail-test.actions.ts'
import { requireOperator } from './rules.ts'
import { serverStatus } from './status.ts'

/*
 * Endpoints of Parley's own: operating the server from the browser. Only owners may, and only where
 * the operator allows it (`server_owners_operate` in the reply of `POST /register`).
 */

const errors = ['UNAUTHORIZED_PRINCIPAL'] as const

export const getServerStatus = endpoint({
  method: 'get',
  path: '/server/status',
  summary: 'Get the status of the server: version, health, storage, backups.',
  description: 'For owners, if the operator allows it.',
  errors,
  params: {},
  reply: serverStatusMembers,
  async run(caller) {
    const { server, store } = caller
    requireOperator(server, caller.user)
    const status = await serverStatus(withStore(server, store))
    const user = caller.requireCurrent(store)
    requireOperator(server, user)
    return { ...status, confirmation: confirmationOf(user) }
  },
})

export const makeBackup = endpoint({
  method: 'post',
  path: '/server/backups',
  summary: 'Start a backup of the server in the background.',
  description: `For owners, if the operator allows it. Only one runs at a time, and at most ${backups.mostBackups} are kept. A \`server_backups\` event tells owners when it is ready or has failed.`,
  errors,
  params: {},
  reply: { name: shape.noted(shape.string, 'The name of the backup.') },
  async run(caller) {
    requireOperator(caller.server, caller.user)
    return { name: await backups.requestBackup(caller) }
  },
})

export const downloadBackup = endpoint({
  method: 'post',
  path: '/server/backups/:name/download',
  summary: 'Get the address from which a browser can download a backup.',
  description: `For owners, if the operator allows it. ${needsConfirmation} The address works for five minutes, in the same session.`,
  errors: [...errors, 'NOT_FOUND'],
  params: { name: text(100), password: confirmation },
  reply: { url: shape.noted(shape.string, 'A path of this server.') },
  async run(caller, { name, password }, request) {
    requireOperator(caller.server, caller.user)
    const { passwordHash } = await requireConfirmation(caller, password, request)
    await backups.accessBackup(caller.store, name)
    const user = caller.requireCurrent(caller.store)
    requireUnchanged(user, passwordHash)
    requireOperator(caller.server, user)
    return { url: `/server-backups/${name}?ticket=${backups.makeTicket(caller, name)}` }
  },
})

export const removeBackup = endpoint({
  method: 'delete',
  path: '/server/backups/:name',
  summary: 'Delete a backup that an owner has made.',
  description: 'For owners, if the operator allows it.',
  errors: [...errors, 'NOT_FOUND'],
  params: { name: text(100) },
  reply: {},
  async run(caller, p) {
    requireOperator(caller.server, caller.user)
    await backups.removeBackup(caller, p.name)
    return {}
  },
})

export const testMail = endpoint({
  method: 'post',
  path: '/server/test_mail',
  summary: "Send a mail to the caller's own address, and get the answer of the mail server.",
  description: 'For owners, if the operator allows it.',
  errors: [...errors, 'RATE_LIMIT_HIT'],
  params: {},
  reply: { address: shape.string },
  async run(caller) {
    requireOperator(caller.server, caller.user)
    return { address: await sendTestMail(caller) }
  },
})
