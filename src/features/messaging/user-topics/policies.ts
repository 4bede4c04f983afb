import { type VisibilityPolicy, visibilityPolicies } from '#platform/store/schema.ts'

/** The rank of each policy (none, muted, unmuted, followed) by how much it shows of a topic. */
const rank = [1, 0, 2, 3] as const

export function isMoreVisible(one: VisibilityPolicy, other: VisibilityPolicy): boolean {
  return rank[one] > rank[other]
}

/**
 * A user's policy for a topic into which another one was moved as a whole: the one that shows more,
 * so that merging topics hides nothing. Into a topic without messages the other comes as it was.
 *
 * @param moved the user's policy for the topic that was moved
 * @param target the policy for the topic that it was moved to, which may outlive its messages
 */
export function policyAfterMerge(
  moved: VisibilityPolicy,
  target: VisibilityPolicy,
  targetHadMessages: boolean,
): VisibilityPolicy {
  return targetHadMessages && isMoreVisible(target, moved) ? target : moved
}

/** Whether a user muted what is sent to a topic: by its own policy, or else with its channel. */
export function isMuted(policy: VisibilityPolicy, isChannelMuted: () => boolean): boolean {
  return policy === visibilityPolicies.none ? isChannelMuted() : policy === visibilityPolicies.muted
}

/**
 * `isMuted` in SQL.
 *
 * @param policy SQL for the policy, NULL for none; `isChannelMuted` for whether the channel is, NULL
 *   without a subscription
 */
export function mutedSql(policy: string, isChannelMuted: string): string {
  const { none, muted } = visibilityPolicies
  return `CASE coalesce(${policy}, ${none})
    WHEN ${none} THEN coalesce(${isChannelMuted}, 0) WHEN ${muted} THEN 1 ELSE 0 END`
}
