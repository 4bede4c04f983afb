import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { programArguments } from '#test/support/programs.ts'

/** A folder in which examples run, with the packages that they import. */
export interface Workplace {
  readonly folder: string
  /** Writes a program, and starts it. */
  start(command: string, file: string, code: string, env?: NodeJS.ProcessEnv): Started
  /** Ends what is running, and removes the folder. */
  close(): void
}

interface Started {
  readonly child: ChildProcess
  /** What it has written, on both channels. */
  out(): string
  /** Resolves with all that it wrote once it has ended. @throws Error it has not ended well */
  ended(): Promise<string>
  /** Resolves once what it has written matches. @throws Error it has ended before */
  writes(pattern: RegExp): Promise<string>
}

const root = fileURLToPath(new URL('../../../', import.meta.url))
const flagsAndPath = (program: Parameters<typeof programArguments>[0]) => {
  const all = programArguments(program)
  return { flags: all.slice(0, -1), path: resolve(root, all.at(-1) ?? '') }
}

/** A new one, with `zulip-js`, and with the program as the package `parley`. */
export function openWorkplace(): Workplace {
  const folder = mkdtempSync(join(tmpdir(), 'parley-examples-'))
  const packages = join(folder, 'node_modules')
  mkdirSync(join(packages, '.bin'), { recursive: true })
  mkdirSync(join(packages, 'parley'))
  symlinkSync(join(root, 'node_modules/zulip-js'), join(packages, 'zulip-js'))
  const library = flagsAndPath('src/program/server.ts')
  writeFileSync(
    join(packages, 'parley/package.json'),
    JSON.stringify({ name: 'parley', type: 'module', exports: './parley.js' }),
  )
  writeFileSync(
    join(packages, 'parley/parley.js'),
    `export { createServer } from ${JSON.stringify(library.path)}\n`,
  )
  const main = flagsAndPath('src/main.ts')
  const call = [process.execPath, ...main.flags, main.path].map((each) => `'${each}'`).join(' ')
  writeFileSync(join(packages, '.bin/parley'), `#!/bin/sh\nexec ${call} "$@"\n`, { mode: 0o700 })
  const running: ChildProcess[] = []

  return {
    folder,
    start(command, file, code, env = {}) {
      writeFileSync(join(folder, file), code)
      const options = command === process.execPath ? library.flags : []
      const child = spawn(command, [...options, join(folder, file)], {
        cwd: folder,
        // A runner of tests among the examples is not part of this one.
        env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running.push(child)
      return watched(child)
    },
    close() {
      for (const child of running) child.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

function watched(child: ChildProcess): Started {
  let written = ''
  const hear = (part: Buffer) => {
    written += part.toString()
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  const closed = new Promise<number | null>((done) => child.once('close', done))
  return {
    child,
    out: () => written,
    async ended() {
      const code = await closed
      if (code !== 0) throw new Error(`It ended with ${code}:\n${written}`)
      return written
    },
    writes: (pattern) =>
      new Promise((done, fail) => {
        const look = () => {
          if (pattern.test(written)) done(written)
        }
        look()
        child.stdout?.on('data', look)
        void closed.then((code) => fail(new Error(`It ended with ${code}:\n${written}`)))
      }),
  }
}

export function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'])
    return true
  } catch {
    return false
  }
}
