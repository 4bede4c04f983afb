import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { navigationViews } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'

export type NavigationView = typeof navigationViews.$inferSelect
export type NavigationViewChange = Partial<Pick<NavigationView, 'isPinned' | 'name'>>

const ofUser = prepared((db) =>
  db
    .select()
    .from(navigationViews)
    .where(eq(navigationViews.userId, sql.placeholder('userId')))
    .orderBy(asc(navigationViews.fragment))
    .prepare(),
)

/** A user's custom views and settings of built-in views, by fragment. */
export function listNavigationViews(read: Read, userId: number): NavigationView[] {
  return ofUser(read).all({ userId })
}

export function insertNavigationView(tx: Tx, view: NavigationView): void {
  tx.db.insert(navigationViews).values(view).run()
}

export function updateNavigationView(
  tx: Tx,
  { userId, fragment }: NavigationView,
  change: NavigationViewChange,
): void {
  const own = and(eq(navigationViews.userId, userId), eq(navigationViews.fragment, fragment))
  tx.db.update(navigationViews).set(change).where(own).run()
}

export function deleteNavigationView(tx: Tx, { userId, fragment }: NavigationView): void {
  const own = and(eq(navigationViews.userId, userId), eq(navigationViews.fragment, fragment))
  tx.db.delete(navigationViews).where(own).run()
}
