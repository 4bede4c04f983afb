import { ArrowDown, ArrowUp, GripVertical } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { problemIn, useSave } from '#client/commands/use-save.ts'
import { classes, IconButton } from '#client/ui/button.tsx'
import { Icon } from '#client/ui/icon.tsx'
import { Problem } from '#client/ui/problem.tsx'
import { t } from '#client/ui/t.ts'
import { SaveNote } from './field-frame.tsx'
import { moved, placeAt, sorted } from './order.ts'

interface OrderedListProps<R> {
  /** Its name. */
  readonly label: string
  readonly rows: readonly R[]
  readonly keyOf: (row: R) => number
  /** The name of a row, for the buttons that move it. */
  readonly nameOf: (row: R) => string
  readonly draw: (row: R) => ComponentChildren
  /** Buttons of a row, before those that move it. */
  readonly actions?: ((row: R) => ComponentChildren) | undefined
  /** The text in place of rows, if there are none. */
  readonly empty: string
  /** Saves the keys in another order; absent where the user may not. @throws CallError */
  readonly onOrder?: ((keys: readonly number[]) => Promise<unknown>) | undefined
}

/** A row that is being dragged, and the order as it would become. */
interface Drag {
  readonly key: number
  readonly keys: readonly number[]
}

/** Rows whose order matters: dragged by their handles, or moved by buttons. Saved immediately. */
export function OrderedList<R>(props: OrderedListProps<R>) {
  const { label, rows, keyOf, nameOf, draw, actions, empty, onOrder } = props
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<Drag | undefined>()
  const saving = useSave<readonly number[]>(rows.map(keyOf), async (keys) => onOrder?.(keys))
  const shown = sorted(rows, keyOf, drag?.keys ?? saving.shown)
  const keys = shown.map(keyOf)
  const refocus = useMovedFocus(list, keys)

  function move(key: number, by: number): void {
    refocus.current = { key, by }
    void saving.save(moved(keys, key, keys.indexOf(key) + by))
  }
  function dragTo(key: number, y: number): void {
    const boxes = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    setDrag({ key, keys: moved(keys, key, placeAt(boxes, y)) })
  }
  function drop(): void {
    if (!drag) return
    setDrag(undefined)
    if (String(drag.keys) !== String(rows.map(keyOf))) void saving.save(drag.keys)
  }

  if (rows.length === 0) return <p class="data-empty">{empty}</p>
  return (
    <div class="ordered">
      <ol ref={list} class="ordered-rows" aria-label={label}>
        {shown.map((row, index) => {
          const key = keyOf(row)
          return (
            <li
              key={key}
              class={classes('row ordered-row', drag?.key === key && 'ordered-dragged')}
            >
              {onOrder && (
                <span
                  class="center order-handle"
                  aria-hidden="true"
                  title={t('Drag to reorder')}
                  onPointerDown={(event) => {
                    if (event.button !== 0) return
                    event.preventDefault()
                    event.currentTarget.setPointerCapture(event.pointerId)
                    setDrag({ key, keys })
                  }}
                  onPointerMove={(event) => {
                    if (drag?.key === key) dragTo(key, event.clientY)
                  }}
                  onPointerUp={drop}
                  onPointerCancel={() => setDrag(undefined)}
                >
                  <Icon node={GripVertical} size={16} />
                </span>
              )}
              <div class="stack grow list-words">{draw(row)}</div>
              {onOrder && (
                <OrderButtons
                  name={nameOf(row)}
                  isFirst={index === 0}
                  isLast={index === shown.length - 1}
                  onMove={(by) => move(key, by)}
                >
                  {actions?.(row)}
                </OrderButtons>
              )}
            </li>
          )
        })}
      </ol>
      <SaveNote status={saving.status} />
      <Problem text={problemIn(saving.status)} />
    </div>
  )
}

/** The row that a button has moved, and where: it loses the focus when it moves in the document. */
function useMovedFocus(list: RefObject<HTMLElement | null>, keys: readonly number[]) {
  const refocus = useRef<{ readonly key: number; readonly by: number } | undefined>(undefined)

  useLayoutEffect(() => {
    const wanted = refocus.current
    refocus.current = undefined
    const row = wanted && list.current?.children[keys.indexOf(wanted.key)]
    const buttons = row && [...row.querySelectorAll<HTMLButtonElement>('.order-button')]
    if (!buttons) return
    const [up, down] = buttons
    const first = wanted.by < 0 ? up : down
    const usable = first?.disabled ? buttons.find((button) => !button.disabled) : first
    usable?.focus()
  })
  return refocus
}

interface OrderButtonsProps {
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: number) => void
  readonly children: ComponentChildren
}

function OrderButtons({ name, isFirst, isLast, onMove, children }: OrderButtonsProps) {
  return (
    <span class="order-buttons">
      {children}
      <IconButton
        class="order-button"
        label={t('Move up: {name}', { name })}
        icon={ArrowUp}
        size={16}
        disabled={isFirst}
        onClick={() => onMove(-1)}
      />
      <IconButton
        class="order-button"
        label={t('Move down: {name}', { name })}
        icon={ArrowDown}
        size={16}
        disabled={isLast}
        onClick={() => onMove(1)}
      />
    </span>
  )
}
