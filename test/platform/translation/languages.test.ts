import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { userLanguage } from '#features/foundation/users/language.queries.ts'
import { createLog } from '#platform/log/log.ts'
import { languageOf, ownProblems } from '#platform/translation/catalogues.ts'
import { negotiated } from '#platform/translation/languages.ts'
import { openBrowser } from '#test/support/browser.ts'
import { failure } from '#test/support/replies.ts'
import { startServer } from '#test/support/server.ts'

const data = mkdtempSync(join(tmpdir(), 'parley-languages-'))
const folder = join(data, 'translations')
mkdirSync(folder)
const write = (language: string, sections: object) =>
  writeFileSync(join(folder, `${language}.json`), JSON.stringify({ language, ...sections }))
write('ar', { server: { 'Log in to {organization}': 'ادخل إلى {organization}' } })
write('de', {
  client: { Inbox: 'Posteingang (unserer)' },
  server: { 'Log in to {organization}': 'Bei {organization} anmelden (unser Text)' },
})
const server = await startServer({ data, config: { keepMail: true } })
after(async () => {
  await server.close()
  rmSync(data, { recursive: true })
})
const { store } = server.server.context

describe('the language of a browser', () => {
  // biome-ignore format: a table reads best in columns
  const table: [accepted: string, code: string | undefined][] = [
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['en;q=0.5, fr',            'fr'],
    ['pt',                      'pt-br'],
    ['zh-CN',                   'zh-hans'],
    ['zh-TW',                   undefined],
    ['tlh, xx;q=0',             undefined],
    ['*',                       undefined],
    ['',                        undefined],
  ]
  for (const [accepted, code] of table) {
    test(`that asks for "${accepted}" is ${code}`, () => {
      assert.equal(negotiated(accepted), code)
    })
  }
})

describe('the log-in page', () => {
  const german = /<html lang="de" dir="ltr">[\s\S]*Bei Zulip Dev anmelden \(unser Text\)/

  test('speaks the language that the browser asks for, from the right where it is written so', async () => {
    const page = await openBrowser(server.url, { 'accept-language': 'de-CH' }).go('/login/')
    assert.match(page.text, german)
    const arabic = await openBrowser(server.url, { 'accept-language': 'ar' }).go('/login/')
    assert.match(arabic.text, /<html lang="ar" dir="rtl">[\s\S]*ادخل إلى Zulip Dev/)
  })

  test('keeps a language that someone chooses there, and leads back to no other site', async () => {
    const browser = openBrowser(server.url, { 'accept-language': 'fr' })
    assert.match((await browser.go('/login/')).text, /href="\/accounts\/language\/de\?next=/)
    const chosen = await browser.go('/accounts/language/de?next=%2Flogin%2F')
    assert.deepEqual([chosen.status, chosen.headers.get('location')], [303, '/login/'])
    assert.match((await browser.go('/login/')).text, german)
    const away = await browser.go('/accounts/language/tlh?next=https://example.com/')
    assert.equal(away.headers.get('location'), '/')
    assert.match((await browser.go('/login/')).text, german)
  })

  test('speaks that of the organization where the browser asks for none', async () => {
    await server.as('owner').patch('/realm', { default_language: 'de' })
    assert.match((await openBrowser(server.url).go('/login/')).text, german)
    await server.as('owner').patch('/realm', { default_language: 'en' })
  })
})

describe('an account', () => {
  test('has the page and its texts in its language, by a name that changes with them', async () => {
    const browser = openBrowser(server.url)
    await browser.fill('/login/', { email: 'hamlet@zulip.com', password: 'hamlet-password' })
    const textsOf = async () => /\/static\/client\/texts-[\w.-]+/.exec((await browser.go('/')).text)
    assert.equal(await textsOf(), null)
    await server.as('member').patch('/settings', { default_language: 'de' })
    const [path = ''] = (await textsOf()) ?? []
    const { texts } = JSON.parse((await browser.go(path)).text)
    assert.equal(texts.Inbox, 'Posteingang (unserer)')
    write('de', { client: { Inbox: 'Eingangskorb, neu' } })
    const [changed = ''] = (await textsOf()) ?? []
    assert.notEqual(changed, path)
    assert.equal((await browser.go(path)).status, 404)
    assert.equal(JSON.parse((await browser.go(changed)).text).texts.Inbox, 'Eingangskorb, neu')
    await server.as('member').patch('/settings', { default_language: 'en' })
  })

  test('chooses among the languages that there are', async () => {
    const unknown = await server.as('member').patch('/settings', { default_language: 'tlh' })
    assert.deepEqual(unknown, failure('Invalid default_language'))
  })
})

test('what does not fit in a file of the data folder is left out, and the operator is told', async () => {
  const key = 'Log in to {organization}'
  write('de', { server: { [key]: 'Anmelden' }, client: {} })
  const [problem = '', ...others] = ownProblems(store)
  assert.match(
    problem,
    /de\.json: "Log in to \{organization\}" has \{\} instead of \{organization\}/,
  )
  assert.deepEqual(others, [])
  write('de', { server: { [key]: '<b>{organization}</b>' } })
  assert.match(ownProblems(store)[0] ?? '', /HTML is not allowed/)
  writeFileSync(join(folder, 'de.json'), 'no JSON')
  await server.as('member').patch('/settings', { default_language: 'de' })
  const { t } = userLanguage(store, { id: server.ids.member })
  assert.doesNotMatch(t('Log in to {organization}', { organization: 'X' }), /<b>/)
  assert.equal(ownProblems(store).length, 1)
  rmSync(join(folder, 'de.json'))
  assert.deepEqual(ownProblems(store), [])
})

describe('a file of the data folder that is broken', () => {
  const key = 'Log in to {organization}'
  const own = 'Anmeldung: {organization}'
  const german = (sections: object) => JSON.stringify({ language: 'de', ...sections })
  // biome-ignore format: a table reads best in columns
  const table: [what: string, name: string, content: string, problem: RegExp, isUsed: boolean][] = [
    ['no JSON',              'de.json', '{"language": "de", ', /de\.json: .*JSON/,                        false],
    ['a list',               'de.json', '[]',                  /de\.json: /,                              false],
    ['another language',     'de.json', '{"language": "fr"}',  /language: "fr" instead of "de"/,          false],
    ['an unknown member',    'de.json', german({ clients: {} }), /clients/,                               false],
    ['an unknown language',  'tlh.json', '{}',                 /tlh\.json: not the file of a language/,   false],
    ['far too large',        'de.json', ' '.repeat(7e6),       /larger than/,                             false],
    ['a text of a wrong type', 'de.json', german({ server: { [key]: own, Help: 5 } }),        /"Help" /,  true],
    ['HTML in a text',       'de.json', german({ server: { [key]: own, Help: '<b>x</b>' } }), /"Help" HTML/, true],
    ['other placeholders',   'de.json', german({ server: { [key]: own, Help: '{x}' } }),      /"Help" has \{x\}/, true],
  ]
  for (const [what, name, content, problem, isUsed] of table) {
    test(`by ${what} is reported, and the texts that fit are used`, () => {
      const file = join(folder, name)
      writeFileSync(file, content)
      try {
        const problems = ownProblems(store).filter((each) => each.startsWith(file))
        assert.equal(problems.length, 1)
        assert.match(problems[0] ?? '', problem)
        const shown = languageOf(store, 'de').t(key, { organization: 'X' })
        assert.equal(shown, isUsed ? 'Anmeldung: X' : 'Bei X anmelden')
      } finally {
        rmSync(file)
      }
    })
  }

  test('does not keep a server from starting, which says so in its log', async () => {
    const other = mkdtempSync(join(tmpdir(), 'parley-languages-'))
    // A folder is as unreadable as a file can be.
    mkdirSync(join(other, 'translations', 'fr.json'), { recursive: true })
    const file = join(other, 'log')
    const log = createLog('warn', file)
    const started = await startServer({ data: other, log })
    await started.close()
    await new Promise((resolve) => log.flush(resolve))
    const lines = readFileSync(file, 'utf8').split('\n')
    const said = lines.filter((line) => line.includes('translations of the data folder'))
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /fr\.json/)
    rmSync(other, { recursive: true })
  })
})
