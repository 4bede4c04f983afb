import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { parseSetting, type Variable } from '#platform/config/variable.ts'
import { configVariables } from '#platform/config/variables.ts'
import { variables } from '#program/variables.ts'
import { parley } from '#test/support/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'parley-settings-'))
after(() => rmSync(folder, { recursive: true }))

const controls = [...'\u0001\u0007\b\t\n\v\f\r\u001b\u007f\u0080\u0085\u009b\u2028\u2029']
const broken = controls.map((character) => `a${character}b`)
const blanks = [' ', '  ', '   ', '    ', '     ']
const long = (length: number) => 'x'.repeat(length)

const notWeb =
  `chat.example.com localhost:9990 //chat.example.com ftp://chat.example.com http:// https://
  http:/chat.example.com https:chat.example.com https:///chat.example.com http://:80 http://a..b http://-a
  https://chat.example.com:99999 https://chat.example.com:0 https://1.2.3.999 https://*.example.com
  https://chat.example.com\\x javascript:alert(1) https://me@chat.example.com https://a%20b mailto:a@b.c`
    .trim()
    .split(/\s+/)
    .concat('https://chat example.com', 'https://chat\n.example.com')
const notPlain = ['https://a.example?x=1', 'https://a.example#x', 'https://a.example/?', ...notWeb]
const notAddresses = `ann ann@ @example.com ann@@ ann@.com ann@example..com ann@-a.com ann@a-.com
  <ann@example.com> a:b@example.com a;b@example.com a"b@example.com (ann)@example.com ann@[1.2.3.4
  ann@exam/ple.com ann@example.com:25 ann@1.2.3 mailto:ann@example.com ann@a@b.c[ ann@<b.com>`
  .trim()
  .split(/\s+/)
const notHosts = `http://a -a a- .a a..b a/b a:b [::1] ::g 1.2.3 1.2.3.4.5 256.1.1.1 a@b a%20b a?b
  * a#b a,b ${long(64)} ${`${long(60)}.`.repeat(5)}a`.split(/\s+/)
const notPorts = `-1 65536 99999 100000 +80 80.0 0x50 1e3 http 80/tcp :80 80: 80,81 ٨٠ NaN Infinity
  --80 0b11 8_0 80a`.split(/\s+/)
const notCounts = `-1 0 00 01 1.5 1e3 0x10 +1 1_000 1,000 one 1000000000 NaN Infinity 1MiB 1- -- ٣ ½ 1h`
const notFlags = `onn of ON! enabled disabled yess 2 -1 01 10 y n t f null undefined none default
  on,off true; 是`
const notPasswords = `https://a.example https://me@a.example https://me:@a.example me:word
  https://me:%E0@a.example https://me:word@ https://me:word@a..b ftp://me:word@a.example
  https://me:word@a.example/?x https://me:word@a.example#x https:me:word@a.example
  https:///me:word@a.example https://me:word@a.example:99999 https://me:word@-a https://me:word@1.2.3.999
  https://%zz:word@a.example smtp://me:word@a.example word https:// https://me:word@a.example/?`

/** Values that are wrong, by the form that a setting has to have. */
const wrong: Readonly<Record<string, readonly string[]>> = {
  'the path of a folder': [...broken, ...blanks],
  'the path of a file': [...broken, ...blanks],
  [parts('PARLEY_SOCKET')]: [...broken, ...blanks, long(200)],
  'a text of at most 1000 characters without control characters': [
    ...broken,
    ...blanks,
    long(1001),
  ],
  'printable ASCII characters without spaces, at most 1000': [...broken, ...blanks, 'ä', 'a b'],
  'a number from 0 to 65535': notPorts,
  'an IP address or a host name': notHosts,
  'a domain such as chat.example.com': [...notHosts, 'localhost', '10.0.0.1', 'a_b.example', '::1'],
  'an email address such as ann@example.com': notAddresses,
  'email addresses separated by spaces or commas': notAddresses,
  'an email address such as chat@example.com or Our chat <chat@example.com>': [
    ...notAddresses.filter((each) => !each.startsWith('<')),
    'Chat chat@example.com',
    'Chat <chat>',
    'Chat\n<chat@example.com>',
  ],
  'a web address such as https://example.com': notWeb,
  'an address such as https://chat.example.com, without a path': [
    'https://chat.example.com/path',
    ...notPlain,
  ],
  'a web address such as https://example.com/api, without a query': notPlain,
  'a web address with a password: https://USER:PASSWORD@HOST': notPasswords.split(/\s+/),
  'the address of giphy, klipy or tenor with a key: https://giphy:KEY@HOST':
    notPasswords.split(/\s+/),
  'the address of a mail server: smtps://USER:PASSWORD@HOST or smtp://HOST:PORT': [
    ...notWeb,
    'smtp://mail.example.com/inbox',
    'smtp://%zz:x@mail.example.com',
  ],
  'on or off': notFlags.split(/\s+/),
  'a region such as us-east-1': [...broken, ...blanks, 'us east', 'us_east', 'us/east'],
  'error, warn, info, debug or silent':
    `loud INFO Info warning trace fatal all none 0 1 2 3 error,warn
    on off true false verbose quiet 30 debugs`.split(/\s+/),
  'networks such as 10.0.0.0/8 or 127.0.0.1, separated by spaces or commas':
    `foo 10.0.0.0/40 10.0.0.0/
    10.0.0/8 10.0.0.0/-1 10.0.0.0/0x8 10.0.0.0/8/9 256.0.0.0/8 ::1/129 ::g localhost 10.0.0.0-10.0.0.9
    10.* * 127.1 /8 [::1] 10.0.0.0/8a 1.2.3.4:80 ::1/`.split(/\s+/),
  'origins such as https://example.com:8443, separated by spaces or commas': notPlain.filter(
    (each) => !/\s/.test(each),
  ),
  'limits such as drafts=200, separated by spaces or commas':
    `drafts drafts= =5 drafts=-1 drafts=many
    drafts:5 drafts==5 Drafts=5 drafts=1.5 drafts=1e3 drafts=0x5 dr-afts=5 5 = drafts=5;x=1
    drafts=1234567890123 drafts=+5 drafts=5MiB drafts=∞ drafts=٣ drafts=5/day`.split(/\s+/),
  'a pattern such as %s@mail.example.com':
    `mail.example.com @mail.example.com %s %s@ x@mail.example.com
    %s@a..b %s@-a %s@a_ %d@mail.example.com %S@mail.example.com %s@%s %s@mail/x <%s@mail.example.com>
    %s@mail.example.com, %s@@mail.example.com %s@1.2.3 s@% %%s %s@mail:25 ä%s@mail.example.com`.split(
      /\s+/,
    ),
  'a port, or a host and a port: 2525 or 10.0.0.5:25': [
    ...notPorts.filter((each) => each !== '0' && each !== '80:'),
    'a:b:25',
    '::1:25',
    ':25',
    '[]:25',
    '[::g]:25',
  ],
  'JSON with a list of providers, or the path of a file with it': [
    ...Array.from({ length: 12 }, (_, i) => `/missing/${i}.json`),
    '[',
    '[1]',
    '[null]',
    '[{}]',
    '[[]]',
    '["x"]',
    '[{"id":"x"}]',
    '{}',
  ],
  'a folder or s3://BUCKET/PREFIX': [
    ...broken,
    's3:vault',
    's3://',
    's3:///x',
    's3://Vault',
    's3://a b',
    'ftp://vault/x',
    'https://vault.example.com',
  ],
}

function parts(name: string): string {
  return find(name).kind.form
}

function find(name: string): Variable {
  const found = variables.find((each) => each.name === name)
  assert.ok(found)
  return found
}

/** At least twenty wrong values of a setting. */
function wrongValues({ kind }: Variable): readonly string[] {
  const values = /^a number of .* above 0$/.test(kind.form)
    ? notCounts.split(/\s+/)
    : (wrong[kind.form] ?? [])
  return values
}

describe('twenty wrong values are refused, with the name and what it must look like:', () => {
  for (const variable of variables) {
    test(variable.name, () => {
      const values = wrongValues(variable)
      assert.ok(new Set(values).size >= 20, `${variable.kind.form}: ${values.length}`)
      for (const value of values) {
        assert.throws(
          () => parseSetting(variable, value),
          ({ message }: Error) => {
            assert.ok(message.startsWith(`${variable.name} must be ${variable.kind.form}`), message)
            // biome-ignore lint/suspicious/noControlCharactersInRegex: none may reach a terminal
            assert.doesNotMatch(message, /[\u0000-\u001f\u007f]/)
            return true
          },
          JSON.stringify(value),
        )
      }
    })
  }
})

test('"parley config" shows all settings, and names each that is wrong, with exit code 2', async () => {
  for (let round = 0; round < 20; round++) {
    const env = Object.fromEntries(
      variables.map((each) => [each.name, wrongValues(each)[round] ?? '']),
    )
    const { code, out, err } = await parley(['config'], '', env)
    assert.equal(code, 2)
    for (const { name, kind } of variables) {
      assert.ok(out.includes(`${name} = wrong: see the end  (environment)\n`), name)
      assert.ok(err.includes(`${name} must be ${kind.form}`), name)
    }
    assert.match(err, /\nFor help, run: parley help wrong-setting\n$/)
  }
})

test('no command starts with a wrong setting: it says where that is, with exit code 2', async () => {
  const data = ['--data', join(folder, 'data')]
  const file = join(folder, 'parley.env')
  for (const variable of variables.filter(({ name }) => name !== 'PARLEY_DATA')) {
    const value = wrongValues(variable)[0] ?? ''
    const must = `${variable.name} must be ${variable.kind.form}`
    const env = { PARLEY_LOG_LEVEL: '', [variable.name]: value }
    const serve = await parley(['serve', ...data], '', env)
    assert.ok(serve.err.startsWith(must), serve.err)
    assert.deepEqual([serve.code, serve.out], [2, ''], variable.name)
    if (variable.option) {
      const option = await parley(['serve', ...data, `--${variable.option}`, value])
      assert.ok(option.err.startsWith(`--${variable.option} must be`), option.err)
      assert.equal(option.code, 2)
    }
    if (/[\n\r"'#\\`]/.test(value)) continue
    writeFileSync(file, `${variable.name}="${value}"\n`)
    const inFile = await parley(['serve', ...data, '--config', file], '', {
      PARLEY_LOG_LEVEL: '',
    })
    assert.ok(inFile.err.startsWith(`${file}: ${must}`), inFile.err)
    assert.equal(inFile.code, 2)
  }
})

describe('a switch', () => {
  const { externalContent } = configVariables
  for (const [words, isOn] of [
    ['on On ON true True TRUE yes Yes 1', true],
    ['off Off OFF false False FALSE no No 0', false],
  ] as const) {
    test(`${words} are ${isOn ? 'on' : 'off'}, and "parley config" shows that`, async () => {
      for (const word of words.split(' ')) {
        assert.equal(parseSetting(externalContent, word), isOn)
        const { out, code } = await parley(['config'], '', { PARLEY_EXTERNAL_PICTURES: word })
        const shown = `PARLEY_EXTERNAL_PICTURES = ${isOn ? 'on' : 'off'}  (environment)\n`
        assert.ok(out.includes(shown))
        assert.equal(code, 0)
      }
    })
  }
})

describe('values that are right', () => {
  // biome-ignore format: a table reads best in columns
  const table: [name: string, given: string, shown: string][] = [
    ['PARLEY_URL',             'https://chat.example.com/',       'https://chat.example.com'],
    ['PARLEY_URL',             'http://[::1]:9990',               'http://[::1]:9990'],
    ['PARLEY_URL',             'https://münchen.example',         'https://xn--mnchen-3ya.example'],
    ['PARLEY_HOST',            '::',                              '::'],
    ['PARLEY_HOST',            'fe80::1%eth0',                    'fe80::1%eth0'],
    ['PARLEY_MAIL_FROM',       'Our chat <chat@example.com>',     'Our chat <chat@example.com>'],
    ['PARLEY_MAIL_FROM',       'chat@localhost',                  'chat@localhost'],
    ['PARLEY_DOMAIN',          'Chat.Example.com',                'chat.example.com'],
    ['PARLEY_CAN_CHANGE_USER_EMAILS', 'ann@example.com, bob@münchen.example', 'ann@example.com bob@münchen.example'],
    ['PARLEY_ALLOWED_NETWORKS', '10.0.0.0/8,::1 fd00::/8',        '10.0.0.0/8 ::1 fd00::/8'],
    ['PARLEY_ZOOM_API',        'https://api.zoomgov.com/v2/',     'https://api.zoomgov.com/v2'],
    ['PARLEY_BACKUP_TO',       'backups of ours',                 'backups of ours'],
    ['PARLEY_LIMITS',          'drafts=200,channels_per_hour=50', 'drafts=200 channels_per_hour=50'],
  ]
  for (const [name, given, value] of table) {
    test(`${name} ${given}`, async () => {
      const { code, out, err } = await parley(['config'], '', { [name]: given })
      assert.deepEqual([code, err], [0, ''])
      assert.ok(out.includes(`${name} = ${value}  (environment)\n`), out)
    })
  }

  test('a mail server with a password and options of its connection', async () => {
    const env = {
      PARLEY_URL: 'https://chat.example.com',
      PARLEY_SMTP_URL: 'smtps://me%40x:word@[::1]:465/?name=chat.example.com',
    }
    const { out } = await parley(['config'], '', env)
    assert.match(out, /PARLEY_SMTP_URL = smtps:\/\/me%40x:hidden@\[::1\]:465/)
  })
})

describe('settings that need others', () => {
  // biome-ignore format: a table reads best in columns
  const rows: [NodeJS.ProcessEnv, RegExp][] = [
    [{ PARLEY_SMTP_URL: 'smtp://mail.example.com' }, /^PARLEY_SMTP_URL needs PARLEY_URL/],
    [{ PARLEY_MAIL_LISTEN: '2525' },                 /^PARLEY_MAIL_GATEWAY and PARLEY_MAIL_LISTEN need/],
    [{ PARLEY_BACKUP_TO: 's3://vault' },             /^PARLEY_BACKUP_TO on S3 needs PARLEY_S3_KEY_ID/],
    [{ PARLEY_LIMITS: 'draughts=5' },                /^PARLEY_LIMITS: There is no limit 'draughts'/],
  ]
  for (const [env, message] of rows) {
    test(Object.keys(env).join(), async () => {
      for (const command of [['config'], ['serve', '--data', join(folder, 'data')]]) {
        const { code, err } = await parley(command, '', env)
        assert.match(err, message)
        assert.equal(code, 2)
      }
    })
  }

  test('PARLEY_TLS_CERT without a key', async () => {
    const args = ['serve', '--data', join(folder, 'data')]
    const { code, err } = await parley(args, '', { PARLEY_TLS_CERT: '/x' })
    assert.match(err, /^--tls-cert \(PARLEY_TLS_CERT\) and --tls-key \(PARLEY_TLS_KEY\) need each/)
    assert.equal(code, 2)
  })

  test('a name of an owner that is too long is refused before anyone can log in', async () => {
    const env = {
      PARLEY_ORG: 'Ours',
      PARLEY_OWNER_EMAIL: 'ann@example.com',
      PARLEY_OWNER_NAME: 'A'.repeat(500),
      PARLEY_OWNER_PASSWORD: 'correct horse',
    }
    const args = ['serve', '--data', join(folder, 'new'), '--port', '0']
    const { code, err } = await parley(args, '', env)
    assert.match(err, /^PARLEY_OWNER_NAME: /)
    assert.equal(code, 2)
  })
})
