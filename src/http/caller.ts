import type { Context } from '#context.ts'
import type { Store } from '#store/write.ts'
import type { User } from '#users/queries.ts'

/** Who asks, through which client, of which server. Actions and queries take it; none sees HTTP. */
export interface Caller {
  readonly user: User
  readonly store: Store
  readonly server: Context
  /** Name of the client program, from its User-Agent: `ZulipFlutter`, `ZulipPython`, `website`. */
  readonly client: string
}
