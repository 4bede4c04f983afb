import { accessSync, constants, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve } from 'node:path'
import { Option } from 'commander'
import {
  importInto,
  requireNoOrganization,
  requireReady,
  settleImport,
  tryImport,
} from '#features/organization/imports/import.actions.ts'
import { type JoiningLink, linksCsv } from '#features/organization/imports/joining-links.actions.ts'
import { addressesIn } from '#features/organization/imports/reading/csv.ts'
import { sourceNames } from '#features/organization/imports/source.ts'
import { type ImportReport, reportText } from '#features/organization/imports/summary.ts'
import { systemClock } from '#platform/clock.ts'
import { openFolder } from '#platform/store/folder.ts'
import type { Task } from '#platform/task.ts'
import { readConfig, readLaunch } from '#program/config.ts'
import { defaultPort, loopback } from '#program/variables.ts'
import { UsageError } from './options.ts'
import { watched, withRates } from './progress.ts'
import type { Setting } from './running.ts'

interface ImportArguments {
  readonly data: string
  readonly dryRun?: true
  readonly report?: string
  readonly format?: string
  readonly emails?: string
  readonly tokenFile?: string
  readonly team?: string
  readonly threads: boolean
  readonly owner?: string
  readonly ownerName?: string
  readonly activate?: true
  readonly links?: string
  readonly cache?: string
  readonly private?: string
  readonly topics?: 'one' | 'daily'
}

export function addImport({ data, finish, program, shell }: Setting): void {
  program
    .command('import <export>')
    .description(
      "create the organization from another system's export (a file or a folder); the data folder must have no organization, and no server may be using it",
    )
    .addOption(data())
    .option('--dry-run', 'only report what an import would do')
    .option('--report <file>', 'also write the report to a file, as JSON')
    .addOption(
      new Option('--format <system>', 'the system that the export comes from').choices(sourceNames),
    )
    .option(
      '--emails <file>',
      'email addresses: a CSV file with an ID or a name, and an address, on each line',
    )
    .option('--owner <address>', 'the person who becomes the owner')
    .option('--owner-name <name>', 'the name of an owner who is not in the export')
    .option('--links <file>', 'write to a file a link for each person to choose a password with')
    .option('--activate', 'activate people who are placeholders with addresses in the export')
    .option('--token-file <file>', "a file that contains a token for the other system's API")
    .option('--team <name>', 'the team or server to import, if the export has several')
    .option('--no-threads', 'leave replies in the topic of the message that they answer')
    .option('--cache <folder>', 'keep downloads in a folder, for the next try')
    .option('--private <names>', 'channels to make private, separated by commas')
    .addOption(
      new Option(
        '--topics <kind>',
        'one topic for all messages outside threads, or one for each day',
      ).choices(['one', 'daily']),
    )
    .action(async (from: string, args: ImportArguments) => {
      const links: JoiningLink[] = []
      for (const file of [args.report, args.links]) if (file !== undefined) requireWritable(file)
      const config = readConfig(shell.env)
      const port = readLaunch(shell.env).port ?? defaultPort
      const options = {
        from: resolve(from),
        format: args.format,
        source: {
          ...(args.tokenFile !== undefined && { token: contentOf(args.tokenFile).trim() }),
          ...(args.team !== undefined && { team: args.team }),
          ...(!args.threads && { noThreads: true }),
          ...(args.activate && { activate: true }),
          ...(args.cache !== undefined && { cache: resolve(args.cache) }),
          ...(args.private !== undefined && { privateChannels: namesIn(args.private) }),
          ...(args.topics && { topics: args.topics }),
        },
        addresses: args.emails === undefined ? new Map() : addressesOf(contentOf(args.emails)),
        ...ownerIn(args),
        realmUrl: config.externalUrl ?? `http://${loopback}:${port}`,
        config,
        clock: systemClock,
        isTrial: args.dryRun ?? false,
        ...(args.links !== undefined && {
          onLink: (person: Omit<JoiningLink, 'url'>, url: string) =>
            void links.push({ ...person, url }),
        }),
      }
      const report = await watched(shell, (task) => run(args.data, options, withRates(shell, task)))
      if (args.report !== undefined) {
        writeFileSync(args.report, `${JSON.stringify(report, undefined, 2)}\n`, { mode: 0o600 })
      }
      if (args.links !== undefined && !report.isTrial) {
        writeFileSync(args.links, linksCsv(links), { mode: 0o600 })
      }
      finish({ output: reportText(report) })
    })
}

type Options = Parameters<typeof importInto>[1]

async function run(data: string, options: Options, task: Task): Promise<ImportReport> {
  if (options.isTrial) {
    requireReady(data)
    return await tryImport(options, task, tmpdir())
  }
  const folder = openFolder(data, 'import', task.note)
  try {
    await settleImport(folder)
    requireNoOrganization(folder)
    return await importInto(folder, options, task)
  } finally {
    folder.release()
  }
}

/** @throws UsageError a name without an address */
function ownerIn({ owner: email, ownerName }: ImportArguments): Pick<Options, 'owner'> {
  if (email !== undefined) {
    return { owner: { email, ...(ownerName !== undefined && { fullName: ownerName }) } }
  }
  if (ownerName === undefined) return {}
  throw new UsageError('With --owner-name, give the address of the owner as well, with --owner.')
}

/** Before an import of hours, not after it. @throws UsageError */
function requireWritable(path: string): void {
  try {
    const isThere = existsSync(path)
    accessSync(isThere ? path : dirname(resolve(path)), constants.W_OK)
    if (!isThere || statSync(path).isFile()) return
  } catch {}
  throw new UsageError(`${path} cannot be written.`)
}

/** The text of a file that the operator named. @throws UsageError */
function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}

const namesIn = (list: string) =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** @throws UsageError there is none */
function addressesOf(text: string): Map<string, string> {
  const addresses = addressesIn(text)
  if (addresses.size === 0)
    throw new UsageError(
      'The file of addresses has none: give lines such as "U123,ann@example.com".',
    )
  return addresses
}
