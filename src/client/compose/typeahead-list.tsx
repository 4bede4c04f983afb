import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { useApp } from '#client/app-context.ts'
import type { ComposeTarget } from '#client/state/compose-target.ts'
import { optionId } from '#client/ui/listbox.ts'
import { t } from '#client/ui/t.ts'
import { SuggestionList } from './suggestion-list.tsx'
import { type Typeahead, useTypeahead } from './use-typeahead.ts'

interface SuggestionsProps {
  readonly id: string
  readonly area: RefObject<HTMLTextAreaElement | null>
  /** The recipient. */
  readonly place: ComposeTarget
  readonly isHidden: boolean
  /** Gets what the keys and the text of the box tell. */
  readonly typeahead: RefObject<Typeahead | undefined>
}

/** Suggestions for the text of a box. The box exists before them, so they tell it what they show. */
export function Suggestions({ id, area, place, isHidden, typeahead }: SuggestionsProps) {
  const own = useTypeahead(useApp(), area, place)
  const { items, selected, update, pick } = own
  const isOffering = items.length > 0 && !isHidden
  useLayoutEffect(() => {
    typeahead.current = own
  })
  useLayoutEffect(() => {
    // What was typed before this was loaded.
    if (area.current && area.current === document.activeElement) update()
    return () => {
      typeahead.current = undefined
    }
  }, [])
  useLayoutEffect(() => {
    const box = area.current
    if (!box || !isOffering) return
    box.setAttribute('aria-controls', id)
    box.setAttribute('aria-activedescendant', optionId(id, selected))
    return () => {
      box.removeAttribute('aria-controls')
      box.removeAttribute('aria-activedescendant')
    }
  }, [isOffering, selected])
  if (!isOffering) return null
  return (
    <SuggestionList
      id={id}
      label={t('Suggestions')}
      items={items}
      selected={selected}
      onPick={pick}
    />
  )
}
