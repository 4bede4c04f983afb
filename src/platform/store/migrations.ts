import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the migrations in order, each as a list of statements. The build replaces this module by
 * one that contains the list.
 */
export function listMigrations(): string[][] {
  const folder = new URL('../../../drizzle/', import.meta.url)
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return files
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8').split('--> statement-breakpoint'))
}
