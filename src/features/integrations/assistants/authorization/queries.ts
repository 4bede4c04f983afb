import { and, count, countDistinct, desc, eq, gt, inArray, sql } from 'drizzle-orm'
import { seconds } from '#platform/clock.ts'
import { secretHash } from '#platform/secret-hash.ts'
import { deleteUntil } from '#platform/store/expiry.ts'
import { prepared, preparedSql } from '#platform/store/prepared.ts'
import { assistantClients, assistantCodes, assistantConnections } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type Client = typeof assistantClients.$inferSelect
export type Code = typeof assistantCodes.$inferSelect
export type Connection = typeof assistantConnections.$inferSelect

/** How long a registration is kept that nobody has used, in seconds: its program asks immediately. */
const unusedSeconds = 24 * 3600

/** How long one is kept after its last connection, so that its program can connect again. */
const usedSeconds = 90 * 24 * 3600

/** The registrations that nobody has used: the newest ones. */
const mostUnused = 1000

/** The codes of an account: the newest ones. */
const mostCodes = 20

/** How long a code is kept, in seconds. It is valid much shorter. */
const codeKeptSeconds = 24 * 3600

/** A registration that has not expired. */
export function findClient(read: Read, id: string): Client | undefined {
  const found = read.db.select().from(assistantClients).where(eq(assistantClients.id, id)).get()
  if (!found) return undefined
  return found.expiresAt > seconds(read.clock) || isConnected(read, id) ? found : undefined
}

function isConnected(read: Read, clientId: string): boolean {
  const { id, clientId: client } = assistantConnections
  return (
    read.db.select({ id }).from(assistantConnections).where(eq(client, clientId)).get() !==
    undefined
  )
}

const deleteExpired = preparedSql(`
  DELETE FROM assistant_clients WHERE expires_at <= @now
    AND NOT EXISTS (SELECT 1 FROM assistant_connections c WHERE c.client_id = assistant_clients.id)
`)
const deleteOldestUnused = preparedSql(`
  DELETE FROM assistant_clients WHERE rowid IN (
    SELECT rowid FROM assistant_clients WHERE is_used = 0
    ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET @most
  )
`)

/** Stores a registration, in the place of expired ones and of the oldest unused one if need be. */
export function insertClient(tx: Tx, client: Pick<Client, 'id' | 'name' | 'redirectUris'>): Client {
  const createdAt = seconds(tx.clock)
  deleteExpired(tx).run({ now: createdAt })
  deleteOldestUnused(tx).run({ most: mostUnused - 1 })
  const row = { ...client, createdAt, expiresAt: createdAt + unusedSeconds }
  return tx.db.insert(assistantClients).values(row).returning().get()
}

/** Keeps registrations for as long as their programs may want to connect again. */
function keepClients(tx: Tx, ids: readonly string[]): void {
  tx.db
    .update(assistantClients)
    .set({ isUsed: true, expiresAt: seconds(tx.clock) + usedSeconds })
    .where(inArray(assistantClients.id, [...ids]))
    .run()
}

/** Stores a code, and deletes the old ones. */
export function insertCode(tx: Tx, code: typeof assistantCodes.$inferInsert): void {
  deleteUntil(tx, assistantCodes.createdAt, code.createdAt - codeKeptSeconds)
  const oldest = tx.db
    .select({ codeHash: assistantCodes.codeHash })
    .from(assistantCodes)
    .where(eq(assistantCodes.userId, code.userId))
    .orderBy(desc(assistantCodes.createdAt))
    .limit(mostCodes)
    .offset(mostCodes - 1)
  tx.db.delete(assistantCodes).where(inArray(assistantCodes.codeHash, oldest)).run()
  tx.db.insert(assistantCodes).values(code).run()
  keepClients(tx, [code.clientId])
}

export function findCode(read: Read, code: string): Code | undefined {
  const hash = secretHash(code)
  return read.db.select().from(assistantCodes).where(eq(assistantCodes.codeHash, hash)).get()
}

/** Notes what a code was exchanged for. */
export function updateCode(tx: Tx, { codeHash }: Code, connectionId: number): void {
  tx.db
    .update(assistantCodes)
    .set({ connectionId })
    .where(eq(assistantCodes.codeHash, codeHash))
    .run()
}

/** Stores a connection, in place of an earlier one of the same account and client. */
export function insertConnection(
  tx: Tx,
  connection: typeof assistantConnections.$inferInsert,
): Connection {
  const { userId, clientId } = connection
  deleteUntil(tx, assistantConnections.expiresAt, connection.createdAt)
  tx.db
    .delete(assistantConnections)
    .where(
      and(eq(assistantConnections.userId, userId), eq(assistantConnections.clientId, clientId)),
    )
    .run()
  return tx.db.insert(assistantConnections).values(connection).returning().get()
}

export function updateConnection(tx: Tx, id: number, values: Partial<Connection>): void {
  tx.db.update(assistantConnections).set(values).where(eq(assistantConnections.id, id)).run()
}

const byAccess = prepared((db) =>
  db
    .select()
    .from(assistantConnections)
    .where(eq(assistantConnections.accessHash, sql.placeholder('hash')))
    .prepare(),
)

const byId = prepared((db) =>
  db
    .select()
    .from(assistantConnections)
    .where(eq(assistantConnections.id, sql.placeholder('id')))
    .prepare(),
)

/** The connection of an access token that has not expired. */
export function findConnectionByAccess(read: Read, access: string): Connection | undefined {
  const found = byAccess(read).get({ hash: secretHash(access) })
  return found && found.accessExpiresAt > seconds(read.clock) ? found : undefined
}

export function findConnection(read: Read, id: number): Connection | undefined {
  return byId(read).get({ id })
}

/** The connection of a family of refresh tokens, expired or not. */
export function findConnectionByFamily(read: Read, family: string): Connection | undefined {
  const hash = secretHash(family)
  const { familyHash } = assistantConnections
  return read.db.select().from(assistantConnections).where(eq(familyHash, hash)).get()
}

/** The connections of an account that have not expired, the newest first. */
export function listConnections(read: Read, userId: number): Connection[] {
  return read.db
    .select()
    .from(assistantConnections)
    .where(and(eq(assistantConnections.userId, userId), notExpired(read)))
    .orderBy(desc(assistantConnections.id))
    .all()
}

const notExpired = (read: Read) => gt(assistantConnections.expiresAt, seconds(read.clock))

/** How many assistants are connected, and by how many people. */
export function countConnections(read: Read): { connections: number; people: number } {
  const counted = read.db
    .select({ connections: count(), people: countDistinct(assistantConnections.userId) })
    .from(assistantConnections)
    .where(notExpired(read))
    .get()
  return counted ?? { connections: 0, people: 0 }
}

/** Ends a connection. */
export function deleteConnection(
  tx: Tx,
  { id, clientId }: Pick<Connection, 'id' | 'clientId'>,
): void {
  keepClients(tx, [clientId])
  tx.db.delete(assistantConnections).where(eq(assistantConnections.id, id)).run()
}

/** Ends all connections of an account, and those that have been allowed but not made yet. */
export function deleteConnectionsOf(tx: Tx, userId: number): void {
  const mine = eq(assistantConnections.userId, userId)
  const ended = tx.db.delete(assistantConnections).where(mine).returning().all()
  tx.db.delete(assistantCodes).where(eq(assistantCodes.userId, userId)).run()
  keepClients(
    tx,
    ended.map(({ clientId }) => clientId),
  )
}

/** Ends all connections. */
export function deleteAllConnections(tx: Tx): void {
  const ended = tx.db.delete(assistantConnections).returning().all()
  tx.db.delete(assistantCodes).run()
  keepClients(
    tx,
    ended.map(({ clientId }) => clientId),
  )
}
