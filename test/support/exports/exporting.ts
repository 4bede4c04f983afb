import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { runCli } from '#program/cli/program.ts'

export interface Exported {
  readonly file: string
  readonly files: ReadonlyMap<string, Uint8Array>
  /** What the command printed. */
  readonly said: string
}

/** Runs `parley export --format zulip` on a data folder, and unpacks what it makes into a new folder. */
export async function exportForZulip(
  data: string,
  folder: string,
  ...args: readonly string[]
): Promise<Exported> {
  const file = `${folder}.tar.gz`
  let said = ''
  const say = (text: string) => {
    said += text
  }
  const shell = {
    out: say,
    err: say,
    errIsTerminal: false,
    env: { PARLEY_URL: 'https://chat.example.org' },
  }
  const code = await runCli(
    ['export', file, '--data', data, '--format', 'zulip', ...args],
    shell as never,
  )
  assert.equal(code, 0, said)
  mkdirSync(folder)
  execFileSync('tar', ['-xzf', file, '-C', folder])
  const files = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [path, new Uint8Array(readFileSync(join(folder, path)))] as const),
  )
  return { file, files, said }
}
