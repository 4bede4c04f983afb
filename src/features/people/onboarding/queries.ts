import { and, asc, eq, sql } from 'drizzle-orm'
import { prepared } from '#platform/store/prepared.ts'
import { onboardingSteps } from '#platform/store/schema.ts'
import type { Read, Tx } from '#platform/store/store.ts'
import type { OnboardingStep } from './steps.ts'

const stepsOf = prepared((db) =>
  db
    .select({ name: onboardingSteps.name })
    .from(onboardingSteps)
    .where(eq(onboardingSteps.userId, sql.placeholder('userId')))
    .orderBy(asc(onboardingSteps.name))
    .prepare(),
)

/** The steps that a user has not taken yet, by name. */
export function listOnboardingSteps(read: Read, userId: number): string[] {
  return stepsOf(read)
    .all({ userId })
    .map(({ name }) => name)
}

export function insertOnboardingStep(tx: Tx, userId: number, name: OnboardingStep): void {
  tx.db.insert(onboardingSteps).values({ userId, name }).onConflictDoNothing().run()
}

/** Returns false if the user has taken it already. */
export function deleteOnboardingStep(tx: Tx, userId: number, name: OnboardingStep): boolean {
  const isStep = and(eq(onboardingSteps.userId, userId), eq(onboardingSteps.name, name))
  return tx.db.delete(onboardingSteps).where(isStep).run().changes > 0
}
