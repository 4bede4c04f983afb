import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { packTar, type TarHeader } from 'modern-tar'
import { ZipFile } from 'yazl'

/** The files of an export by their paths. */
export type Files = Readonly<Record<string, string | Uint8Array>>

/** The bytes of a tar archive. */
export async function tarOf(
  files: Files,
  further: readonly { readonly header: TarHeader; readonly body?: string | Uint8Array }[] = [],
): Promise<Uint8Array> {
  const entries = Object.entries(files).map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body), type: 'file' as const },
    body,
  }))
  return await packTar([...entries, ...further])
}

export async function writeTarGz(path: string, files: Files): Promise<string> {
  writeFileSync(path, gzipSync(await tarOf(files), { level: 1 }))
  return path
}

/** @param modes Unix modes of files that are not plain ones */
export async function writeZip(
  path: string,
  files: Files,
  modes: Readonly<Record<string, number>> = {},
): Promise<string> {
  const zip = new ZipFile()
  for (const [name, body] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(body), name, { mode: modes[name] ?? 0o100644 })
  }
  zip.end()
  await pipeline(zip.outputStream as Readable, createWriteStream(path))
  return path
}

export function writeFolder(path: string, files: Files): string {
  for (const [name, body] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), body)
  }
  return path
}
