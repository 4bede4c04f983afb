import type { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { badRequest } from '#platform/errors.ts'
import { sentence } from '#translations/translate.ts'

/** The refusal of what nothing here unpacks. */
export const unreadable = (name: string) =>
  badRequest(sentence('{name} is encrypted or compressed with an unknown method.', { name }))

/**
 * Unpacks a stream. Reading may stop before its end.
 *
 * @param name the packed file's, for the error
 * @throws BAD_REQUEST it is cut off or damaged
 */
export async function* unpacked(
  packed: Readable,
  unpack: Transform,
  name: string,
): AsyncGenerator<Uint8Array> {
  // Not awaited: it may never settle for streams that are left in the middle.
  pipeline(packed, unpack).catch(() => {})
  try {
    for await (const part of unpack as AsyncIterable<Uint8Array>) yield part
  } catch (error) {
    const { code = '' } = error as { code?: string }
    throw code.startsWith('Z_')
      ? badRequest(sentence('{name} is damaged or cut off.', { name }))
      : error
  } finally {
    packed.destroy()
    unpack.destroy()
  }
}
