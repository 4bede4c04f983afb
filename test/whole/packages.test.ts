import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'

interface Locked {
  readonly version?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly os?: string
  readonly libc?: readonly string[]
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

describe('the Node that a checkout brings', () => {
  const { optionalDependencies = {} } = lock.packages[''] ?? {}
  const nodes = Object.entries(optionalDependencies)

  test('is one release for each platform, with its hash', () => {
    assert.ok(nodes.length > 0)
    for (const [name, version] of nodes) {
      assert.match(version, /^\d+\.\d+\.\d+$/, name)
      const locked = lock.packages[`node_modules/${name}`]
      assert.equal(locked?.version, version, name)
      assert.match(String(locked?.integrity), /^sha512-/, name)
    }
  })

  test('is skipped where it cannot run: on a Linux without glibc', () => {
    const onLinux = nodes.map(([name]) => lock.packages[`node_modules/${name}`])
    for (const locked of onLinux) {
      // Not in the manifests of these packages, so written into the lock file by hand.
      if (locked?.os === 'linux') assert.deepEqual(locked.libc, ['glibc'])
    }
  })

  test('is what runs the tests, where it is installed', () => {
    const name = `node-${process.platform}-${process.arch}`
    const version = optionalDependencies[name]
    if (version && existsSync(new URL(`../../node_modules/${name}`, import.meta.url))) {
      assert.equal(process.versions.node, version)
    }
  })
})

test('no library is installed with the program, because the build puts them into it', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
})

test('the lock file names only the npm registry, which npm replaces by the configured one', () => {
  const elsewhere = packages.filter(
    ([, { resolved }]) => resolved && !resolved.startsWith('https://registry.npmjs.org/'),
  )
  assert.deepEqual(elsewhere, [])
})
