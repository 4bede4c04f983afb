import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What tests start as processes of their own, or what these import, by path from the top of the repository. */
export const programs = [
  'src/main.ts',
  'src/program/server.ts',
  'test/support/serve.ts',
  'test/whole/clients/zulip-js-listener.ts',
] as const

/** Node's arguments that start a program: as the runner bundled it, or from its source. */
export function programArguments(program: (typeof programs)[number]): string[] {
  // Set by who made the bundle, to where it is; that of a single file has no programs.
  const bundle = process.env.TEST_BUNDLE
  const bundled = bundle && join(bundle, program.replace(/ts$/, 'js'))
  return bundled && existsSync(bundled)
    ? ['--enable-source-maps', bundled]
    : ['--import', 'tsx', program]
}
