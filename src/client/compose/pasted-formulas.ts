/** Pictures that Wikipedia and WordPress show for formulas. */
const pictures =
  'img.mwe-math-fallback-image-inline, img.mwe-math-fallback-image-display, img.latex'
const annotation = 'annotation[encoding="application/x-tex"]'

/** Makes the formulas of other pages what those of Parley are: KaTeX's, with their source in an annotation. */
export function readFormulas(body: HTMLElement): void {
  for (const picture of body.querySelectorAll(pictures)) {
    const isDisplay = picture.matches('.mwe-math-fallback-image-display')
    const around = picture.closest('.mwe-math-element') ?? picture
    around.replaceWith(formulaOf(picture, picture.getAttribute('alt'), isDisplay))
  }
  for (const math of body.querySelectorAll(`math:has(${annotation})`)) {
    if (math.closest('.katex')) continue
    const isDisplay = math.getAttribute('display') === 'block'
    math.replaceWith(formulaOf(math, math.querySelector(annotation)?.textContent, isDisplay))
  }
  // Some pages leave out the half that has the source.
  for (const formula of body.querySelectorAll('.katex:not(:has(annotation))')) {
    const source = formula.closest('[data-math]')?.getAttribute('data-math')
    formula.replaceWith(source ? formulaOf(formula, source) : (formula.textContent ?? ''))
  }
}

function formulaOf(
  { ownerDocument }: Element,
  source: string | null | undefined,
  isDisplay = false,
): Element {
  const formula = ownerDocument.createElement('span')
  formula.className = 'katex'
  const said = ownerDocument.createElement('annotation')
  said.textContent = withoutStyle(source ?? '')
  formula.append(said)
  if (!isDisplay) return formula
  const display = ownerDocument.createElement('span')
  display.className = 'katex-display'
  display.append(formula)
  return display
}

/** Wikipedia says in each formula how large it is. */
function withoutStyle(source: string): string {
  const [, inner] = /^\{\\(?:display|text)style(.*)\}$/s.exec(source.trim()) ?? []
  return (inner ?? source).trim()
}
