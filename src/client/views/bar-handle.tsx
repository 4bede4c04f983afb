import { useRef } from 'preact/hooks'
import { isFinishing } from '#client/ui/finishing.ts'
import { t } from '#client/ui/t.ts'
import { type Bar, barWidths, setBarWidth } from './bars.ts'

/** In rem. A bar that is made narrower than half of the least hides. */
const limits = {
  left: { least: 12, usual: 17, most: 28 },
  right: { least: 11, usual: 14, most: 28 },
}
/** What an arrow key changes, in rem. */
const step = 1

/** The edge of a bar, by which it is made wider, narrower or hidden. Enter hides and shows it. */
export function BarHandle({ bar }: { readonly bar: Bar }) {
  const { least, usual, most } = limits[bar]
  const width = barWidths.value[bar] ?? usual
  const drag = useRef<{ x: number; width: number } | undefined>(undefined)

  function resize(wanted: number): void {
    if (wanted < least / 2) setBarWidth(bar, 0)
    else setBarWidth(bar, Math.round(Math.min(Math.max(wanted, least), most) * 4) / 4)
  }

  /** 1 where the bar grows with x. */
  const direction = () =>
    (bar === 'left' ? 1 : -1) * (document.documentElement.dir === 'rtl' ? -1 : 1)

  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved
    <div
      class={`bar-handle bar-handle-${bar}`}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={bar === 'left' ? t('Width of the left sidebar') : t('Width of the right sidebar')}
      aria-valuenow={width}
      aria-valuemin={0}
      aria-valuemax={most}
      title={t('Drag to resize, double-click to hide or show')}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        drag.current = { x: event.clientX, width }
      }}
      onPointerMove={({ clientX }) => {
        if (!drag.current) return
        const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
        resize(drag.current.width + (direction() * (clientX - drag.current.x)) / rem)
      }}
      onPointerUp={() => {
        drag.current = undefined
      }}
      onPointerCancel={() => {
        drag.current = undefined
      }}
      onDblClick={() => setBarWidth(bar, width === 0 ? undefined : 0)}
      onKeyDown={(event) => {
        if (isFinishing(event)) return
        const isWider = event.key === (direction() === 1 ? 'ArrowRight' : 'ArrowLeft')
        const isNarrower = event.key === (direction() === 1 ? 'ArrowLeft' : 'ArrowRight')
        if (event.key === 'Enter') setBarWidth(bar, width === 0 ? undefined : 0)
        else if (isWider) resize(width === 0 ? least : width + step)
        else if (isNarrower) resize(width <= least ? 0 : width - step)
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
