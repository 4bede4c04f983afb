import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { oldestBrowsers } from '#features/web/web-client/old-browsers.ts'
import { engineNames, everywhere, type Feature, features, tooNew } from './features.ts'

const root = new URL('../../../', import.meta.url)
const read = (folder: string, kind: RegExp) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => kind.test(file))
    .map((file) => readFileSync(new URL(folder + file, root), 'utf8'))

const styles = read('src/client/styles/', /\.css$/)
  .join('\n')
  // Neither comments and texts, nor colors and characters in digits.
  .replace(/\/\*.*?\*\/|"[^"]*"|'[^']*'|#[\da-f]+\b|U\+[\da-f?-]+/gis, '')
const scripts = read('src/client/', /\.tsx?$/)
  .join('\n')
  .replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')

/** What the styles use: properties, `@rules`, `:pseudo-classes`, `functions()` and `1units`. */
function usedIn(css: string): Set<string> {
  const found = (pattern: RegExp, name: (each: string) => string) =>
    [...css.matchAll(pattern)].map(([, each = '']) => name(each))
  return new Set([
    ...found(/(?<=[{;]\s*)([a-z-]+)(?=\s*:)/g, (each) => each).filter((each) => !/^--/.test(each)),
    ...found(/@([a-z-]+)(?![\w/-])/g, (each) => `@${each}`),
    ...[...css.matchAll(/[^{};]+(?=\{)/g)].flatMap(
      ([selector]) => selector.match(/::?[a-z-]+/g) ?? [],
    ),
    ...found(/(?<![\w:-])([a-z][a-z-]*)(?=\()/g, (each) => `${each}()`),
    ...found(/\d([a-z]+)\b(?!-)/g, (each) => `1${each}`),
  ])
}

const required = features.filter(({ without }) => without === undefined)
const isIn = ({ since }: Feature, engine: number) =>
  (since[engine] ?? Infinity) <= Number(Object.values(oldestBrowsers)[engine])

describe('the oldest browsers', () => {
  test('have all that the styles use, or something is said of those that do not', () => {
    const known = new Set([...everywhere.split(/\s+/), ...features.map(({ name }) => name)])
    assert.deepEqual([...usedIn(styles)].filter((name) => !known.has(name)).sort(), [])
  })

  test('have all that the scripts use', () => {
    for (const name of tooNew) assert.equal(scripts.includes(name), false, name)
  })

  test('have each feature that the client cannot do without', () => {
    for (const feature of required) {
      const lacking = engineNames.filter((_, engine) => !isIn(feature, engine))
      assert.deepEqual(lacking, [], feature.name)
    }
  })

  test('are no newer than the client needs', () => {
    const needed = engineNames.map((_, engine) =>
      Math.max(...required.map(({ since }) => since[engine] ?? Infinity)),
    )
    assert.deepEqual(needed, Object.values(oldestBrowsers).map(Number))
  })

  test('are in the table for what is used, and say what replaces what one of them lacks', () => {
    const used = usedIn(styles)
    for (const feature of features) {
      const { name, pattern, without } = feature
      assert.ok(pattern ? pattern.test(scripts) : used.has(name), `${name} is not used`)
      const isEverywhere = engineNames.every((_, engine) => isIn(feature, engine))
      assert.equal(without !== undefined, !isEverywhere, name)
    }
  })

  test('are those that the documentation names', () => {
    const readme = readFileSync(new URL('README.md', root), 'utf8')
    const [, section = ''] = /^## Browsers\n(.*?)^## /ms.exec(readme) ?? []
    for (const [name, release] of Object.entries(oldestBrowsers)) {
      assert.ok(section.includes(`${name.replace(', ', ' and ')} ${release}`), name)
    }
  })
})
