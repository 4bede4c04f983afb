import { html } from 'hono/html'
import type { JsonSchema } from '#platform/openapi/schemas.ts'
import type { Html } from '#platform/pages/html.ts'
import { type Text, text } from '#translations/translate.ts'

/** A row: a parameter, or a member of a reply or an object. */
export interface Row {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
  /** The location of a parameter, if not that of the endpoint's other parameters. */
  readonly place?: Html
  readonly deprecated?: boolean
  readonly description?: string | undefined
}

/** The members of an object as rows. */
export function memberRows({ properties = {}, required = [] }: JsonSchema): Row[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    typeof schema === 'object'
      ? [{ name, schema, required: required.includes(name), description: schema.description }]
      : [],
  )
}

interface Labels {
  readonly required?: Html
  readonly optional?: Html
}

/** @param labels the text beside the names of required and optional rows */
export function table(
  said: (english: Text) => Html,
  heading: Text,
  rows: readonly Row[],
  labels: Labels,
): Html {
  return html`<div class="wide"><table>
<thead><tr><th>${said(heading)}</th><th>${said(text('Type'))}</th><th>${said(text('Meaning'))}</th></tr></thead>
<tbody>${rows.map((row) => tableRow(row, labels))}</tbody>
</table></div>`
}

function tableRow(row: Row, labels: Labels): Html {
  const { name, schema, description, place } = row
  const isOld = row.deprecated || /^Deprecated\b/.test(description ?? '')
  const need = row.required ? labels.required : labels.optional
  const fallback = schema.default === undefined ? '' : JSON.stringify(schema.default)
  return html`<tr><th scope="row"><code class="${isOld ? 'old' : ''}">${name}</code>${
    need ? html` <small class="${row.required ? 'must' : ''}">${need}</small>` : ''
  }${place ? html` <small>${place}</small>` : ''}</th><td>${typeText(schema)}</td><td>${
    description === undefined ? '' : prose(description)
  }${fallback === '' ? '' : html` <span class="soft">Default: <code>${fallback}</code></span>`}</td></tr>
`
}

/** The type of a value in words, with links to named objects. */
export function typeText(schema: JsonSchema | boolean): Html {
  if (typeof schema === 'boolean') return html`anything`
  const { type } = schema
  const isList = Array.isArray(type) && type.includes('array')
  return html`${mainType(schema)}${isList && type.includes('null') ? ' or null' : ''}`
}

function mainType(schema: JsonSchema): Html {
  const { $ref, items, prefixItems, additionalProperties, properties } = schema
  if ($ref !== undefined) {
    const name = $ref.replace(/^.*\//, '')
    return html`<a href="#schema-${name}">${name}</a>`
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`
  if (schema.enum) return words(schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options) return joined(options.map(typeText), ' or ')
  if (prefixItems) return html`[${joined(prefixItems.map(typeText), ', ')}]`
  if (items !== undefined && !Array.isArray(items)) return html`list of ${typeText(items)}`
  if (properties) return inlineObject(schema)
  if (additionalProperties !== undefined) {
    return html`object with values: ${typeText(additionalProperties)}`
  }
  const types = [schema.type].flat().filter((type) => type !== undefined)
  return html`${types.length === 0 ? 'anything' : types.join(' or ')}${bounds(schema)}`
}

function words(values: readonly unknown[]): Html {
  const list = joined(
    values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
    ' ',
  )
  if (values.length <= 12) return html`one of ${list}`
  return html`<details><summary>one of ${values.length} words</summary>${list}</details>`
}

function inlineObject(schema: JsonSchema): Html {
  const members = memberRows(schema).map(
    ({ name, schema: inner, required }) =>
      html`<li><code>${name}</code>${required ? '' : '?'}: ${typeText(inner)}</li>`,
  )
  return html`object<ul>${members}</ul>`
}

function bounds({ maxLength, minLength, minimum, maximum, format }: JsonSchema): string {
  const parts = [
    ...(format === undefined ? [] : [format]),
    ...(minLength === undefined ? [] : [`at least ${minLength} characters`]),
    ...(maxLength === undefined ? [] : [`at most ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? [] : [`up to ${maximum}`]),
  ]
  return parts.length === 0 ? '' : `, ${parts.join(', ')}`
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, i) => html`${i === 0 ? '' : between}${part}`)}`
}

/** Renders text with `code` in backticks. */
export function prose(source: string): Html {
  const parts = source.split('`')
  return html`${parts.map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`
}
