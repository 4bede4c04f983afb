import type { Alignment, Block, List } from './blocks.ts'
import { renderCode } from './code.ts'
import type { Context } from './context.ts'
import { renderInline } from './inline.ts'
import { renderDisplayMath } from './math.ts'

/** Renders blocks, each followed by a newline and its previews. */
export function renderBlocks(blocks: readonly Block[], context: Context): string {
  let html = ''
  for (const block of blocks) {
    const rendered = renderBlock(block, context)
    const previews = takePreviews(context)
    if (!isOnly(rendered, previews.instead)) html += `${rendered}\n`
    html += previews.html
    context.text.push('\n')
  }
  return html
}

function renderBlock(block: Block, context: Context): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${renderInline(block.text, context)}</p>`
    case 'text':
      return renderInline(block.text, context)
    case 'heading':
      return `<h${block.level}>${renderInline(block.text, context)}</h${block.level}>`
    case 'rule':
      return '<hr>'
    case 'quote':
      return renderQuote(block.blocks, context)
    case 'list':
      return renderList(block, context)
    case 'code':
      return renderCode(block.text, block.language, context)
    case 'math':
      return renderDisplayMath(block.text, context)
    case 'spoiler':
      return (
        `<div class="spoiler-block"><div class="spoiler-header">\n` +
        `${renderBlocks(block.header, context)}</div>` +
        `<div class="spoiler-content" aria-hidden="true">\n` +
        `${renderBlocks(block.blocks, context)}</div></div>`
      )
    case 'table':
      return renderTable(block, context)
  }
}

/**
 * Takes the previews of the block just rendered. `instead` is the HTML of the link that a single
 * preview may replace, if the block contains nothing else.
 */
function takePreviews(context: Context): { html: string; instead: string | undefined } {
  const previews = context.previews
  if (previews.length === 0) return noPreviews
  context.previews = []
  const html = previews.map((preview) => preview.html).join('')
  return { html, instead: previews.length === 1 ? previews[0]?.replaces : undefined }
}

function isOnly(rendered: string, link: string | undefined): boolean {
  return link !== undefined && (rendered === link || rendered === `<p>${link}</p>`)
}

const noPreviews = { html: '', instead: undefined }

function renderQuote(blocks: readonly Block[], context: Context): string {
  const outside = context.quoted
  context.quoted = true
  const html = `<blockquote>\n${renderBlocks(blocks, context)}</blockquote>`
  context.quoted = outside
  return html
}

function renderList(list: List, context: Context): string {
  const start = list.ordered && list.start !== '1' ? ` start="${list.start}"` : ''
  const tag = list.ordered ? 'ol' : 'ul'
  let html = `<${tag}${start}>\n`
  for (const item of list.items) html += `<li>${renderItem(item, context)}</li>\n`
  return `${html}</${tag}>`
}

/** Text of an item has no `<p>`. Previews come last, because clients expect nothing after them. */
function renderItem(item: readonly Block[], context: Context): string {
  let html = item[0] && item[0].kind !== 'text' ? '\n' : ''
  let shown = ''
  for (const block of item) {
    const rendered = renderBlock(block, context)
    const previews = takePreviews(context)
    if (!isOnly(rendered, previews.instead)) {
      html += block.kind === 'text' ? rendered : `${rendered}\n`
    }
    shown += previews.html
    context.text.push('\n')
  }
  return html + shown
}

function renderTable(block: Extract<Block, { kind: 'table' }>, context: Context): string {
  const row = (tag: string, cells: readonly string[]) =>
    `<tr>\n${cells
      .map((cell, column) => {
        const style = styleOf(block.align[column])
        context.text.push('\n')
        return `<${tag}${style}>${renderInline(cell, context)}</${tag}>\n`
      })
      .join('')}</tr>\n`
  return (
    `<table>\n<thead>\n${row('th', block.head)}</thead>\n` +
    `<tbody>\n${block.rows.map((cells) => row('td', cells)).join('')}</tbody>\n</table>`
  )
}

function styleOf(align: Alignment): string {
  return align ? ` style="text-align: ${align};"` : ''
}
