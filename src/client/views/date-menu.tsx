import { Calendar, CalendarRange, X } from 'lucide'
import { useState } from 'preact/hooks'
import type { App } from '#client/app.ts'
import { FormDialog } from '#client/commands/form-dialog.tsx'
import { FormText } from '#client/commands/form-fields.tsx'
import { openSurface } from '#client/commands/surfaces.tsx'
import { dateRanges, isDate } from '#client/narrow/date-ranges.ts'
import { dayAfter, momentTyped, readMoment, startOfToday } from '#client/narrow/dates.ts'
import type { Narrow, Term } from '#client/narrow/narrow.ts'
import { viewOfSearch } from '#client/narrow/search.ts'
import { term, termsOf } from '#client/narrow/terms.ts'
import { Menu } from '#client/ui/menu.tsx'
import { t } from '#client/ui/t.ts'

interface DateMenuProps {
  readonly app: App
  readonly anchor: Element
  /** The search that it changes. */
  readonly narrow: Narrow
  readonly onClose: () => void
}

/** The menu of the days to search in. */
export function DateMenu({ app, anchor, narrow, onClose }: DateMenuProps) {
  const terms = termsOf(narrow, app.store.selfId)
  const others = terms.filter((each) => !isDate(each))
  const isDated = others.length < terms.length
  const search = (dates: readonly Term[]) => {
    app.router.go(viewOfSearch({ terms: [...others, ...dates], near: undefined }, app.store.selfId))
  }
  return (
    <Menu
      label={t('Date')}
      anchor={anchor}
      placement="bottom-end"
      onClose={onClose}
      items={[
        ...dateRanges().map((range) => ({
          label: range.label,
          icon: Calendar,
          onSelect: () => search(range.terms),
        })),
        {
          label: t('Custom…'),
          icon: CalendarRange,
          onSelect: () =>
            openSurface((close) => <DatesDialog terms={terms} onSearch={search} onClose={close} />),
        },
        isDated && { label: t('Any time'), icon: X, onSelect: () => search([]) },
      ]}
    />
  )
}

interface DatesDialogProps {
  readonly terms: readonly Term[]
  readonly onSearch: (dates: readonly Term[]) => void
  readonly onClose: () => void
}

/** Asks for the first and the last day to search in. Either may be missing. */
function DatesDialog({ terms, onSearch, onClose }: DatesDialogProps) {
  const [from, setFrom] = useState(() => dayOf(terms, 'after'))
  const [to, setTo] = useState(() => dayOf(terms, 'before'))
  const today = momentTyped(startOfToday())
  const first = readMoment(from)
  const last = readMoment(to)

  async function search(): Promise<void> {
    onSearch([
      ...(first === undefined ? [] : [term('after', first)]),
      ...(last === undefined ? [] : [term('before', dayAfter(last, 1))]),
    ])
  }

  return (
    <FormDialog
      title={t('Search by date')}
      size="small"
      action={t('Search')}
      isInvalid={first === undefined && last === undefined}
      onSave={search}
      onClose={onClose}
    >
      <FormText
        label={t('First day')}
        type="date"
        value={from}
        max={to || today}
        onInput={setFrom}
      />
      <FormText label={t('Last day')} type="date" value={to} min={from} onInput={setTo} />
    </FormDialog>
  )
}

/** The first or the last day of the search, as date fields have it. */
function dayOf(terms: readonly Term[], operator: 'after' | 'before'): string {
  const found = terms.find((each) => isDate(each) && each.operator === operator)
  if (!found) return ''
  const within = Number(found.operand) - (operator === 'before' ? 1 : 0)
  return momentTyped(dayAfter(within, 0))
}
