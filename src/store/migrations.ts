import { readdirSync, readFileSync } from 'node:fs'

/**
 * Every migration in order, each as its statements. The build replaces this module by one that
 * holds the same list as data.
 */
export function listMigrations(): string[][] {
  const folder = new URL('../../drizzle/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint'))
}
