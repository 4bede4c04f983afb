// `node .ci/node.cjs PROGRAM [argument ...]` runs a program of this checkout on the Node that `npm ci`
// brought, or on the installed one where npm has none for the platform. Written for every Node that npm
// runs on. Not left to `node_modules/.bin/node`: npm before 11.6 removes that link together with the
// packages for other platforms.
const { spawn } = require('node:child_process')
const { join } = require('node:path')

const root = join(__dirname, '..')
const { engines, optionalDependencies } = require('../package.json')

/** The path of the Node that was installed for this platform. */
function findNode() {
  for (const name of Object.keys(optionalDependencies)) {
    const folder = join(root, 'node_modules', name)
    try {
      const { os, cpu, bin } = require(join(folder, 'package.json'))
      if (os === process.platform && cpu === process.arch) return join(folder, bin.node)
    } catch (error) {
      if (error.code !== 'MODULE_NOT_FOUND') throw error
    }
  }
  return undefined
}

function isTooOld() {
  const oldest = engines.node.replace('>=', '').split('.').map(Number)
  const own = process.versions.node.split('.').map(Number)
  return own[0] < oldest[0] || (own[0] === oldest[0] && own[1] < oldest[1])
}

const node = findNode()
if (!node && isTooOld()) {
  console.error(
    `This needs Node ${engines.node}, and ${process.version} is installed. npm has none for ` +
      `${process.platform} ${process.arch}, or "npm ci" was not run.`,
  )
  process.exit(1)
}
const child = spawn(node || process.execPath, ['--import', 'tsx', ...process.argv.slice(2)], {
  stdio: 'inherit',
})
// A terminal sends its signals to both, also when it closes.
for (const signal of ['SIGINT', 'SIGQUIT', 'SIGHUP']) process.on(signal, () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
// npm does not pass on the signal that ends it.
const parent = process.ppid
if (process.env.npm_lifecycle_event) {
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500).unref()
}
child.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  process.exitCode = code === null ? 1 : code
})
