import { ArrowDown, ArrowUp } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { classes } from '#client/ui/button.tsx'
import { FilterField } from '#client/ui/filter-field.tsx'
import { matcher } from '#client/ui/fuzzy.ts'
import { Icon } from '#client/ui/icon.tsx'
import { t } from '#client/ui/t.ts'
import { rowWindow } from './row-window.ts'

export interface Column<R> {
  readonly id: string
  readonly title: string
  readonly cell: (row: R) => ComponentChildren
  /** Orders rows by this column; without it, the column cannot be sorted. */
  readonly compare?: (a: R, b: R) => number
  /** Left out where the window is narrow. */
  readonly isWide?: boolean
  /** Has the room that the others leave; by default, the first that is not narrow does. */
  readonly grows?: boolean
  /** At the right, and as narrow as it can be: numbers and buttons. */
  readonly isNarrow?: boolean
  /** Says what the column is only to screen readers, such as one of buttons. */
  readonly hasHiddenTitle?: boolean
}

interface DataTableProps<R> {
  /** Its name. */
  readonly label: string
  readonly rows: readonly R[]
  readonly columns: readonly Column<R>[]
  readonly keyOf: (row: R) => string | number
  /** The text for the filter; without it, or without rows, there is no filter. */
  readonly words?: (row: R) => readonly string[]
  /** The column that it is sorted by at first. */
  readonly sortedBy?: string
  readonly isDescending?: boolean
  /** The text in place of rows, if there are none. */
  readonly empty: string
  /** Beside the filter. */
  readonly tools?: ComponentChildren
}

/** A table to sort and filter. Only the rows in sight are drawn, so 20 000 rows cost no more. */
export function DataTable<R>(props: DataTableProps<R>) {
  const { label, rows, columns, keyOf, words, empty, tools } = props
  const [filter, setFilter] = useState('')
  const [order, setOrder] = useState({ id: props.sortedBy, isDown: props.isDescending === true })
  const shown = useMemo(() => {
    const isWanted = matcher(filter)
    const left =
      words && filter.trim() !== '' ? rows.filter((row) => isWanted(...words(row))) : rows
    const compare = columns.find(({ id }) => id === order.id)?.compare
    if (!compare) return left
    return [...left].sort(order.isDown ? (a, b) => compare(b, a) : compare)
  }, [rows, filter, order.id, order.isDown])
  const body = useRef<HTMLTableSectionElement>(null)
  const { first, end, above, below } = useRowWindow(body, shown.length)

  const growing = columns.find(({ grows }) => grows) ?? columns.find(({ isNarrow }) => !isNarrow)
  const hasFilter = words !== undefined && rows.length > 0
  return (
    <div class="stack">
      {(hasFilter || tools) && (
        <div class="row cluster data-tools">
          {hasFilter && (
            <FilterField
              label={t('Filter: {table}', { table: label })}
              placeholder={t('Filter')}
              value={filter}
              onChange={setFilter}
            />
          )}
          {tools}
        </div>
      )}
      {shown.length > 0 && (
        <table class="data-table" aria-label={label} aria-rowcount={shown.length + 1}>
          <thead>
            <tr>
              {columns.map((column) => (
                <ColumnHead
                  key={column.id}
                  column={column}
                  sorted={order.id === column.id ? order : undefined}
                  onSort={() =>
                    setOrder({ id: column.id, isDown: order.id === column.id && !order.isDown })
                  }
                />
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            <Gap height={above} columns={columns.length} />
            {shown.slice(first, end).map((row, index) => (
              <tr key={keyOf(row)} class="data-row" aria-rowindex={first + index + 2}>
                {columns.map((column) => (
                  <td
                    key={column.id}
                    class={classes(columnClass(column), column === growing && 'data-grows')}
                    onPointerEnter={sayWhole}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
            <Gap height={below} columns={columns.length} />
          </tbody>
        </table>
      )}
      {shown.length === 0 && (
        <p class="data-empty">{rows.length > 0 ? t('Nothing found') : empty}</p>
      )}
    </div>
  )
}

/** What is cut off is said in full where someone points at it. */
function sayWhole({ currentTarget: cell }: PointerEvent): void {
  if (!(cell instanceof HTMLElement)) return
  const isCut = ({ scrollWidth, clientWidth }: Element) =>
    scrollWidth > clientWidth && clientWidth > 0
  const parts = [cell, ...cell.querySelectorAll('.ellipsis')]
  cell.title = parts.some(isCut) ? (cell.textContent ?? '') : ''
}

function columnClass({ isWide, isNarrow }: Pick<Column<never>, 'isWide' | 'isNarrow'>): string {
  return classes(isWide && 'data-wide', isNarrow && 'data-narrow')
}

interface ColumnHeadProps<R> {
  readonly column: Column<R>
  readonly sorted: { readonly isDown: boolean } | undefined
  readonly onSort: () => void
}

function ColumnHead<R>({ column, sorted, onSort }: ColumnHeadProps<R>) {
  const direction = sorted && (sorted.isDown ? 'descending' : 'ascending')
  return (
    <th scope="col" class={columnClass(column)} aria-sort={direction}>
      {column.compare ? (
        <button type="button" class="row tight data-sort" onClick={onSort}>
          {column.title}
          {sorted && <Icon node={sorted.isDown ? ArrowDown : ArrowUp} size={13} />}
        </button>
      ) : (
        <span class={column.hasHiddenTitle ? 'visually-hidden' : undefined}>{column.title}</span>
      )}
    </th>
  )
}

/** The space of rows that are not drawn. */
function Gap({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height === 0) return null
  return (
    <tr>
      <td
        colSpan={columns}
        class="data-gap"
        ref={(cell) => cell?.style.setProperty('height', `${height}px`)}
      />
    </tr>
  )
}

/** Fits most rows, until one is measured. */
const usualHeight = 44

/** The rows in sight of the element that scrolls around them. */
function useRowWindow(body: { readonly current: HTMLElement | null }, count: number) {
  const [sight, setSight] = useState({ offset: 0, visible: 900, rowHeight: usualHeight })
  useLayoutEffect(() => {
    const rows = body.current
    const scroller = rows?.closest('.settings-page')
    if (!rows || !scroller) return
    const look = () => {
      const row = rows.querySelector('.data-row')
      setSight((before) => {
        const rowHeight = row?.getBoundingClientRect().height || before.rowHeight
        const offset = scroller.getBoundingClientRect().top - rows.getBoundingClientRect().top
        const visible = scroller.clientHeight
        const isSame =
          Math.abs(offset - before.offset) < rowHeight &&
          visible === before.visible &&
          rowHeight === before.rowHeight
        return isSame ? before : { offset, visible, rowHeight }
      })
    }
    look()
    const observer = new ResizeObserver(look)
    observer.observe(scroller)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [count])
  return rowWindow(count, sight.rowHeight, sight.offset, sight.visible)
}
