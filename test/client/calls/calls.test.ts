import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CallKind, callKindOf, callServer, newCall } from '#client/calls/calls.ts'

const settings = {
  realm_url: 'https://chat.example.com',
  realm_video_chat_provider: 1,
  realm_available_video_chat_providers: {
    disabled: { id: 0 },
    jitsi_meet: { id: 1 },
    big_blue_button: { id: 4 },
    nextcloud_talk: { id: 7 },
    zoom: { id: 3 },
    constructor_groups: { id: 6 },
    zoom_server_to_server: { id: 5 },
  },
  server_nextcloud_url: 'https://cloud.example.com/nc',
  server_zoom_url: 'https://zoom.us',
  server_constructor_groups_url: 'https://my.constructor.app',
  realm_jitsi_server_url: null,
  server_jitsi_server_url: 'https://meet.example.org',
}

describe('where calls are made', () => {
  // biome-ignore format: a table reads best in columns
  const table: [why: string, changes: Partial<typeof settings> | object, server: string | undefined][] = [
    ['the server of the operator',            {},                                                             'https://meet.example.org'],
    ['that of the organization before it',    { realm_jitsi_server_url: 'https://jitsi.example.com' },        'https://jitsi.example.com'],
    ['without slashes at its end',            { realm_jitsi_server_url: 'https://jitsi.example.com//' },      'https://jitsi.example.com'],
    ['in a folder, without search and hash',  { realm_jitsi_server_url: 'http://example.com/calls/?a#b' },    'http://example.com/calls'],
    ['without a password in the address',     { realm_jitsi_server_url: 'https://me:secret@example.com/' },   'https://example.com'],
    ['nowhere, where calls are switched off', { realm_video_chat_provider: 0 },                               undefined],
    ['by way of this server',                 { realm_video_chat_provider: 4 },                               'https://chat.example.com/calls/bigbluebutton'],
    ['at the Nextcloud of the operator',      { realm_video_chat_provider: 7 },                               'https://cloud.example.com/nc/index.php/call'],
    ['at Zoom',                               { realm_video_chat_provider: 3 },                               'https://zoom.us/j'],
    ['at Zoom, in the account of the operator', { realm_video_chat_provider: 5 },                             'https://zoom.us/j'],
    ['in Constructor Groups',                 { realm_video_chat_provider: 6 },                               'https://my.constructor.app/groups/room'],
    ['nowhere, for an unknown provider',      { realm_video_chat_provider: 8 },                               undefined],
    ['nowhere, where it is configured no more', { realm_video_chat_provider: 4, realm_available_video_chat_providers: {} }, undefined],
    ['nowhere, without any server',           { server_jitsi_server_url: null },                              undefined],
    ['nowhere, for no address',               { realm_jitsi_server_url: 'meet' },                             undefined],
  ]
  for (const [why, changes, server] of table) {
    test(why, () => assert.equal(callServer({ ...settings, ...changes }), server))
  }
})

test('each call has a room of its own, with 128 random bits in its name', () => {
  const calls = Array.from({ length: 100 }, () => newCall('video', 'https://meet.example.org'))
  assert.equal(new Set(calls).size, 100)
  for (const call of calls) {
    assert.match(call, /^\[Join video call\.\]\(https:\/\/meet\.example\.org\/[0-9a-f]{32}\)$/)
  }
})

test('a voice call begins without the camera', () => {
  assert.match(
    newCall('voice', 'https://meet.example.org'),
    /^\[Join voice call\.\]\(https:\/\/meet\.example\.org\/[0-9a-f]{32}#config\.startWithVideoMuted=true\)$/,
  )
})

describe('a link is to a call', () => {
  const server = 'https://example.org/calls'
  // biome-ignore format: a table reads best in columns
  const table: [address: string, kind: CallKind | undefined][] = [
    ['https://example.org/calls/standup',                                       'video'],
    ['https://example.org/calls/1234#config.startWithVideoMuted=false',         'video'],
    ['https://example.org/calls/1234#config.startWithVideoMuted=true',          'voice'],
    ['https://example.org/calls/1#a=b&config.startWithVideoMuted=true',         'voice'],
    ['https://example.org/calls/join?meeting_id=1&voice_only=true',             'voice'],
    ['https://example.org/calls/join?meeting_id=1&voice_only=false',            'video'],
    ['https://EXAMPLE.org:443/calls/standup',                                   'video'],
    ['https://example.org/calls/',                                              undefined],
    ['https://example.org/calls/static/terms.html',                             undefined],
    ['https://example.org/other',                                               undefined],
    ['http://example.org/calls/standup',                                        undefined],
    ['https://example.org.evil.net/calls/standup',                              undefined],
    ['https://example.org@evil.net/calls/standup',                              undefined],
    ['https://me@example.org/calls/standup',                                    undefined],
    ['https://example.org/calls/../standup',                                    undefined],
    ['javascript:alert(1)//https://example.org/calls/standup',                  undefined],
    ['standup',                                                                 undefined],
  ]
  for (const [address, kind] of table) {
    test(`${address}: ${kind ?? 'no'}`, () => assert.equal(callKindOf(address, server), kind))
  }
})

describe('a link is to a meeting at Zoom', () => {
  // biome-ignore format: a table reads best in columns
  const table: [address: string, kind: CallKind | undefined][] = [
    ['https://zoom.us/j/123?pwd=a.1',          'video'],
    ['https://us02web.zoom.us/j/123',          'video'],
    ['https://example-company.zoom.us/j/123',  'video'],
    ['https://zoom.us/my/room',                undefined],
    ['http://zoom.us/j/123',                   undefined],
    ['https://zoom.us.evil.net/j/123',         undefined],
    ['https://evilzoom.us/j/123',              undefined],
    ['https://zoom.evil.us/j/123',             undefined],
  ]
  for (const [address, kind] of table) {
    test(`${address}: ${kind ?? 'no'}`, () => {
      assert.equal(callKindOf(address, 'https://zoom.us/j'), kind)
    })
  }
})
