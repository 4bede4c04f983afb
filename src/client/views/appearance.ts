import { effect, signal } from '@preact/signals-core'
import type { Store } from '#client/state/store.ts'
import './bars.ts'

const contrastQuery = matchMedia('(prefers-contrast: more)')
/** Whether the system asks for more contrast. */
const wantsContrast = signal(contrastQuery.matches)
contrastQuery.addEventListener('change', () => {
  wantsContrast.value = contrastQuery.matches
})

/**
 * Lets the user's settings of theme, size and width act on the page. To be called before anything is
 * drawn, or the browser lays all of it out twice.
 *
 * @returns stops it
 */
export function followAppearance(store: Store): () => void {
  return effect(() => {
    const settings = store.settings.value
    const root = document.documentElement
    const theme = { 1: undefined, 2: 'dark', 3: 'light' }[settings.color_scheme]
    if (theme) root.dataset.theme = theme
    else delete root.dataset.theme
    document
      .querySelector('meta[name="color-scheme"]')
      ?.setAttribute('content', theme ?? 'light dark')
    root.style.setProperty('--font-size', `${settings.web_font_size_px}px`)
    root.style.setProperty('--line', String(settings.web_line_height_percent / 100))
    root.toggleAttribute('data-wide', settings.fluid_layout_width)
    root.toggleAttribute('data-contrast', settings.high_contrast_mode || wantsContrast.value)
  })
}
