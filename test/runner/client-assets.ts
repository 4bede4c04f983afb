import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { type AssetFile, typeOf } from '#features/web/web-client/asset-file.ts'
import type { ClientAssets } from '#features/web/web-client/assets.ts'
import { bundleClient, type ClientEntries } from '#features/web/web-client/bundle.ts'

// A run with stories in a browser bundles the web client once, instead of once in each process that
// a browser asks for it.

interface Manifest {
  readonly entries: ClientEntries
  readonly names: readonly string[]
}

const manifestName = 'manifest.json'
const folderIn = (bundle: string) => join(bundle, 'client')

/** Bundles the client into a folder of the bundle of tests. @param root the top of the repository */
export async function writeClientAssets(root: string, bundle: string): Promise<void> {
  const folder = folderIn(bundle)
  mkdirSync(folder, { recursive: true })
  const { files, entries } = await bundleClient(build, root)
  for (const [name, bytes] of files) writeFileSync(join(folder, name), bytes)
  const manifest: Manifest = { entries, names: [...files.keys()] }
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest))
}

/** What `assets.ts` exports, from a bundle of tests. */
export function clientAssetsIn(bundle: string) {
  let assets: ClientAssets | undefined
  const load = () => (assets ??= readClientAssets(folderIn(bundle)))
  return {
    loadClientAssets: async (): Promise<ClientAssets> => load(),
    findClientFile: async (name: string): Promise<AssetFile | undefined> => load().files.get(name),
  }
}

function readClientAssets(folder: string): ClientAssets {
  const { entries, names } = JSON.parse(
    readFileSync(join(folder, manifestName), 'utf8'),
  ) as Manifest
  const fileOf = (name: string) => ({ type: typeOf(name), bytes: readFileSync(join(folder, name)) })
  return { entries, files: new Map(names.map((name) => [name, fileOf(name)])) }
}
