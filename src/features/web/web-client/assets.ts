import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AssetFile, typeOf } from './asset-file.ts'
import { bundleClient, type ClientEntries } from './bundle.ts'

/** The files that the browser loads. */
export interface ClientAssets {
  readonly entries: ClientEntries
  readonly files: ReadonlyMap<string, AssetFile>
}

/** Made once in a process, however many servers it starts, and only when a browser asks. */
let built: { readonly assets: Promise<ClientAssets>; readonly sources: Sources } | undefined

/** The last change of each source file, by its path; empty until they are known. */
type Sources = Map<string, number>

/**
 * Bundles the client from its sources, and again once one of them has changed. The build replaces
 * this module by one that contains the assets.
 *
 * @throws Error of esbuild, with the mistake and its line
 */
export async function loadClientAssets(): Promise<ClientAssets> {
  if (built && !hasChanged(built.sources)) return await built.assets
  const sources: Sources = new Map()
  const assets = build(sources)
  built = { assets, sources }
  // A mistake in a source is reported again with each request, until it is fixed.
  assets.catch(() => {
    built = undefined
  })
  return await assets
}

/**
 * A file of the client by its name, which says what it contains: if the last bundle has it, the
 * sources are not checked for changes.
 */
export async function findClientFile(name: string): Promise<AssetFile | undefined> {
  const known = (await built?.assets)?.files.get(name)
  return known ?? (await loadClientAssets()).files.get(name)
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))

async function build(sources: Sources): Promise<ClientAssets> {
  const esbuild = await import('esbuild')
  const { files, entries, inputs } = await bundleClient(esbuild.build, root)
  for (const input of inputs) {
    const path = join(root, input)
    sources.set(path, changedAt(path))
  }
  return {
    entries,
    files: new Map([...files].map(([name, bytes]) => [name, { type: typeOf(name), bytes }])),
  }
}

function hasChanged(sources: Sources): boolean {
  return [...sources].some(([path, time]) => changedAt(path) !== time)
}

/** 0: the file is gone. */
function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
