import type { createTarPacker } from 'modern-tar'
import { modernTar } from '#platform/files/lazy.cjs'

/** A file to add to an archive. */
export interface TarEntry {
  /** With slashes between folders. */
  readonly path: string
  /** In bytes; exactly the length of `contents`. */
  readonly size: number
  readonly contents: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * Streams a tar archive of these files, at the pace of its reader.
 *
 * @param time the modification time of all files, in seconds since the epoch
 */
export function tar(entries: AsyncIterable<TarEntry>, time: number): ReadableStream<Uint8Array> {
  const { readable, controller } = modernTar().createTarPacker()
  addAll(controller, entries, new Date(time * 1000)).catch((error) => controller.error(error))
  return readable
}

async function addAll(
  controller: ReturnType<typeof createTarPacker>['controller'],
  entries: AsyncIterable<TarEntry>,
  mtime: Date,
): Promise<void> {
  for await (const { path, size, contents } of entries) {
    const writer = controller
      .add({ name: path, size, mtime, type: 'file', mode: 0o644 })
      .getWriter()
    for await (const part of contents) await writer.write(part)
    await writer.close()
  }
  controller.finalize()
}
