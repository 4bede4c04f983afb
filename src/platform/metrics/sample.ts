export type Labels = Readonly<Record<string, string | number>>

/** A value of a metric: a number, or for a histogram its ranges. */
export interface Sample<V = number> {
  readonly labels: Labels
  readonly value: V
}
