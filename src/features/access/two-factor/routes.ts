import { requireRealm } from '#features/foundation/realm/queries.ts'
import { realmSetting } from '#features/foundation/realm/settings.queries.ts'
import {
  confirmation,
  confirmationOf,
  confirmationShape,
  needsConfirmation,
  requireConfirmation,
} from '#features/foundation/sessions/confirmation.params.ts'
import {
  ownPassword,
  requireOwnPassword,
  requireUnchanged,
} from '#features/foundation/users/own-password.params.ts'
import type { User } from '#features/foundation/users/queries.ts'
import { badRequest } from '#platform/errors.ts'
import type { Caller } from '#platform/http/caller.ts'
import { endpoint } from '#platform/http/endpoint.ts'
import { int, word } from '#platform/http/params.ts'
import { secretHash } from '#platform/secret-hash.ts'
import * as shape from '#platform/shape.ts'
import { sentSentence } from '#translations/translate.ts'
import * as actions from './actions.ts'
import { setupOf } from './codes.ts'
import { countRecoveryCodes } from './queries.ts'
import { hasSecondFactor } from './rules.ts'
import { qrShape, recoveryCodesShape } from './shapes.ts'

const own = 'Not part of the Zulip API.'
const path = '/users/me/two_factor'

/** Names the session or the key of a request without being a secret. */
const shownBy = ({ sessionId }: Caller, { apiKey }: User) => sessionId ?? secretHash(apiKey)

/** An endpoint of Parley's own. */
export const getTwoFactor = endpoint({
  method: 'get',
  path,
  summary: "Get the state of the caller's two-factor authentication.",
  description: own,
  params: {},
  reply: {
    enabled: shape.boolean,
    required: shape.noted(shape.boolean, 'Whether the organization requires it.'),
    recovery_codes_left: shape.integer,
    confirmation: confirmationShape,
  },
  run: ({ store, user }) => ({
    enabled: hasSecondFactor(store, user.id),
    required: realmSetting(store, 'two_factor_required'),
    recovery_codes_left: countRecoveryCodes(store, user.id),
    confirmation: confirmationOf(user),
  }),
})

/** An endpoint of Parley's own. */
export const beginTwoFactor = endpoint({
  method: 'post',
  path,
  summary: 'Start setting up two-factor authentication for the caller.',
  description: `${own} It takes effect once \`POST ${path}/confirm\` has received a code.`,
  params: { password: ownPassword },
  reply: {
    secret: shape.noted(shape.string, 'Base32, for typing into an app.'),
    uri: shape.noted(shape.string, 'The same for apps, beginning with `otpauth:`.'),
    qr: shape.noted(qrShape, 'The link as a QR code.'),
  },
  async run(caller, { password }, request) {
    const { passwordHash: hash } = await requireOwnPassword(caller, password, request)
    const { secret, email } = await caller.store.write((tx, user) => {
      requireUnchanged(user, hash)
      const secret = actions.beginEnrolment(tx, user, shownBy(caller, user))
      return { secret, email: user.email }
    })
    return { secret, ...setupOf(secret, email, requireRealm(caller.store).name) }
  },
})

/** An endpoint of Parley's own. */
export const confirmTwoFactor = endpoint({
  method: 'post',
  path: `${path}/confirm`,
  summary: 'Turn on two-factor authentication, with a code from the app.',
  description: `${own} Needs the session or the API key that started the setup. The recovery codes cannot be read again later.`,
  params: { code: word(100) },
  reply: { recovery_codes: recoveryCodesShape },
  async run(caller, { code }, { guess }) {
    const counted = guess(caller.user.id)
    const codes = await caller.store.write((tx, user) =>
      actions.finishEnrolment(tx, user, shownBy(caller, user), code),
    )
    if (!codes) throw badRequest(sentSentence('This code is not right.'), { parameter: 'code' })
    counted.right()
    return { recovery_codes: codes }
  },
})

/** An endpoint of Parley's own. */
export const renewRecoveryCodes = endpoint({
  method: 'post',
  path: `${path}/recovery_codes`,
  summary: "Replace the caller's recovery codes.",
  description: `${own} ${needsConfirmation}`,
  params: { password: confirmation },
  reply: { recovery_codes: recoveryCodesShape },
  async run(caller, { password }, request) {
    const { passwordHash: hash } = await requireConfirmation(caller, password, request)
    const codes = await caller.store.write((tx, user) => {
      requireUnchanged(user, hash)
      return actions.renewRecoveryCodes(tx, user)
    })
    return { recovery_codes: codes }
  },
})

/** An endpoint of Parley's own. */
export const switchOffTwoFactor = endpoint({
  method: 'delete',
  path,
  summary: 'Turn off two-factor authentication for the caller.',
  description: `${own} ${needsConfirmation}`,
  params: { password: confirmation },
  reply: {},
  async run(caller, { password }, request) {
    const { passwordHash: hash } = await requireConfirmation(caller, password, request)
    await caller.store.write((tx, user) => {
      requireUnchanged(user, hash)
      actions.switchOff(tx, user, 'secondFactorOff')
    })
  },
})

/** An endpoint of Parley's own. */
export const resetTwoFactor = endpoint({
  method: 'delete',
  path: '/users/:user_id{-?[0-9]+}/two_factor',
  summary: 'Turn off two-factor authentication for a user who has lost their device.',
  description: `${own} Requires an administrator; for the account of an owner, an owner.`,
  params: { user_id: int() },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  reply: {},
  run: (caller, p) => caller.store.write((tx) => actions.resetTwoFactor(tx, caller, p.user_id)),
})
