import { badRequest } from '#platform/errors.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Caller } from '#platform/http/caller.ts'
import type { RequestFacts } from '#platform/http/facts.ts'
import type { Files } from '#platform/http/request-files.ts'
import { sentSentence } from '#translations/translate.ts'
import type { Source } from './make.ts'
import { type Picture, probeFile } from './probe.ts'

/** The requirements for an uploaded picture. */
export interface PictureRequirements {
  /** Its name in error messages: `avatar`. */
  readonly what: string
  /** The largest size of the file, in MiB. */
  readonly limitMib: number
}

/** An uploaded picture, with its format and dimensions. */
export interface ReceivedPicture extends Source {
  readonly picture: Picture
}

/**
 * Moves the one file of a multipart request, under any part name, from memory to the file store
 * while `use` makes pictures of it.
 *
 * @throws BAD_REQUEST no file, more than one, or one that is too large
 * @throws BAD_IMAGE as `probe`
 */
export async function receivedPicture<T>(
  { user, server }: Pick<Caller, 'user' | 'server'>,
  { files, signal }: Pick<RequestFacts, 'files' | 'signal'>,
  { what, limitMib }: PictureRequirements,
  use: (source: ReceivedPicture) => Promise<T>,
): Promise<T> {
  if (files.size !== 1)
    throw badRequest(sentSentence('Exactly one file must be sent as the {name}.', { name: what }), {
      parameter: 'file',
    })
  const limit = limitMib * mebibyte
  if ([...files.values()].some(({ size }) => size > limit)) {
    throw badRequest(
      sentSentence('The {name} is larger than the limit of {count} MiB.', {
        name: what,
        count: limitMib,
      }),
      {
        parameter: 'file',
      },
    )
  }
  return await server.files.putFor(takeOut(files), limit, async ({ hash, size }) => {
    const picture = await probeFile(size, partsOf(server.files, hash))
    return await use({ hash, picture, accountId: user.id, signal })
  })
}

/** The contents of the file, which the request no longer holds once they are read. */
async function* takeOut(files: Files) {
  for (const [name, file] of files) {
    files.delete(name)
    yield* file.stream()
  }
}

/** Reads a stored file, for `probeFile`. */
export function partsOf(files: FileStore, hash: string) {
  return async (start: number, length: number) =>
    (await files.readPart(hash, start, length)) ?? new Uint8Array()
}

const mebibyte = 1024 * 1024

/** The largest body of a request with a picture, in bytes: the file and the multipart overhead. */
export function pictureBodyLimit(limitMib: number): number {
  return (limitMib + 1) * mebibyte
}
