import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bundler, narrow, vips } from './bundle.ts'
import { sha256 } from './executable.ts'
import { licences } from './licences.ts'
import {
  addonPlaceholders,
  clientModule,
  fileAddonModule,
  type PackedClient,
  packedAddonPlaceholder,
  pictureModule,
} from './modules.ts'
import { assetNames } from './programs/names.ts'
import { hostAddon } from './targets.ts'

const entry = `#!/usr/bin/env node
import './.build/programs/node-check.ts'
import './.build/programs/loading.ts'
import { run } from './src/program/cli/run.ts'
export { createServer } from './src/program/server.ts'
if (require.main === module) run()`

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** The function that gives what the file keeps, by its name. */
const reader = 'parleyKept'

const changedByBundler =
  'Comments of parley.cjs are gone that the program reads: leave the file out of bundles.'

/**
 * Source code of the reader and of what it reads, one a line, in comments: V8 skips these, while it
 * would read each literal at every start and keep those of most as another copy. The reader takes them
 * from the source that V8 has anyway, as another version may lie in the place of the file by then. What
 * bundles the file into another takes comments out, and is told so.
 */
function keptLines(kept: ReadonlyMap<string, string>): string {
  const names = [...kept.keys()].sort()
  return `
function ${reader}(name) {
  const text = ${reader}Lines.toString(), at = text.indexOf('\\n//' + name + ' ')
  if (at < 0) throw new Error('${changedByBundler}')
  const start = at + name.length + 4
  return text.slice(start, text.indexOf('\\n', start))
}
function ${reader}Lines() {
${names.map((name) => `//${name} ${kept.get(name)}\n`).join('')}}
`
}

/** The program as one file for Node, which also exports `createServer`; without an addon. */
export async function bundleNodeFile(bundler: Bundler, client: PackedClient): Promise<string> {
  const kept = new Map([[assetNames.addon as string, packedAddonPlaceholder as string]])
  const bytesOf = (name: string, bytes: Uint8Array) => {
    kept.set(name, base64(bytes))
    return `Buffer.from(${reader}('${name}'), 'base64')`
  }
  const packed = (name: string, file: string) =>
    bytesOf(name, bundler.compress(readFileSync(join(vips, file))))
  const { source } = await bundler.program(entry, {
    addon: fileAddonModule(`${reader}('${assetNames.addon}')`),
    pictures: pictureModule(
      `require('node:zlib').brotliDecompressSync(${packed(assetNames.vips, 'vips-node.js')}).toString()`,
      // The worker thread unpacks it, off the main thread.
      packed(assetNames.vipsWasm, 'vips.wasm'),
      true,
    ),
    assets: clientModule(client, bytesOf),
    bytesOf,
  })
  const text = licences(bundler.contents()).replaceAll('*/', '* /')
  // Node reads a file fast up to its first character beyond ASCII, which names in licences have.
  return source + keptLines(kept) + narrow(`/*\nThis file contains:\n\n${text}*/\n`, 'latin1')
}

/** Writes the file with the addon of this platform inside. */
export function writeNodeFile(source: string, bundler: Bundler, outfile: string): void {
  const addon = readFileSync(hostAddon())
  const whole = source
    .replace(packedAddonPlaceholder, base64(bundler.compress(addon)))
    .replace(addonPlaceholders.sha256, sha256(addon))
    .replace(addonPlaceholders.target, `${process.platform}-${process.arch}`)
  writeFileSync(outfile, whole)
  chmodSync(outfile, 0o755)
}

/** The same file for the npm package, which has the addons of all platforms beside it. */
export function packagedNodeFile(source: string): string {
  return source.replace(packedAddonPlaceholder, '')
}
