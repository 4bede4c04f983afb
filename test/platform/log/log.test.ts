import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { createLogDestination } from '#platform/log/destination.ts'
import { closeLog, createLog, droppedLines } from '#platform/log/log.ts'
import { commandOf, startProgram } from '#test/support/programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-log-'))
after(() => rmSync(folder, { recursive: true }))
const noFullDevice = !existsSync('/dev/full') && 'there is no /dev/full'

/** Starts the development server with this descriptor as its standard error. */
const start = (stderr: number | 'pipe') =>
  startProgram(commandOf('src/main.ts', 'dev', '--port', '0'), {
    env: { PARLEY_LOG_LEVEL: 'debug' },
    stderr,
  })

/** Makes requests whose log lines take more than any pipe, buffer and socket holds. */
async function makeLog(url: string): Promise<void> {
  const path = `/${'x'.repeat(14_000)}`
  const replies = Array.from({ length: 60 }, async () => {
    const response = await fetch(url + path)
    await response.arrayBuffer()
    return response.status
  })
  assert.deepEqual(new Set(await Promise.all(replies)), new Set([404]))
}

let pipes = 0

/** A pipe that holds no further byte, and a descriptor to read from it. */
function fullPipe(): { readonly path: string; readonly pipe: number } {
  const path = join(folder, `pipe-${pipes++}`)
  execFileSync('mkfifo', [path])
  const pipe = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  try {
    for (;;) writeSync(pipe, Buffer.alloc(4096, '.'))
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
  }
  return { path, pipe }
}

/** What has been written into a pipe. */
function readAll(pipe: number): string {
  const parts: Buffer[] = []
  try {
    for (;;) {
      const part = Buffer.alloc(64 * 1024)
      parts.push(part.subarray(0, readSync(pipe, part)))
    }
  } catch (error) {
    assert.equal((error as NodeJS.ErrnoException).code, 'EAGAIN')
    return Buffer.concat(parts).toString()
  }
}

describe('a server goes on, and stops in order, when its log cannot be written because', () => {
  test('nobody reads the pipe', async () => {
    const { path, pipe } = fullPipe()
    // A descriptor of its own, which blocks like that of a shell.
    const blocking = openSync(path, constants.O_RDWR)
    const server = await start(blocking)
    closeSync(blocking)
    await makeLog(server.url)
    await server.stop()
    closeSync(pipe)
  })

  test('nobody reads the socket', async () => {
    const server = await start('pipe')
    await makeLog(server.url)
    await server.stop()
  })
})

describe('the log', () => {
  const line = `${'x'.repeat(4000)}\n`

  test('counts what was lost while nobody read the pipe, and says so once someone does', async () => {
    const { path, pipe } = fullPipe()
    const blocking = openSync(path, constants.O_RDWR)
    const { promise, resolve } = withResolvers<number>()
    const destination = createLogDestination(blocking, resolve)
    for (let i = 0; i < 100; i++) destination.write(line)
    assert.ok(destination.dropped > 0)
    await setImmediate()
    readAll(pipe)
    // Goes on by itself, in pieces, since a pipe holds only a part of what waits.
    let read = ''
    const reading = setInterval(() => {
      read += readAll(pipe)
    }, 10)
    assert.equal(await promise, destination.dropped)
    clearInterval(reading)
    read += readAll(pipe)
    assert.equal(read, line.repeat(100 - destination.dropped))
    for (const descriptor of [blocking, pipe]) closeSync(descriptor)
  })

  test('counts what is lost on a full disk', { skip: noFullDevice }, async () => {
    const full = openSync('/dev/full', 'w')
    const destination = createLogDestination(full)
    for (let i = 0; i < 3; i++) {
      destination.write(line)
      await setImmediate()
    }
    assert.equal(destination.dropped, 3)
    closeSync(full)
  })

  test('counts what is lost when the reader is gone', async () => {
    const { path, pipe } = fullPipe()
    const blocking = openSync(path, constants.O_WRONLY)
    const destination = createLogDestination(blocking)
    closeSync(pipe)
    destination.write(line)
    await setImmediate()
    assert.equal(destination.dropped, 1)
    closeSync(blocking)
  })

  test('in a file continues what is there', async () => {
    const path = join(folder, 'log')
    const file = openSync(path, 'w')
    writeSync(file, 'before\n')
    const log = createLog('info', file)
    log.info({ n: 1 }, 'first')
    await setImmediate()
    log.info({ n: 2 }, 'second')
    closeLog(log)
    closeSync(file)
    assert.match(readFileSync(path, 'utf8'), /^before\n\{.*"n":1.*\}\n\{.*"n":2.*\}\n$/)
    assert.equal(droppedLines(log), 0)
  })
})

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
