import { changeOwnSettings } from '#features/access/accounts/own-settings/actions.ts'
import { changeStatus } from '#features/people/user-status/actions.ts'
import { isAsked, requestedStatus, statusParams } from '#features/people/user-status/params.ts'
import { badRequest } from '#platform/errors.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { bool, optional } from '#platform/http/params.ts'
import { sentSentence } from '#translations/translate.ts'

/** @source Zulip API, "Update your status" */
export const updateOwnStatus = endpoint({
  method: 'post',
  path: '/users/me/status',
  summary: "Change the caller's status.",
  params: { ...statusParams, away: optional(bool()) },
  reply: {},
  run({ store }, { away, ...p }) {
    const status = requestedStatus(p)
    if (away === undefined && !isAsked(status)) {
      throw badRequest(sentSentence('Client did not pass any new values.'))
    }
    return store.write((tx, user) => {
      if (isAsked(status)) changeStatus(tx, user, status)
      if (away === undefined) return
      changeOwnSettings(tx, user.id, { settings: { presence_enabled: !away } })
    })
  },
})
