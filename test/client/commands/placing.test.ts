import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { CallError } from '#client/api/api.ts'
import { parameterOf, problemOf } from '#client/commands/attempt.ts'
import { problemAt, problemBelow } from '#client/commands/placing.ts'
import type { SaveStatus } from '#client/commands/use-save.ts'
import { setCatalogue } from '#client/ui/t.ts'
import { goOnline } from '#test/client/online.ts'
import { startServer } from '#test/support/server.ts'
import { type Catalogue, english } from '#translations/translate.ts'
import { readCatalogueFile } from '../../../.build/catalogues.ts'

const server = await startServer()
after(server.close)
after(() => setCatalogue(english))

const placed = ['name', 'pygments_language', 'url_template'] as const
const playground = { name: 'Site', pygments_language: 'Ada', url_template: 'https://x.org/{code}' }

/** What a form shows after the server has refused its call. */
async function refused(params: object, path = '/realm/playgrounds') {
  const { api } = await goOnline(server, 'owner')
  const error = await api.post(path, { ...params }).catch((each: unknown) => each)
  assert.ok(error instanceof CallError)
  const status: SaveStatus = {
    kind: 'failed',
    problem: problemOf(error),
    parameter: parameterOf(error),
  }
  return shownOf(status)
}

/** What is shown at each field, and below them. */
function shownOf(status: SaveStatus) {
  const problems = placed.flatMap((parameter) => {
    const problem = problemAt(status, parameter)
    return problem === undefined ? [] : [[parameter, problem]]
  })
  return { problems: Object.fromEntries(problems), other: problemBelow(status, placed) }
}

test('a form shows a refusal at the field of the parameter that the server names', async () => {
  assert.deepEqual(await refused({ ...playground, url_template: 'https://x.org/' }), {
    problems: {
      url_template: "The URL template must have exactly one variable, named 'code'.",
    },
    other: undefined,
  })
  assert.deepEqual(await refused({ ...playground, pygments_language: '{' }), {
    problems: { pygments_language: 'Invalid characters in pygments language' },
    other: undefined,
  })
})

test('a refusal of a parameter without a field, or of none, stands below the fields', async () => {
  const domain = await refused({ domain: '!', allow_subdomains: false }, '/realm/domains')
  assert.deepEqual(domain, { problems: {}, other: 'Invalid domain' })
  const status: SaveStatus = { kind: 'failed', problem: 'No network' }
  assert.deepEqual(shownOf(status), { problems: {}, other: 'No network' })
  assert.deepEqual(shownOf({ kind: 'saved' }), { problems: {}, other: undefined })
})

test('the field is the same in every language, the sentence that of the reader', async () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const { client } = readCatalogueFile(root, 'de')
  setCatalogue({ language: 'de', texts: client as Catalogue['texts'] })
  assert.deepEqual((await refused({ ...playground, name: ' ' })).problems, {
    name: 'Der Name darf nicht leer sein',
  })
  assert.deepEqual((await refused({ ...playground, name: 'x'.repeat(200) })).problems, {
    name: 'name ist zu lang (höchstens 100 Zeichen)',
  })
  setCatalogue(english)
})
