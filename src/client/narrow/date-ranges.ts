import { t } from '#client/ui/t.ts'
import { dayAfter, startOfToday } from './dates.ts'
import type { Term } from './narrow.ts'
import { term } from './terms.ts'

/** Some days that people often search in. */
export interface DateRange {
  readonly label: string
  readonly terms: readonly Term[]
}

export function dateRanges(): readonly DateRange[] {
  const today = startOfToday()
  const since = (days: number) => term('after', dayAfter(today, -days))
  return [
    { label: t('Today'), terms: [since(0)] },
    { label: t('Yesterday'), terms: [since(1), term('before', today)] },
    { label: t('Last 7 days'), terms: [since(6)] },
    { label: t('Last 30 days'), terms: [since(29)] },
  ]
}

/** Whether a term is one of those that dates are searched by. */
export function isDate({ operator, negated }: Term): boolean {
  return !negated && (operator === 'before' || operator === 'after')
}
