import { badRequest } from '#errors.ts'

/**
 * The one file of a multipart request, whatever its part is called.
 *
 * @param what for the error: `avatar`
 * @param limitMib its largest size
 * @throws BAD_REQUEST no file, several, or one that is too large
 */
export async function receivedPicture(
  files: ReadonlyMap<string, File>,
  what: string,
  limitMib: number,
): Promise<Uint8Array> {
  const [file, ...more] = files.values()
  if (!file || more.length > 0) throw badRequest(`Exactly one file must be sent as the ${what}.`)
  if (file.size > limitMib * mebibyte) {
    throw badRequest(`The ${what} is larger than the limit of ${limitMib} MiB.`)
  }
  return new Uint8Array(await file.arrayBuffer())
}

const mebibyte = 1024 * 1024

/** The largest body of such a request, in bytes: the file and what is around it. */
export function pictureBodyLimit(limitMib: number): number {
  return (limitMib + 1) * mebibyte
}
