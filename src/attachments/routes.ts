import { endpoint } from '#http/endpoint.ts'
import { int } from '#http/params.ts'
import { integer, list, noted } from '#shape.ts'
import { deleteOwnFile } from './actions.ts'
import { attachmentJson } from './json.ts'
import { listOwnAttachments, uploadSpaceUsed } from './queries.ts'
import { attachmentShape } from './shapes.ts'

/** @source the API description's "Get attachments" */
export const getAttachments = endpoint({
  method: 'get',
  path: '/attachments',
  summary: 'List the files that the caller uploaded.',
  reply: {
    attachments: list(attachmentShape),
    upload_space_used: noted(integer, "The size of everybody's files together, in bytes."),
  },
  params: {},
  run: ({ store, user }) => ({
    attachments: listOwnAttachments(store, user.id).map((file) => attachmentJson(store, file)),
    upload_space_used: uploadSpaceUsed(store),
  }),
})

/** @source the API description's "Delete an attachment" */
export const removeAttachment = endpoint({
  method: 'delete',
  path: '/attachments/:attachment_id',
  summary: 'Delete a file that the caller uploaded; links to it lead nowhere from then on.',
  reply: {},
  params: { attachment_id: int() },
  run: ({ store, user }, p) => store.write((tx) => deleteOwnFile(tx, user, p.attachment_id)),
})
