import { InvalidSetting } from '#platform/config/invalid-setting.ts'
import { DataRefused, FolderInUse } from '#platform/store/refusals.ts'
import { CertificateRefused } from '#program/listening/certificate-files.ts'
import { UsageError } from './options.ts'

/** Another program listens on the port. */
export class PortInUse extends Error {}

/** The system does not let the server listen there. */
export class PortNotAvailable extends Error {}

export class LogNotWritable extends UsageError {}

/** A mistake in the file of settings, or settings that do not go together. */
export class WrongSetting extends UsageError {}

/** Whether an error is the operator's mistake in what they wrote. */
export const isWrongUse = (error: unknown): boolean =>
  error instanceof UsageError || error instanceof InvalidSetting

/**
 * The topics of `parley help` about problems at the start of the server; the first match counts.
 */
const topics = [
  [PortInUse, 'port-in-use'],
  [PortNotAvailable, 'port-not-available'],
  [FolderInUse, 'data-folder-in-use'],
  [DataRefused, 'data-folder-not-usable'],
  [CertificateRefused, 'certificate-not-usable'],
  [LogNotWritable, 'log-not-writable'],
  [WrongSetting, 'wrong-setting'],
  [InvalidSetting, 'wrong-setting'],
] as const

export const helpTopics: readonly string[] = [...new Set(topics.map(([, topic]) => topic))]

/** The topic of `parley help` about an error; undefined: the message is enough. */
export const topicOf = (error: unknown): string | undefined =>
  topics.find(([kind]) => error instanceof kind)?.[1]
