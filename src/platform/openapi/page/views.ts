import { html } from 'hono/html'
import { errorStatus } from '#platform/errors.ts'
import { errorMeanings } from '#platform/openapi/errors.ts'
import type { JsonSchema } from '#platform/openapi/schemas.ts'
import type { ApiDocument, ApiResponse, Operation } from '#platform/openapi/types.ts'
import { type Html, htmlDocument } from '#platform/pages/html.ts'
import { type Text, type Translator, text } from '#translations/translate.ts'
import { curlExample } from './examples.ts'
import { style } from './style.ts'
import { memberRows, prose, type Row, table, typeText } from './tables.ts'

interface OperationEntry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** Puts a text of the frame into the reader's language, amid English. */
type FrameText = (english: Text) => Html

const saidIn =
  ({ direction, language, t }: Translator): FrameText =>
  (english) =>
    language === 'en'
      ? html`${t(english)}`
      : html`<span lang="${language}" dir="${direction}">${t(english)}</span>`

/**
 * Renders the API description as one self-contained page: English, in a frame in the reader's
 * language.
 */
export async function apiPage(document: ApiDocument, language: Translator): Promise<string> {
  const { t } = language
  const said = saidIn(language)
  const { schemas } = document.components
  const listed = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const sections = document.tags.map(({ name }) => ({
    name,
    listed: listed.filter(({ operation }) => operation.tags.includes(name)),
  }))
  return await htmlDocument(
    language,
    `${document.info.title} API`,
    style,
    html`<nav aria-label="${t('Contents')}">
<a href="#top">${document.info.title} API</a>
${sections.map(contents)}
<h2><a href="#schemas">${t('Schemas')}</a></h2>
<h2><a href="#errors">${t('Errors')}</a></h2>
</nav>
<main id="top" lang="en" dir="ltr">
${introduction(document)}
${sections.map(
  (section) => html`<section>
<h2 id="${anchor(section.name)}">${section.name}</h2>
${section.listed.map((each) => article(document, each, said))}
</section>`,
)}
<section><h2 id="schemas">${said(text('Schemas'))}</h2>
${Object.entries(schemas).map(([name, schema]) => namedSchema(name, schema, said))}
</section>
${errorList(said)}
</main>`,
  )
}

function anchor(section: string): string {
  return `section-${section.toLowerCase().replaceAll(' ', '-')}`
}

function contents({ name, listed }: { name: string; listed: readonly OperationEntry[] }): Html {
  return html`<h2><a href="#${anchor(name)}">${name}</a></h2>
<ul>${listed.map(
    ({ method, path, operation }) =>
      html`<li><a href="#${operation.operationId}">${methodLabel(method)} <span dir="ltr">${breakable(path)}</span></a></li>`,
  )}</ul>
`
}

/** A path that may wrap before each of its parts. */
function breakable(path: string): Html {
  return html`${path.split('/').map((part, i) => (i === 0 ? '' : html`<wbr>/${part}`))}`
}

function methodLabel(method: string): Html {
  const short = method === 'DELETE' ? 'DEL' : method
  return html`<span class="method ${method.toLowerCase()}">${short}</span>`
}

function introduction({ info }: ApiDocument): Html {
  return html`<h1>${info.title} API</h1>
<p class="soft">Version ${info.version}. For programs: <a href="/api/v1/openapi.json">openapi.json</a>,
an OpenAPI 3.1 document.</p>
${info.description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}
<p>All paths are below <code>/api/v1</code>. Unless stated otherwise, an endpoint requires HTTP Basic
authentication: the API email of a user or bot, and the API key. The examples take them from the
shell:</p>
<pre>SITE=https://chat.example.com EMAIL=you@example.com KEY=your-api-key</pre>
`
}

function article(
  document: ApiDocument,
  { method, path, operation }: OperationEntry,
  said: FrameText,
): Html {
  const { operationId, summary, description, deprecated, security } = operation
  return html`<article id="${operationId}">
<h3><a href="#${operationId}"><span class="method ${method.toLowerCase()}">${method}</span><code>${path}</code></a>
${deprecated ? html`<span class="tag">${said(text('deprecated'))}</span>` : ''}
${security?.length === 0 ? html`<span class="tag">${said(text('needs no account'))}</span>` : ''}</h3>
<p>${prose(summary)}</p>
${description === undefined ? '' : description.split('\n\n').map((text) => html`<p>${prose(text)}</p>`)}
${parameterTable(operation, said)}
${replyTable(operation, said)}
${ownErrors(document, operation, said)}
<details class="more"><summary>${said(text('Example'))}</summary>
<pre>${curlExample(document, method, path, operation)}</pre></details>
</article>
`
}

function parameterTable({ parameters = [], requestBody }: Operation, said: FrameText): Html {
  const [form] = Object.values(requestBody?.content ?? {})
  const outside = parameters.map(
    (parameter): Row => ({
      name: parameter.name,
      schema: parameter.schema ?? parameter.content?.['application/json']?.schema ?? {},
      required: parameter.required ?? false,
      description: parameter.description,
      ...(parameter.in === 'path' && { place: said(text('in the path')) }),
      ...(parameter.deprecated && { deprecated: true }),
    }),
  )
  const rows = [...outside, ...(form ? memberRows(form.schema) : [])]
  if (rows.length === 0) return html``
  const labels = { required: said(text('required')) }
  return folded(said, text('Parameters'), rows, table(said, text('Parameter'), rows, labels))
}

function replyTable({ responses }: Operation, said: FrameText): Html {
  const data = recordOf(responses[200])
  if (data) {
    const row: Row = { name: 'data', schema: data, required: true }
    return html`<h4>${said(text('Each record'))}</h4>${table(said, text('Field'), [row], {})}`
  }
  const [success = {}] = schemasOf(responses[200])
  const rows = memberRows(success).filter(({ name }) => !everyReply.has(name))
  if (rows.length === 0) return html``
  const labels = { optional: said(text('can be absent')) }
  return folded(said, text('Response'), rows, table(said, text('Field'), rows, labels))
}

const everyReply = new Set(['result', 'msg', 'ignored_parameters_unsupported'])

/** The most rows that a table shows unfolded. */
const manyRows = 40

function folded(said: FrameText, title: Text, rows: readonly Row[], content: Html): Html {
  if (rows.length <= manyRows) return html`<h4>${said(title)}</h4>${content}`
  return html`<h4>${said(title)}</h4><details class="more"><summary>${said(text('Show all'))} (${rows.length})</summary>${content}</details>`
}

/** The schemas of a response: several if a success and an error share the status. */
function schemasOf(response: ApiResponse | { $ref: string } | undefined): JsonSchema[] {
  if (!response || '$ref' in response) return []
  const schema = response.content['application/json']?.schema ?? {}
  return (schema.anyOf ?? [schema]).filter((option) => typeof option === 'object')
}

/** The data of the records of server-sent events; undefined: the reply is none. */
function recordOf(response: ApiResponse | { $ref: string } | undefined): JsonSchema | undefined {
  if (!response || '$ref' in response) return undefined
  return response.content['text/event-stream']?.schema.contentSchema
}

function codesOf(response: ApiResponse | { $ref: string } | undefined): string[] {
  return schemasOf(response).flatMap(({ properties }) => {
    const code = properties?.code
    return typeof code === 'object' ? [...(code.enum ?? []), code.const].map(String) : []
  })
}

/** The error codes specific to an endpoint. */
function ownErrors({ components }: ApiDocument, { responses }: Operation, said: FrameText): Html {
  const usual = new Set(Object.values(components.responses).flatMap(codesOf))
  const own = Object.values(responses)
    .flatMap(codesOf)
    .filter((code) => Object.hasOwn(errorStatus, code) && !usual.has(code))
  if (own.length === 0) return html``
  return html`<h4>${said(text('Errors'))}</h4><p>${own.map(
    (code, i) => html`${i === 0 ? '' : ', '}<a href="#error-${code}"><code>${code}</code></a>`,
  )}, in addition to the common ones</p>`
}

function namedSchema(name: string, schema: JsonSchema, said: FrameText): Html {
  const rows = memberRows(schema)
  return html`<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>
${
  rows.length > 0
    ? folded(
        said,
        text('Fields'),
        rows,
        table(said, text('Field'), rows, { optional: said(text('can be absent')) }),
      )
    : options(schema)
}</article>
`
}

/** The description of a named schema without members. */
function options(schema: JsonSchema): Html {
  const each = schema.anyOf ?? schema.oneOf
  if (!each) return html`<p>${typeText(schema)}</p>`
  return html`<p>One of:</p><ul class="options">${each.map((option) => html`<li>${typeText(option)}</li>`)}</ul>`
}

function errorList(said: FrameText): Html {
  const rows = Object.entries(errorMeanings).map(
    ([code, { meaning, members = {} }]) =>
      html`<tr id="error-${code}"><th scope="row"><code>${code}</code></th><td>${
        errorStatus[code as keyof typeof errorStatus]
      }</td><td>${prose(meaning)}${
        Object.keys(members).length === 0
          ? ''
          : html` <span class="soft">With ${Object.keys(members).map(
              (name, i) => html`${i === 0 ? '' : ', '}<code>${name}</code>`,
            )}.</span>`
      }</td></tr>
`,
  )
  return html`<section><h2 id="errors">${said(text('Errors'))}</h2>
<p>An error has <code>result</code> <code>"error"</code>, a <code>msg</code> for the user,
and a <code>code</code>:</p>
<div class="wide"><table><thead><tr><th>${said(text('Code'))}</th><th>${said(text('Status'))}</th><th>${said(text('Meaning'))}</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`
}
