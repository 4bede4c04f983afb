import { existsSync, statfsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { seconds } from '#platform/clock.ts'
import { contentsPath } from '#platform/files/contents.ts'
import { anyNamed } from '#platform/files/queries.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { lastCommitError } from '#platform/store/commits.ts'
import { damageOf } from '#platform/store/damage.ts'
import { displaced } from '#platform/store/in-place.ts'
import { ownProblems } from '#platform/translation/catalogues.ts'
import type { HealthCheck } from './check.ts'

const mebibyte = 1024 * 1024
/** How late a job may be, in seconds. */
const mostBehindSeconds = 300

/** Warns before the disk of the data folder is full. */
export const diskCheck: HealthCheck = {
  name: 'disk',
  problem({ store, config }) {
    const { name, memory } = store.db.$client
    if (memory) return undefined
    const { bavail, bsize } = statfsSync(dirname(name))
    const free = Math.floor((bavail * bsize) / mebibyte)
    if (free >= config.leastFreeMib) return undefined
    return `The disk of the data folder has ${free} MiB left, less than the required ${config.leastFreeMib} MiB.`
  },
}

/** Reports that something could not be read since the start. */
export const damageCheck: HealthCheck = {
  name: 'database',
  problem({ store }) {
    const displacement = displaced(store)
    if (displacement !== undefined) return `${displacement}.`
    const reason = damageOf(store)
    if (reason === undefined) return undefined
    return `The database could not be read: ${reason}. Run "parley check" to see what is damaged.`
  },
}

/** Notices that uploaded files are gone: all of them, or the one that it tries. */
export const filesCheck: HealthCheck = {
  name: 'files',
  problem({ store }) {
    const { name, memory } = store.db.$client
    const hash = memory ? undefined : anyNamed(store)
    if (hash === undefined) return undefined
    const files = join(dirname(name), 'files')
    if (!existsSync(files)) return `The folder ${files} is missing.`
    const path = contentsPath(files, hash)
    if (existsSync(path)) return undefined
    return `The file ${path} is missing. Run "parley check" for a list of all missing files.`
  },
}

/** Reports translations in the data folder that are not used. */
export const translationsCheck: HealthCheck = {
  name: 'translations',
  problem({ store }) {
    const [first, ...others] = ownProblems(store)
    if (first === undefined) return undefined
    return others.length > 0 ? `${first}; and ${others.length} more.` : `${first}.`
  },
}

export const commitCheck: HealthCheck = {
  name: 'commits',
  problem({ store }) {
    const error = lastCommitError(store)
    return error === undefined ? undefined : `The last change could not be stored: ${error}.`
  },
}

/** @param jobs all background work */
export function jobsCheck(jobs: readonly Job[]): HealthCheck {
  return {
    name: 'jobs',
    problem({ store, clock }) {
      const late = jobs.filter(({ dueAt }) => {
        const due = dueAt(store)
        return due !== undefined && seconds(clock) - due > mostBehindSeconds
      })
      if (late.length === 0) return undefined
      return `Background jobs are more than ${mostBehindSeconds / 60} minutes late: ${late.map(({ name }) => name).join(', ')}.`
    },
  }
}
