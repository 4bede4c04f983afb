import { preparedSql } from '#platform/store/prepared.ts'
import type { Read } from '#platform/store/store.ts'
import { mostClients } from './clients.queries.ts'
import { newestMessageId } from './queries.ts'

const inRange = 'id > @after AND id <= @until'

const statements = [
  preparedSql(`
    UPDATE messages SET rendered_content = NULL
    WHERE ${inRange} AND rendered_content = '<p>' || content || '</p>'`),
  preparedSql(`
    INSERT INTO clients (name)
    SELECT DISTINCT client FROM messages
    WHERE ${inRange} AND client IS NOT NULL AND client NOT IN (SELECT name FROM clients)
    LIMIT max(0, ${mostClients} - (SELECT count(*) FROM clients))`),
  preparedSql(`
    UPDATE messages SET client = NULL, client_id = c.id
    FROM clients c WHERE c.name = messages.client AND messages.id > @after AND messages.id <= @until`),
]

/** How many IDs one statement looks at. */
const atOnce = 20_000

/** Takes out of the rows of earlier versions what those of later ones leave out. */
export function shortenMessages(read: Read): void {
  const newest = newestMessageId(read)
  for (let after = 0; after < newest; after += atOnce) {
    for (const statement of statements) statement(read).run({ after, until: after + atOnce })
  }
}
