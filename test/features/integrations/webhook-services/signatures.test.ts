import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Integration } from '#features/integrations/webhook-services/declaration.ts'
import { integrations } from '#features/integrations/webhook-services/list.ts'

const body = Buffer.from('{"a": 1}')
const secret = 'hush'
const now = 1_793_000_000

const hex = (hash: 'sha1' | 'sha256', text: string | Buffer = body, key = secret) =>
  createHmac(hash, key).update(text).digest('hex')
const stripe = (time: number, key = secret) =>
  `t=${time},v1=${hex('sha256', `${time}.${body}`, key)}`

/** What each service sends in which header. */
// biome-ignore format: a table reads best in columns
const signed: Readonly<Record<string, readonly [header: string, value: string]>> = {
  bitbucket2:  ['x-hub-signature',              `sha256=${hex('sha256')}`],
  bitbucket3:  ['x-hub-signature',              `sha256=${hex('sha256')}`],
  circleci:    ['circleci-signature',           `v1=${hex('sha256')}`],
  clubhouse:   ['payload-signature',            hex('sha256')],
  forgejo:     ['x-forgejo-signature',          hex('sha256')],
  gitea:       ['x-gitea-signature',            hex('sha256')],
  github:      ['x-hub-signature-256',          `sha256=${hex('sha256')}`],
  gitlab:      ['x-gitlab-token',               secret],
  gogs:        ['x-gogs-signature',             hex('sha256')],
  grafana:     ['x-grafana-alerting-signature', hex('sha256')],
  intercom:    ['x-hub-signature',              `sha1=${hex('sha1')}`],
  jira:        ['x-hub-signature',              `sha256=${hex('sha256')}`],
  linear:      ['linear-signature',             hex('sha256')],
  notion:      ['x-notion-signature',           `sha256=${hex('sha256')}`],
  openproject: ['x-op-signature',               `sha1=${hex('sha1')}`],
  pagerduty:   ['x-pagerduty-signature',        `v1=${'0'.repeat(64)},v1=${hex('sha256')}`],
  sentry:      ['sentry-hook-signature',        hex('sha256')],
  stripe:      ['stripe-signature',             stripe(now - 10)],
}

function verifies({ signature }: Integration, header: string, value: string | undefined): boolean {
  const request = { body, header: (name: string) => (name === header ? value : undefined) }
  return signature?.verify(secret, request, now) === true
}

test('every service that signs is known here', () => {
  const names = integrations.filter(({ signature }) => signature).map(({ name }) => name)
  assert.deepEqual(names, Object.keys(signed))
})

describe('a request is believed only with the right signature', () => {
  for (const service of integrations.filter(({ signature }) => signature)) {
    test(service.displayName, () => {
      const [header = '', value = ''] = signed[service.name] ?? []
      assert.equal(verifies(service, header, value), true)
      for (const wrong of [undefined, '', 'sha256=', value.slice(0, -1), `${value}0`, 'v1=,t=']) {
        assert.equal(verifies(service, header, wrong), false, wrong)
      }
    })
  }

  test('only at about the time at which it was made', () => {
    const service = integrations.find(({ name }) => name === 'stripe') as Integration
    for (const [time, isRight] of [
      [now - 299, true],
      [now - 301, false],
      [now + 301, false],
    ] as const) {
      assert.equal(verifies(service, 'stripe-signature', stripe(time)), isRight)
    }
    assert.equal(verifies(service, 'stripe-signature', stripe(now, 'other')), false)
  })
})

test('a key of GitLab signs the ID, the time and the body; the token alone proves nothing then', () => {
  const service = integrations.find(({ name }) => name === 'gitlab') as Integration
  const key = Buffer.from('a key of thirty-two bytes or more')
  const whsec = `whsec_${key.toString('base64')}`
  const signature = (time: number, id = 'one') =>
    `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
  const verify = (headers: Readonly<Record<string, string>>) =>
    service.signature?.verify(whsec, { body, header: (name) => headers[name] }, now) === true
  const sent = (time: number, value: string) => ({
    'webhook-id': 'one',
    'webhook-timestamp': String(time),
    'webhook-signature': value,
  })
  assert.ok(verify(sent(now - 299, signature(now - 299))))
  assert.ok(verify(sent(now, `v1,${'0'.repeat(44)} ${signature(now)}`)))
  assert.ok(!verify(sent(now - 301, signature(now - 301))))
  assert.ok(!verify(sent(now, signature(now, 'two'))))
  assert.ok(!verify({ 'x-gitlab-token': whsec }))
})
