import type { ApiError } from '#platform/errors.ts'
import type { User } from '#platform/store/schema.ts'
import type { Read } from '#platform/store/store.ts'

/** What a request was authenticated with. `none`: the program acts by itself. */
export type CredentialKind = 'key' | 'session' | 'none'

/** The API key or session that a request presented. */
export interface Credential {
  readonly kind: CredentialKind
  /** `Session.id`, if it is a session. */
  readonly sessionId?: string
  /** The account that it belongs to now, active or not; undefined if it is no longer valid. */
  findUser(read: Read): User | undefined
  /** The error for a credential that is not valid. */
  refusal(): ApiError
}
