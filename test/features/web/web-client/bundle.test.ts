import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ChevronRight, Palette, Trash2, UserCog } from 'lucide'
import { bundleClient } from '#features/web/web-client/bundle.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const { files, entries, inputs } = await bundleClient(build, root)

/** The size of files as browsers load them, in KiB. */
function kib(...names: readonly string[]): number {
  const sizes = names.map((name) => gzipSync(files.get(name) ?? '', { level: 9 }).length)
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

test('the browser gets the client, what both sides share and packages, and nothing of the server', () => {
  const foreign = inputs.filter(
    (path) =>
      !path.startsWith('src/client/') &&
      !path.startsWith('src/shared/') &&
      path !== 'src/translations/translate.ts' &&
      !path.includes('node_modules/'),
  )
  assert.deepEqual(foreign, [])
})

test('the packages are those of the client', () => {
  const packages = inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  const known = [
    '@fontsource-variable/inter',
    '@preact/signals',
    '@preact/signals-core',
    'katex',
    'lucide',
    'preact',
    'uqr',
  ]
  // Part of a file that is loaded with the first large upload.
  const resumable = ['js-base64', 'querystringify', 'requires-port', 'tus-js-client', 'url-parse']
  const found = new Set(packages)
  found.delete(undefined)
  assert.deepEqual([...found].sort(), [...known, ...resumable].sort())
})

test('the first load is at most 80 KiB of JavaScript and 15 of CSS, compressed', (t) => {
  const script = kib(entries.first, entries.script) + gzipSync(entries.inline).length / 1024
  const style = kib(entries.style)
  t.diagnostic(`${script.toFixed(1)} KiB of JavaScript, ${style.toFixed(1)} KiB of CSS`)
  assert.ok(script <= 80, `JavaScript: ${script} KiB`)
  assert.ok(style <= 15, `CSS: ${style} KiB`)
})

test('what every page loads is at most 120 KiB of JavaScript, in five files', () => {
  const stages = [...files.keys()].filter((name) => /^(main|bar|box|rest)-/.test(name))
  assert.equal(stages.length, 4)
  const size = kib(entries.first, ...stages) + gzipSync(entries.inline).length / 1024
  assert.ok(size <= 120, `${size} KiB`)
})

test('the program alone begins with the hint to compile all of it while it arrives', () => {
  const hint = '//# allFunctionsCalledOnLoad\n'
  const texts = [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()] as const)
  const hinted = texts.filter(([, text]) => text.includes(hint))
  assert.deepEqual(
    hinted.map(([name, text]) => [name, text.startsWith(hint)]),
    [[entries.script, true]],
  )
})

test('what every page loads names each file that it takes something from once', () => {
  const stages = [...files].filter(([name]) => /^(bar|box|rest|keys|write|act)-/.test(name))
  const taken = stages.map(([, bytes]) =>
    [
      ...Buffer.from(bytes)
        .toString()
        .matchAll(/\bfrom"(\.\/[^"]+)"/g),
    ].map(([, file]) => file),
  )
  assert.ok(taken.every((each) => each.length > 0 && new Set(each).size === each.length))
})

test('one place alone imports what is loaded later, once it was fetched', () => {
  const importing = [...files].filter(([name, bytes]) => {
    return name.endsWith('.js') && /\bimport\(/.test(Buffer.from(bytes).toString())
  })
  assert.deepEqual(
    importing.map(([name]) => name),
    [entries.first],
  )
})

test('an icon is loaded with the parts that show it, and never alone', () => {
  const text = (name: string) => Buffer.from(files.get(name) ?? []).toString()
  const scripts = [...files.keys()].filter((name) => name.endsWith('.js'))
  const shapes = (icon: typeof Palette) => icon.map(([, { d }]) => d).filter((d) => d !== undefined)
  const withIcon = (icon: typeof Palette) =>
    scripts.filter((name) => shapes(icon).every((d) => text(name).includes(`"${d}"`)))
  for (const later of [Palette, UserCog, Trash2]) {
    const found = withIcon(later)
    assert.notDeepEqual(found, [])
    assert.ok(!found.includes(entries.script))
  }
  assert.deepEqual(withIcon(ChevronRight).includes(entries.script), true)
  const alone = scripts.filter(
    (name) => text(name).includes('["path"') && !/import|function|=>/.test(text(name)),
  )
  assert.deepEqual(alone, [])
})

test('the font is at most 120 KiB in all its styles, and text is readable while it loads', () => {
  const text = Buffer.from(files.get(entries.style) ?? []).toString()
  const faces = text.match(/@font-face\{[^}]*\}/g) ?? []
  const named = faces.map((face) => /client\/([\w.-]+\.woff2)/.exec(face)?.[1] ?? '')
  assert.equal(faces.length, 2)
  for (const face of faces) assert.match(face, /font-display:swap/)
  const bytes = named.reduce((sum, name) => sum + (files.get(name)?.length ?? Infinity), 0)
  assert.ok(bytes <= 120 * 1024, `${bytes} bytes`)
})

test('no part that is loaded later is over 40 KiB', (t) => {
  const first = new Set([entries.first, entries.script, entries.style])
  const later = [...files.keys()].filter((name) => /\.(js|css)$/.test(name) && !first.has(name))
  const sizes = later.map((name) => [name, kib(name)] as const)
  for (const [name, size] of sizes) t.diagnostic(`${name}: ${size.toFixed(1)} KiB`)
  assert.deepEqual(
    sizes.filter(([, size]) => size > 40),
    [],
  )
})

test('every file that a script or a style names is there', () => {
  const texts = [...files].filter(([name]) => /\.(js|css)$/.test(name))
  const named = texts.flatMap(([, bytes]) =>
    [
      ...Buffer.from(bytes)
        .toString()
        .matchAll(/\/static\/client\/([\w.-]+)/g),
    ].map(([, name = '']) => name),
  )
  assert.deepEqual(
    named.filter((name) => !files.has(name) && /\./.test(name)),
    [],
  )
  assert.ok(named.some((name) => name.endsWith('.woff2')))
})
