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
import { hostAddon } from './targets.ts'

const entry = `#!/usr/bin/env node
import './.build/programs/node-check.ts'
import './.build/programs/loading.ts'
import { run } from './src/program/cli/run.ts'
export { createServer } from './src/program/server.ts'
if (require.main === module) run()`

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const literal = (bytes: Uint8Array) => `Buffer.from('${base64(bytes)}', 'base64')`

/** The program as one file for Node, which also exports `createServer`; without an addon. */
export async function bundleNodeFile(bundler: Bundler, client: PackedClient): Promise<string> {
  const packed = (bytes: Uint8Array) => literal(bundler.compress(bytes))
  const { source } = await bundler.program(entry, {
    addon: fileAddonModule(),
    pictures: pictureModule(
      JSON.stringify(readFileSync(join(vips, 'vips-node.js'), 'utf8')),
      // The worker thread unpacks it, off the main thread.
      packed(readFileSync(join(vips, 'vips.wasm'))),
      true,
    ),
    assets: clientModule(client, (_name, bytes) => literal(bytes)),
    bytesOf: (_name, bytes) => literal(bytes),
  })
  const text = licences(bundler.contents()).replaceAll('*/', '* /')
  return source + narrow(`/*\nThis file contains:\n\n${text}*/\n`)
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
