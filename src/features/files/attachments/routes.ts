import { endpoint } from '#platform/http/endpoint.ts'
import { int } from '#platform/http/params.ts'
import * as shape from '#platform/shape.ts'
import { deleteOwnFile } from './actions.ts'
import { attachmentJson } from './json.ts'
import { listOwnAttachments, uploadSpaceUsed } from './queries.ts'
import { attachmentShape } from './shapes.ts'

/** @source Zulip API, "Get attachments" */
export const getAttachments = endpoint({
  method: 'get',
  path: '/attachments',
  summary: 'List the files that the caller uploaded.',
  reply: {
    attachments: shape.list(attachmentShape),
    upload_space_used: shape.noted(
      shape.integer,
      "The total size of all users' uploads, in bytes.",
    ),
  },
  params: {},
  run: ({ store, user }) => ({
    attachments: listOwnAttachments(store, user.id).map((file) => attachmentJson(store, file)),
    upload_space_used: uploadSpaceUsed(store),
  }),
})

/** @source Zulip API, "Delete an attachment" */
export const removeAttachment = endpoint({
  method: 'delete',
  path: '/attachments/:attachment_id',
  summary: 'Delete a file that the caller uploaded. Links to it stop working.',
  reply: {},
  params: { attachment_id: int() },
  run: ({ store }, p) => store.write((tx, user) => deleteOwnFile(tx, user, p.attachment_id)),
})
