import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser, sealOf } from '#test/support/browser.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
after(server.close)

const path = '/login/'
const email = 'iago@zulip.com'
const password = 'iago-password'
const browser = () => openBrowser(server.url)

test('the front page leads there, and from there to the web client', async () => {
  const user = browser()
  for (const page of ['/', '/connect', '/connect/zuliprc']) {
    const moved = await user.go(page)
    assert.deepEqual([moved.status, moved.headers.get('location')], [303, path])
  }
  const form = await user.go(path)
  assert.match(form.text, /Log in to Zulip Dev/)
  assert.equal(form.text.includes('Forgotten'), false, 'no mail is sent here')
  const entered = await user.fill(path, { email: ' IAGO@zulip.com', password })
  assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/'])
  assert.match((await user.go('/connect')).text, /You are logged in as Iago/)
})

test('what it runs are two scripts of this server: one keeps the link that was opened, one shows passwords', async () => {
  const { headers, text } = await browser().go(path)
  assert.match(headers.get('content-security-policy') ?? '', /; script-src 'self';/)
  const [, ...scripts] = text.split('<script')
  const sources = scripts.map((script) => script.split('>')[0])
  assert.deepEqual(sources, [' src="/static/login.js"', ' src="/static/show-password.js"'])
  const { headers: sent, text: code } = await browser().go('/static/login.js')
  assert.match(sent.get('content-type') ?? '', /^text\/javascript/)
  assert.match(code, /location\.hash/)
})

describe('a log-in over another session ends that one', () => {
  const isValid = async (session = '') =>
    (await fetch(`${server.url}/json/users/me`, { headers: { cookie: `sessionid=${session}` } })).ok

  test('by password', async () => {
    const user = browser()
    await user.fill(path, { email, password })
    const first = user.cookies.get('sessionid')
    assert.equal(await isValid(first), true)
    await user.fill(path, { email: 'hamlet@zulip.com', password: 'hamlet-password' })
    assert.deepEqual(
      [await isValid(first), await isValid(user.cookies.get('sessionid'))],
      [false, true],
    )
  })

  test('by a click in the development organization', async () => {
    const user = browser()
    await user.fill(path, { user_id: '10' }, '/devlogin')
    const first = user.cookies.get('sessionid')
    await user.fill(path, { user_id: '8' }, '/devlogin')
    assert.deepEqual(
      [await isValid(first), await isValid(user.cookies.get('sessionid'))],
      [false, true],
    )
  })
})

describe('the development organization', () => {
  test('lets anyone in as anyone with one click', async () => {
    const user = browser()
    assert.equal((await user.go('/devlogin')).headers.get('location'), path)
    const { text } = await user.go(path)
    const buttons = [
      ...text.matchAll(/<button name="user_id" value="(\d+)"><svg.+?<\/svg>([^<]+)</gs),
    ]
    assert.equal(buttons.length, 10, 'people, and neither bots nor who is deactivated')
    assert.ok(buttons.some(([, id, name]) => id === '10' && name === 'King Hamlet'))
    const entered = await user.go('/devlogin', { form: sealOf(text), user_id: '10' })
    assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/'])
    assert.match((await user.go('/connect')).text, /You are logged in as King Hamlet/)
  })

  test('lets nobody in as a bot, as nobody, or by the form of another site', async () => {
    const form = sealOf((await browser().go(path)).text)
    for (const typed of [
      { form, user_id: '16' },
      { form, user_id: '1' },
      { form, user_id: '999' },
      { form },
      { user_id: '10' },
    ]) {
      const user = browser()
      user.cookies.set('parley_form', form)
      const answer = await user.go('/devlogin', typed as Record<string, string>)
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, path])
      assert.equal(user.cookies.has('sessionid'), false)
    }
  })

  test('alone does so', async () => {
    const real = await startServer({ fixture: false })
    try {
      for (const form of [undefined, { user_id: '10' }]) {
        assert.equal((await openBrowser(real.url).go('/devlogin', form)).status, 404)
      }
    } finally {
      await real.close()
    }
  })
})

test('a wrong password, an unknown address and a bot are answered alike', async () => {
  const answers = []
  for (const typed of [
    { email, password: 'wrong' },
    { email: 'nobody@example.com', password },
    { email: 'default-bot@zulip.com', password },
    {},
  ]) {
    const page = await browser().fill(path, typed as Record<string, string>)
    assert.equal(page.status, 400)
    assert.match(page.text, /Your email address or password is incorrect\./)
    answers.push(page.text.replace(/value="[^"]*"/g, ''))
  }
  assert.equal(new Set(answers).size, 1)
})

test('what was typed is kept, escaped, but for the password', async () => {
  const page = await browser().fill(path, { email: '"><b>', password: 'secret words' })
  assert.match(page.text, /value="&quot;&gt;&lt;b&gt;"/)
  assert.equal(page.text.includes('secret words'), false)
})

test('another site cannot log anyone in, nor out', async () => {
  const user = browser()
  assert.equal((await user.go(path, { email, password })).status, 400)
  assert.equal(user.cookies.has('sessionid'), false)
  await user.fill(path, { email, password })
  await user.go('/logout/', { form: 'x'.repeat(64) })
  assert.equal((await user.go('/connect')).status, 200)
})

test('logging out ends this session and no other', async () => {
  const [one, other] = [browser(), browser()]
  for (const user of [one, other]) await user.fill(path, { email, password })
  const form = sealOf((await one.go('/connect')).text)
  const left = await one.go('/logout/', { form })
  assert.deepEqual([left.status, left.headers.get('location')], [303, path])
  assert.equal((await one.go('/connect')).status, 303)
  assert.equal((await other.go('/connect')).status, 200)
})

test('a deactivated user is told so, with the right password alone', async () => {
  await server.as('owner').del(`/users/${server.ids.cordelia}`)
  const cordelia = { email: 'cordelia@zulip.com', password: 'cordelia-password' }
  assert.match((await browser().fill(path, cordelia)).text, /Account is deactivated\./)
  const wrong = { ...cordelia, password: 'wrong' }
  assert.match((await browser().fill(path, wrong)).text, /incorrect\./)
})

test('after ten tries an address has to wait', async () => {
  const limited = await startServer({ config: { rateLimits: true } })
  try {
    const user = openBrowser(limited.url)
    for (let i = 0; i < 10; i++) {
      assert.equal((await user.fill(path, { email, password: 'wrong' })).status, 400)
    }
    const page = await user.fill(path, { email, password })
    assert.deepEqual([page.status, page.headers.get('retry-after')], [429, '30'])
  } finally {
    await limited.close()
  }
})

test('where mail can be sent, the way to another password is shown', async () => {
  const mailing = await startServer({ config: { smtpUrl: 'smtp://127.0.0.1:9' } })
  try {
    const { text } = await openBrowser(mailing.url).go(path)
    assert.match(text, /<a href="\/accounts\/password\/reset\/">Forgot your password\?<\/a>/)
  } finally {
    await mailing.close()
  }
})

test('there is nobody to log in before there is an organization', async () => {
  const empty = await startServer({ fixture: false })
  try {
    for (const form of [undefined, { email, password }]) {
      const page = await openBrowser(empty.url).go(path, form)
      assert.deepEqual([page.status, page.headers.get('location')], [302, '/'])
    }
  } finally {
    await empty.close()
  }
})
