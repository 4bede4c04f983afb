import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Bundler } from './bundle.ts'
import { buildExecutable, bundleExecutable, type ExecutableParts } from './executable.ts'
import { bundleNodeFile, writeNodeFile } from './node-file.ts'
import { makeRelease, type Release } from './release.ts'
import { root } from './repository.ts'
import { executableName, isHost, nodeOf, type Target, targets } from './targets.ts'

interface Options {
  readonly out: string
  readonly isDraft: boolean
  /** The platforms that a release is made for; none: no release. */
  readonly released: readonly Target[]
  /** Where the release will be downloaded, as far as that is known. */
  readonly url: string | undefined
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      draft: { type: 'boolean', default: false },
      release: { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      target: { type: 'string', multiple: true, default: [] },
      url: { type: 'string' },
    },
  })
  const { draft, release, all, target, url } = values
  for (const name of target) {
    if (targets.some((each) => each.name === name)) continue
    throw new Error(`There is no target ${name}, only ${targets.map((each) => each.name)}.`)
  }
  return {
    out: resolve(positionals[0] ?? join(root, 'dist')),
    isDraft: draft,
    released: targets.filter(
      (each) => all || target.includes(each.name) || (release && isHost(each)),
    ),
    url,
  }
}

/** Why no executable can be made by the Node that runs this; undefined if one can. */
function problemWithExecutables(): string | undefined {
  const host = targets.find(isHost)
  const pinned = host && nodeOf(host).version
  if (!pinned) return `npm has no Node for ${process.platform} ${process.arch}`
  if (pinned === process.versions.node) return undefined
  return `Node ${pinned} makes them: use "npm run build"`
}

export async function build(): Promise<void> {
  const { out, isDraft, released, url } = readOptions()
  mkdirSync(out, { recursive: true })
  // On the same file system as the results, so that they can be renamed into place.
  const work = mkdtempSync(join(out, '.work-'))
  try {
    const bundler = new Bundler(isDraft)
    const client = await bundler.client()
    const nodeFile = await bundleNodeFile(bundler, client)
    writeNodeFile(nodeFile, bundler, join(out, 'parley.cjs'))
    copyFileSync(join(root, 'src/program/parley.d.cts'), join(out, 'parley.d.cts'))
    say(join(out, 'parley.cjs'))
    const problem = problemWithExecutables()
    if (problem) {
      console.log(`No executable: ${problem}.`)
      if (released.length > 0) throw new Error('A release has executables.')
      return
    }
    const parts = await bundleExecutable(bundler, client)
    console.log(`A start loads ${parts.source.length} bytes of script, ${parts.modules} modules.`)
    const executables = new Map<Target, string>()
    for (const target of targets.filter((each) => isHost(each) || released.includes(each))) {
      executables.set(target, await executableFor(target, parts, out, work))
    }
    if (released.length === 0) return
    const release: Release = {
      folder: join(out, 'release'),
      work,
      executables: new Map([...executables].filter(([target]) => released.includes(target))),
      nodeFile,
      contents: bundler.contents(),
      url,
    }
    for (const file of await makeRelease(release)) say(file)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Makes an executable: that of this platform at the top, those of others in folders. */
async function executableFor(target: Target, parts: ExecutableParts, out: string, work: string) {
  const folder = isHost(target) ? out : join(out, target.name)
  const drafts = join(work, target.name)
  for (const each of [folder, drafts]) mkdirSync(each, { recursive: true })
  const file = join(folder, executableName(target))
  await buildExecutable(target, parts, file, drafts)
  rmSync(drafts, { recursive: true })
  say(file, `Node ${nodeOf(target).version}`)
  return file
}

function say(file: string, more = ''): void {
  console.log(
    `${relative('', file)}  ${(statSync(file).size / 1e6).toFixed(1)} MB ${more}`.trimEnd(),
  )
}
