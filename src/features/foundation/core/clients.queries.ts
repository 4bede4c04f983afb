import { cached } from '#platform/store/cached.ts'
import { preparedSql } from '#platform/store/prepared.ts'
import type { messages } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

/** The columns of a message that say which client sent it. */
type ClientColumns = Pick<typeof messages.$inferSelect, 'client' | 'clientId'>

/** How many names have an ID; messages of further clients have the name itself. */
export const mostClients = 1000

const idOf = preparedSql<{ id: number }>('SELECT id FROM clients WHERE name = @name')
const nameOf = preparedSql<{ name: string }>('SELECT name FROM clients WHERE id = @id')

const ids = cached((read, name: string) => idOf(read).get({ name })?.id)
const names = cached((read, id: number) => nameOf(read).get({ id })?.name)

const insert = preparedSql(`
  INSERT INTO clients (name) SELECT @name
  WHERE (SELECT coalesce(max(id), 0) FROM clients) < ${mostClients}`)

/** How a message says that a client sent it. */
export function clientColumns(tx: Tx, name: string): ClientColumns {
  const id = ids.get(tx, name) ?? addClient(tx, name)
  return id === undefined ? { client: name, clientId: null } : { client: null, clientId: id }
}

/** @returns its ID; undefined if there are too many */
function addClient(tx: Tx, name: string): number | undefined {
  const { changes, lastInsertRowid } = insert(tx).run({ name })
  if (changes === 0) return undefined
  const id = Number(lastInsertRowid)
  ids.forget(tx, name)
  names.forget(tx, id)
  return id
}

/** The name of the client that sent a message. */
export function clientName(read: Read, { client, clientId }: ClientColumns): string {
  return client ?? names.get(read, clientId ?? 0) ?? ''
}
