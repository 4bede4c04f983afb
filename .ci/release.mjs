// What a release page has, made by `npm run build` from the two programs: an archive of the
// executable, a package to install with npm, a bill of materials, and the sums of all.
import { spawnSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'

/**
 * @param out the folder with the programs
 * @param work a folder for drafts
 * @param contents the bundled packages, with Parley itself as the first
 * @param licences their texts
 */
export async function makeRelease({ root, out, work, contents, licences }) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `parley-${version}-${process.platform}-${process.arch}`
  const texts = {
    'README.md': readFileSync(join(root, 'README.md')),
    LICENSE: readFileSync(join(root, 'LICENSE')),
    'THIRD-PARTY-LICENCES.txt': Buffer.from(licences),
  }
  const made = {
    [`${name}.tar.gz`]: await archive(name, join(out, 'parley'), texts),
    [`parley-${version}.cdx.json`]: Buffer.from(billOfMaterials(contents)),
    [`${name}.tgz`]: npmPackage(root, out, join(work, 'npm'), texts),
  }
  const sums = Object.entries(made).map(([file, bytes]) => {
    writeFileSync(join(out, file), bytes)
    return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`
  })
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''))
}

async function archive(name, executable, texts) {
  const file = (path, body, mode) => ({
    header: { name: `${name}/${path}`, size: body.length, mode, type: 'file', mtime: new Date(0) },
    body,
  })
  const entries = Object.entries(texts).map(([path, body]) => file(path, body, 0o644))
  const packed = await packTar([file('parley', readFileSync(executable), 0o755), ...entries])
  return gzipSync(packed, { level: 6 })
}

/** Node's API version of the addon in it decides which releases of Node the package runs on. */
function npmPackage(root, out, folder, texts) {
  const { name, version, description, license } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const major = Number(process.versions.node.split('.')[0])
  mkdirSync(folder)
  for (const file of ['parley.cjs', 'parley.d.cts'])
    copyFileSync(join(out, file), join(folder, file))
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text)
  const manifest = {
    name,
    version,
    description,
    license,
    bin: { parley: 'parley.cjs' },
    exports: { '.': { types: './parley.d.cts', default: './parley.cjs' } },
    engines: { node: `>=${process.versions.node} <${major + 1}` },
    os: [process.platform],
    cpu: [process.arch],
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent'], {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
  return readFileSync(join(folder, stdout.trim().split('\n').at(-1)))
}

/** What the programs contain. @source CycloneDX 1.5 */
function billOfMaterials([parley, ...packages]) {
  const component = ({ name, version, license }) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license && { licenses: [{ expression: license }] }),
  })
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { component: { type: 'application', name: parley.name, version: parley.version } },
    components: [
      ...packages.map(component),
      {
        type: 'platform',
        name: 'node',
        version: process.versions.node,
        purl: `pkg:generic/node@${process.versions.node}`,
      },
    ],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}
