/**
 * The worker thread that checks a database. It runs from source text, because the single executable
 * has no file to start a thread from, and receives the source of better-sqlite3.
 */
const { parentPort, workerData } = require('node:worker_threads')

const { file, source, addon } = workerData

function loadDatabase() {
  const module = { exports: {} }
  new Function('module', 'exports', 'require', source)(module, module.exports, require)
  return module.exports
}

function loadAddon() {
  if (addon === undefined) return undefined
  const module = { exports: {} }
  process.dlopen(module, addon)
  return module.exports
}

const Database = loadDatabase()
function inspect() {
  const db = new Database(file, { nativeBinding: loadAddon(), fileMustExist: true })
  try {
    const found = db.prepare('PRAGMA integrity_check').pluck().all()
    const dangling = db.prepare('PRAGMA foreign_key_check').raw().all()
    return { found, dangling }
  } finally {
    db.close()
  }
}

// An error thrown here would arrive without its message, because SQLite's errors are not cloned as
// such.
let result
try {
  result = inspect()
} catch ({ message, code }) {
  result = { message, code }
}
// The receiver may want exclusive access to the database.
parentPort.postMessage(result)
