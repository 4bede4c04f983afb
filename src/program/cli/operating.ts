import { resolve } from 'node:path'
import { Argument, Option } from 'commander'
import {
  type HistoryFormat,
  historyFormats,
} from '#features/organization/exports/history/scopes.ts'
import { zulipReleases } from '#features/organization/exports/zulip/format.ts'
import { FolderInUse } from '#platform/store/refusals.ts'
import { restore } from '#program/backup/restore.ts'
import { readLaunch } from '#program/config.ts'
import { checkFolder } from '#program/maintenance/check.ts'
import { defaultPort, variables } from '#program/variables.ts'
import { WrongSetting } from './problems.ts'
import { watched } from './progress.ts'
import { run, type Setting } from './running.ts'
import { containerfile, serviceKinds, systemdUnit } from './service.ts'
import { describeSettings, type Settings } from './settings.ts'

export function addBackup(setting: Setting): void {
  const { program, shell, data, finish } = setting
  program
    .command('backup <target>')
    .description('copy all data to a new folder, or to one file if the name ends in .tar.gz')
    .addOption(data())
    .action(async (target: string, options: { data: string }) => {
      await run(setting, options.data, 'backup', { to: resolve(target) })
    })
  program
    .command('restore <backup>')
    .description('create the data folder from a backup; the folder must not contain data')
    .addOption(data())
    .action(async (backup: string, options: { data: string }) => {
      finish(await watched(shell, (task) => restore(resolve(backup), options.data, task)))
    })
}

interface ExportArguments {
  readonly data: string
  readonly format: HistoryFormat
  readonly for: string
  readonly public?: true
  readonly consented?: true
  readonly leanFlags?: true
}

export function addExport(setting: Setting): void {
  const { program, data } = setting
  program
    .command('export <file>')
    .description(
      'write the history to a .tar.gz file: for an import into Zulip, or as pages that a browser shows without a server; the server can keep running',
    )
    .addOption(data())
    .addOption(
      new Option('--format <form>', 'what to make').choices(historyFormats).makeOptionMandatory(),
    )
    .addOption(
      new Option('--for <release>', 'the release of Zulip that will import it')
        .choices(zulipReleases.map(String))
        .default(String(zulipReleases[0])),
    )
    .addOption(new Option('--public', 'only public channels').conflicts('consented'))
    .option('--consented', 'public channels, and the private data of people who consented')
    .option(
      '--lean-flags',
      'for Zulip: leave out who has read messages in public channels older than 28 days',
    )
    .action(async (file: string, args: ExportArguments) => {
      await run(setting, args.data, 'export', {
        to: resolve(file),
        format: args.format,
        scope: args.public ? 'public' : args.consented ? 'full_with_consent' : 'everything',
        release: zulipReleases.find((release) => String(release) === args.for) ?? zulipReleases[0],
        leanFlags: args.leanFlags ?? false,
      })
    })
}

export function addMaintenance(setting: Setting): void {
  const { program, shell, data, finish } = setting
  program
    .command('check')
    .description('check the database and all files, without changing anything')
    .addOption(data())
    .action(async (options: { data: string }) => {
      try {
        finish(await watched(shell, (task) => checkFolder(resolve(options.data), task)))
      } catch (error) {
        if (!(error instanceof FolderInUse)) throw error
        await run(setting, options.data, 'check', {})
      }
    })
  program
    .command('compact')
    .description('return the space of deleted rows to the disk; users have to wait meanwhile')
    .addOption(data())
    .action(async (options: { data: string }) => await run(setting, options.data, 'compact', {}))
}

export function addMail(setting: Setting): void {
  const { program, data } = setting
  program
    .command('mail')
    .description('test the mail server')
    .command('test <address>')
    .description('send a test mail, and explain the problem if the mail server rejects it')
    .addOption(data())
    .action(async (address: string, options: { data: string }) => {
      await run(setting, options.data, 'mail test', { address })
    })
}

export function addConfig({ program, shell }: Setting, settings: Settings): void {
  const command = program
    .command('config')
    .description('print each setting with its value, where the value comes from, and its meaning')
  const given: Record<string, string> = {}
  for (const { option } of variables) {
    if (option === undefined) continue
    command.option(`--${option} <value>`, 'as for serve', (value) => {
      given[option] = value
      return value
    })
  }
  command.action(() => {
    const { problems, text } = describeSettings(settings, given)
    shell.out(text)
    if (problems.length > 0) throw new WrongSetting(problems.join('\n'))
  })
}

export function addService({ program, shell }: Setting): void {
  program
    .command('service')
    .description('print a systemd unit, or a Containerfile, that runs the server')
    .addArgument(new Argument('[kind]').choices(serviceKinds).default('systemd'))
    .action((kind: (typeof serviceKinds)[number]) => {
      const { port } = readLaunch(shell.env)
      const [, script] = process.argv
      const isScript = script !== undefined && script !== process.execPath
      const command = isScript ? [process.execPath, script] : [process.execPath]
      shell.out(
        kind === 'systemd' ? systemdUnit(command, port) : containerfile(port ?? defaultPort),
      )
    })
}
