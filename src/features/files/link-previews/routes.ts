import { endpoint } from '#platform/http/endpoint.ts'
import { bool, described, int } from '#platform/http/params.ts'
import { hidePreviews as hide } from './actions.ts'

/** Parley's own, for everyone; readers hide previews from themselves with a flag. */
export const hidePreviews = endpoint({
  method: 'patch',
  path: '/messages/:message_id/link_previews',
  summary: "Hide the previews of the links in one of the caller's messages, or show them again.",
  params: {
    message_id: int(),
    hidden: described(bool(), 'Whether nobody sees the previews.'),
  },
  reply: {},
  run: (caller, p) => caller.store.write((tx) => hide(tx, caller, p.message_id, p.hidden)),
})
