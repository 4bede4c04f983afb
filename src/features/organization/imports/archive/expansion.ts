import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'

/** From this size on, in bytes, unpacked files must not be many times as large as packed. */
const harmlessBytes = 1024 ** 3
/** JSON with many similar rows shrinks to a fortieth, other files hardly. */
const mostTimes = { data: 100, other: 10 } as const

/** Whether a file is of the kind that shrinks a lot. */
export const isData = (path: string) => /\.(json|jsonl|ndjson|csv|txt|bson|tar)$/i.test(path)

/**
 * Checks that a packed file, or an archive, does not fill the disk once it is unpacked.
 *
 * @throws BAD_REQUEST
 */
export function requireHarmless(packed: number, unpacked: number, kind: keyof typeof mostTimes) {
  if (unpacked <= harmlessBytes || unpacked <= packed * mostTimes[kind]) return
  throw badRequest(
    sentence(
      'The archive would unpack to more than {count} times its size, which is not plausible for an export.',
      { count: mostTimes[kind] },
    ),
  )
}
