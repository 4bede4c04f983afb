import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

interface Locked {
  readonly resolved?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
)
const packages = Object.entries(lock.packages)

/** Whether the package at a path finds a dependency beside itself or beside one that holds it. */
function finds(path: string, name: string): boolean {
  if (Object.hasOwn(lock.packages, `${path}${path && '/'}node_modules/${name}`)) return true
  return path !== '' && finds(path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/'))), name)
}

test('every dependency is locked, including those for other platforms: "npm ci" needs them', () => {
  const missing = packages.flatMap(([path, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !finds(path, name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(missing, [])
})

interface Manifest {
  readonly files: readonly string[]
  readonly bin: object
  readonly exports: { readonly '.': object }
  readonly dependencies?: object
}
const { files, bin, exports, dependencies }: Manifest = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

test('"npm pack" includes the program and its types', () => {
  const named = [...Object.values(bin), ...Object.values(exports['.'])].map((path) =>
    path.replace(/^\.\//, ''),
  )
  assert.deepEqual([...new Set(named)].sort(), files)
})

test('what "npm pack" makes needs no other package, because the program has them in it', () => {
  assert.deepEqual(dependencies, undefined)
})

test('the lock file names only the npm registry, which npm replaces by the configured one', () => {
  const elsewhere = packages.filter(
    ([, { resolved }]) => resolved && !resolved.startsWith('https://registry.npmjs.org/'),
  )
  assert.deepEqual(elsewhere, [])
})
