import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { packTar } from 'modern-tar'
import { ZipFile } from 'yazl'
import { parleyVersion } from '../src/platform/version.ts'
import { containerfile, systemdUnit } from '../src/program/cli/service.ts'
import { vips } from './bundle.ts'
import { sha256 } from './executable.ts'
import { type BundledPackage, licences } from './licences.ts'
import { packagedNodeFile } from './node-file.ts'
import { fail, root } from './repository.ts'
import { canSign, publicReleaseKey, signatureOf } from './signing.ts'
import { executableName, listAddons, nodeOf, type Target } from './targets.ts'
import { type Trial, verify } from './verify.ts'

/** What a release is made from. */
export interface Release {
  readonly folder: string
  /** A folder for drafts. */
  readonly work: string
  /** The paths of executables. */
  readonly executables: ReadonlyMap<Target, string>
  readonly nodeFile: string
  readonly contents: readonly BundledPackage[]
  /** Where all of it will be downloaded, as far as that is known. */
  readonly url: string | undefined
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly engines: object
}

/** What is beside the program in every archive and in the npm package. */
type Texts = ReadonlyMap<string, Buffer>

const defaultPort = 9990

/** Makes the files of a release page. @returns their paths */
export async function makeRelease(release: Release): Promise<string[]> {
  const { folder, executables, contents, nodeFile, work } = release
  const manifest: Manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { version } = manifest
  if (version !== parleyVersion) {
    fail(`package.json has version ${version}, and src/platform/version.ts ${parleyVersion}.`)
  }
  const texts: Texts = new Map([
    ['README.md', readFileSync(join(root, 'README.md'))],
    ['LICENSE', readFileSync(join(root, 'LICENSE'))],
    ['THIRD-PARTY-LICENCES.txt', Buffer.from(licences(contents))],
  ])
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const summed = new Map<string, Buffer>()
  const trials = new Map<Target, Trial>()
  for (const [target, file] of executables) {
    trials.set(target, verify(target, file))
    summed.set(archiveName(version, target), await archive(version, target, file, texts))
  }
  const npmName = `parley-${version}.tgz`
  summed.set(npmName, npmPackage(manifest, nodeFile, texts, join(work, 'npm')))
  summed.set(`parley-${version}.cdx.json`, Buffer.from(billOfMaterials(contents, executables)))
  summed.set('release.json', Buffer.from(`${JSON.stringify({ version })}\n`))
  const key = publicReleaseKey()
  const others = new Map<string, string>([
    ['parley.service', systemdUnit(['/usr/local/bin/parley'], undefined)],
    ['install.sh', template('install.sh', { VERSION: version, URL: release.url ?? '', KEY: key })],
    ['Containerfile', releasedContainerfile(version)],
    ['NOTES.md', notes(version, npmName, summed, trials)],
  ])
  const formula = release.url && homebrewFormula(version, release.url, summed, executables)
  if (formula) others.set('parley.rb', formula)
  for (const [name, text] of others) summed.set(name, Buffer.from(text))
  const sums = Buffer.from(
    [...summed].map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`).join(''),
  )
  const signature = signatureOf(sums)
  const files = new Map([...summed, ['SHA256SUMS', sums]])
  if (signature) files.set('SHA256SUMS.sig', signature)
  else console.log('This release is not signed: PARLEY_SIGNING_KEY has no key.')
  for (const [name, contents] of files) writeFileSync(join(folder, name), contents)
  return [...files.keys()].map((name) => join(folder, name))
}

/** A file of `.build/release/`, filled in. @param values what stands for `@NAME@` */
function template(name: string, values: Readonly<Record<string, string>>): string {
  const text = readFileSync(join(root, '.build/release', name), 'utf8')
  return text.replace(/@([A-Z][\w:-]*)@/g, (placeholder, key) => {
    return values[key] ?? fail(`${name} has ${placeholder}, for which there is no value.`)
  })
}

function archiveName(version: string, { name, platform }: Target): string {
  return `parley-${version}-${name}.${platform === 'win32' ? 'zip' : 'tar.gz'}`
}

async function archive(
  version: string,
  target: Target,
  executable: string,
  texts: Texts,
): Promise<Buffer> {
  const folder = `parley-${version}-${target.name}`
  const program = [executableName(target), readFileSync(executable), 0o755] as const
  const others = [...texts].map(([name, bytes]) => [name, bytes, 0o644] as const)
  const files = [program, ...others]
  const mtime = new Date('1980-01-02')
  if (target.platform === 'win32') {
    const zip = new ZipFile()
    for (const [name, bytes, mode] of files) {
      zip.addBuffer(bytes, `${folder}/${name}`, { mtime, mode: mode | 0o100000 })
    }
    zip.end()
    return await buffer(zip.outputStream)
  }
  const entries = files.map(([name, body, mode]) => ({
    header: { name: `${folder}/${name}`, size: body.length, mode, type: 'file' as const, mtime },
    body,
  }))
  return gzipSync(await packTar(entries), { level: 6 })
}

/** One package for every platform: the file for Node, and the addons beside it. */
function npmPackage(
  { name, version, description, license, engines }: Manifest,
  nodeFile: string,
  texts: Texts,
  folder: string,
): Buffer {
  const addons = [...listAddons()].map(([addon, bytes]) => [`addons/${addon}`, bytes] as const)
  const manifest = {
    name,
    version,
    description,
    license,
    bin: { parley: 'parley.cjs' },
    exports: { '.': { types: './parley.d.cts', default: './parley.cjs' } },
    engines,
    files: ['parley.cjs', 'parley.d.cts', 'addons', 'THIRD-PARTY-LICENCES.txt'],
  }
  const files: readonly (readonly [string, string | Buffer])[] = [
    ['package.json', JSON.stringify(manifest, null, 2)],
    ['parley.cjs', packagedNodeFile(nodeFile)],
    ['parley.d.cts', readFileSync(join(root, 'src/program/parley.d.cts'))],
    ...texts,
    ...addons,
  ]
  mkdirSync(join(folder, 'addons'), { recursive: true })
  for (const [path, contents] of files) writeFileSync(join(folder, path), contents)
  // A shell, because npm is no program of its own on Windows.
  const { status, stdout, stderr } = spawnSync('npm pack --silent --ignore-scripts', {
    cwd: folder,
    encoding: 'utf8',
    shell: true,
  })
  if (status !== 0) fail(`npm pack failed: ${stderr}`)
  return readFileSync(join(folder, stdout.trim().split('\n').at(-1) ?? ''))
}

/** What the programs contain. @source CycloneDX 1.5 */
function billOfMaterials(
  [parley, ...packages]: readonly BundledPackage[],
  executables: Release['executables'],
): string {
  const component = ({ name, version, license }: BundledPackage) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license && { licenses: [{ expression: license }] }),
    ...hashesOf(name, version),
  })
  const nodes = new Set([...executables.keys()].map((target) => nodeOf(target).version))
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', name: parley?.name, version: parley?.version },
    },
    components: [
      ...packages.map(component),
      ...[...nodes].map((version) => ({
        type: 'platform',
        name: 'node',
        version,
        purl: `pkg:generic/node@${version}`,
      })),
      ...nativeLibraries().map(([name, version, inside]) => ({
        type: 'library',
        name,
        version,
        description: `in ${inside}`,
        purl: `pkg:generic/${name}@${encodeURIComponent(version)}`,
      })),
    ],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** What npm's lock file says about the archive of a package. */
function hashesOf(name: string, version: string) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const locked = packages[`node_modules/${name}`] as
    | { version: string; integrity?: string }
    | undefined
  const [, sum] = /^sha512-(\S+)$/.exec(locked?.integrity ?? '') ?? []
  if (sum === undefined || locked?.version !== version) return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(sum, 'base64').toString('hex') }] }
}

/** In files of wasm-vips that programs do not contain. */
const leftOut = new Set(['aom', 'heif', 'jxl', 'resvg'])

/** Libraries inside of others, which no package manager lists. */
function nativeLibraries(): [name: string, version: string, inside: string][] {
  const { node: _node, modules: _modules, napi: _napi, ...inNode } = process.versions
  const database = new Database(':memory:')
  const sqlite = database.prepare('SELECT sqlite_version()').pluck().get() as string
  database.close()
  const inPictures: Record<string, string> = JSON.parse(
    readFileSync(join(vips, '../versions.json'), 'utf8'),
  )
  const ofNode = Object.entries(inNode).flatMap(([name, version]): [string, string, string][] =>
    version ? [[name, version, `Node ${process.versions.node}`]] : [],
  )
  return [
    ['sqlite', sqlite, 'better-sqlite3'],
    ...ofNode,
    ...Object.entries(inPictures)
      .filter(([name]) => !leftOut.has(name))
      .map(([name, version]): [string, string, string] => {
        return [name === 'vips' ? 'libvips' : name, version, 'wasm-vips']
      }),
  ]
}

/** The container of the command line, with the executable from the archives. */
function releasedContainerfile(version: string): string {
  const lines = containerfile(defaultPort).split('\n')
  const image = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) =>
      line.replace(/^COPY --chmod=755 parley /, 'COPY --from=archive /release/parley '),
    )
    .join('\n')
  return template('Containerfile', {
    VERSION: version,
    PORT: String(defaultPort),
    IMAGE: image.trimEnd(),
  })
}

function notes(
  version: string,
  npmName: string,
  summed: ReadonlyMap<string, Buffer>,
  trials: ReadonlyMap<Target, Trial>,
): string {
  const rows = [...trials].map(([target, trial]) => {
    const name = archiveName(version, target)
    const size = `${((summed.get(name)?.length ?? 0) / 1e6).toFixed(0)} MB`
    return `| ${[name, target.name, nodeOf(target).version, size, trial].join(' | ')} |`
  })
  return template('NOTES.md', {
    VERSION: version,
    PACKAGE: npmName,
    SIGNATURE: canSign()
      ? 'SHA256SUMS names every file, and SHA256SUMS.sig is its Ed25519 signature. The key is in `install.sh`.'
      : 'SHA256SUMS names every file. This release is not signed.',
    PLATFORMS: rows.join('\n'),
  })
}

/** @returns undefined if the release lacks a platform that the formula names */
function homebrewFormula(
  version: string,
  url: string,
  summed: ReadonlyMap<string, Buffer>,
  executables: Release['executables'],
): string | undefined {
  const unix = [...executables.keys()].filter(({ platform }) => platform !== 'win32')
  if (unix.length < 4) return undefined
  const sums = unix.map((target) => {
    const bytes = summed.get(archiveName(version, target)) ?? fail(`No archive of ${target.name}.`)
    return [`SHA256:${target.name}`, sha256(bytes)]
  })
  const folder = url.endsWith('/') ? url : `${url}/`
  return template('parley.rb', { VERSION: version, URL: folder, ...Object.fromEntries(sums) })
}
