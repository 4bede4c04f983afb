import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'

interface Import {
  /** Path below src/ of the file that imports. */
  readonly file: string
  /** The imported module: a path below src/ for a file of our own, or a package. */
  readonly target: string
  /** The imported names, as written. */
  readonly names: string
  /** Whether it imports anything but types. */
  readonly values: boolean
}

const source = fileURLToPath(new URL('../../src/', import.meta.url))
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.(ts|tsx)$/.test(file),
)
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))
const imports = files.flatMap((file) => importsOf(file, texts.get(file) ?? ''))

function importsOf(file: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+([^'"]*?)\s*from\s+'([^']+)'/gm)
  return [...statements].map(([, names = '', target = '']) => ({
    file,
    target: resolved(file, target),
    names,
    values: !/^type\b/.test(names) && !onlyTypes(names),
  }))
}

function resolved(file: string, target: string): string {
  if (target.startsWith('#')) return target.slice(1)
  return target.startsWith('.') ? join(dirname(file), target) : target
}

function onlyTypes(names: string): boolean {
  const inner = /^\{([^}]*)\}$/s.exec(names.trim())?.[1]
  const each = inner?.split(',').filter((name) => name.trim() !== '')
  return each?.every((name) => name.trim().startsWith('type ')) ?? false
}

/** What is loaded later counts as well: it is no way around an order. */
const lazyImports = files.flatMap((file): Import[] =>
  [...(texts.get(file) ?? '').matchAll(/\bimport\('([^']+)'\)/g)].map(([, target = '']) => ({
    file,
    target: resolved(file, target),
    names: '',
    values: true,
  })),
)

const list = (found: readonly Import[]) => found.map(({ file, target }) => `${file} -> ${target}`)
/** `actions` for `actions.ts` and `editing.actions.ts` alike. */
const role = (path: string) => basename(path, '.ts').split('.').at(-1) ?? ''
/** The name of a feature's folder, on whatever shelf it stands. */
const featureOf = (path: string) => /^features\/[^/]+\/([^/]+)\//.exec(path)?.[1]
/** Where a feature stands: `features/messaging/drafts`. */
const placeOf = (path: string) => /^features\/[^/]+\/[^/]+/.exec(path)?.[0] ?? ''
const inFeatures = files.filter((file) => featureOf(file) !== undefined)
/** The files among `asked` whose text matches the pattern. */
const having = (pattern: RegExp, asked: readonly string[]) =>
  asked.filter((file) => pattern.test(texts.get(file) ?? ''))

test('the tests of a feature or of a part of the platform are in the folder of the same name', () => {
  const foldersOf = (folder: string) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
  const shelves = foldersOf(join(source, 'features')).map((shelf) => `features/${shelf}`)
  for (const floor of ['features', ...shelves, 'platform', 'program']) {
    const known = foldersOf(join(source, floor))
    const tested = existsSync(join(source, '../test', floor))
      ? foldersOf(join(source, '../test', floor))
      : []
    assert.deepEqual(
      tested.filter((name) => !known.includes(name)),
      [],
      floor,
    )
  }
})

describe('floors', () => {
  const floors = ['platform', 'features', 'program']
  const floorOf = (path: string) => floors.indexOf(path.split('/')[0] ?? '')

  test('imports point downwards, including imports of types: program, features, platform', () => {
    const upwards = imports.filter(({ file, target }) => {
      const [from, to] = [floorOf(file), floorOf(target)]
      return from >= 0 && to > from
    })
    assert.deepEqual(list(upwards), [])
  })

  test('the client takes types from features and platform, and nothing else', () => {
    const taken = imports.filter(
      ({ file, target, values }) =>
        file.startsWith('client/') &&
        (values ? floorOf(target) >= 0 : target.startsWith('program/')),
    )
    assert.deepEqual(list(taken), [])
  })

  test('nothing of the server imports the client: it is bundled by the path of its file', () => {
    const taking = imports.filter(
      ({ file, target }) => !file.startsWith('client/') && target.startsWith('client/'),
    )
    assert.deepEqual(list(taking), [])
    assert.deepEqual(having(/client\/main\.tsx/, files), ['features/web/web-client/bundle.ts'])
  })

  test('state, lists and narrows of the client know no browser', () => {
    const pure = files.filter((file) => /^client\/(state|lists|narrow)\//.test(file))
    const browser =
      /\b(document|window|localStorage|sessionStorage|location|history)\b\.|\bfrom 'preact/
    assert.deepEqual(having(browser, pure), [])
  })

  test('no file reaches out of its folder with ../', () => {
    const reaching = having(/from '\.\.\//, files)
    assert.deepEqual(reaching, [])
  })

  test('no files import values from each other in a circle', () => {
    assert.deepEqual(circles(imports.filter(({ values }) => values)), [])
  })

  test('no more than two files import each other in a circle, later and for types as well', () => {
    assert.deepEqual(circles([...imports, ...lazyImports], 2), [])
  })
})

/** The files that reach themselves, in circles of more than `most`. */
function circles(edges: readonly Import[], most = 0): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { file, target } of edges) {
    const known = targets.get(file) ?? new Set()
    targets.set(file, known.add(target))
  }
  const reaches = new Map<string, ReadonlySet<string>>()
  for (const from of targets.keys()) {
    const found = new Set(targets.get(from))
    // Iterating over a set also visits values that are added meanwhile.
    for (const next of found) for (const further of targets.get(next) ?? []) found.add(further)
    reaches.set(from, found)
  }
  const circleOf = (file: string) =>
    [...(reaches.get(file) ?? [])].filter((other) => reaches.get(other)?.has(file))
  return [...targets.keys()].filter((file) => circleOf(file).length > most).sort()
}

describe('features', () => {
  /** Each shelf may use those below it. */
  const order = `
    web
    organization
    access
    people
    channels
    notifications
    integrations
    messaging
    files
    foundation`
    .trim()
    .split(/\s+/)
  const shelfOf = (path: string) => /^features\/([^/]+)\//.exec(path)?.[1]
  const between = [...imports, ...lazyImports].filter(
    ({ file, target }) => featureOf(file) !== undefined && featureOf(target) !== undefined,
  )

  test('shelves import only from those below them, later and for types as well', () => {
    const upwards = between.filter(
      ({ file, target }) =>
        order.indexOf(shelfOf(target) ?? '') < order.indexOf(shelfOf(file) ?? ''),
    )
    assert.deepEqual([...new Set(list(upwards))].sort(), [])
  })

  test('every shelf is in the order', () => {
    assert.deepEqual([...new Set(inFeatures.map(shelfOf))].sort(), [...order].sort())
  })

  test('the features of a shelf use each other one way only, later and for types as well', () => {
    const edges = between
      .map((each) => ({ ...each, file: placeOf(each.file), target: placeOf(each.target) }))
      .filter(({ file, target }) => file !== target)
    assert.deepEqual(circles(edges), [])
  })

  /** What is large and has few users, and the files through which all others use it. */
  const doors: Readonly<Record<string, string>> = {
    'features/organization/imports':
      'feature.ts source.ts summary.ts import.actions.ts joining-links.actions.ts reading/csv.ts',
    'features/organization/exports':
      'feature.ts shapes.ts queries.ts tar.ts zulip/format.ts history/history.shapes.ts history/making.actions.ts history/scopes.ts',
    'features/integrations/webhook-services':
      'list.ts declaration.ts rendering.ts fields.ts filters.ts format.ts text.ts signatures.ts',
  }
  for (const [place, door] of Object.entries(doors)) {
    test(`others use ${place} by its door`, () => {
      const used = [...imports, ...lazyImports].filter(
        ({ file, target }) => placeOf(file) !== place && placeOf(target) === place,
      )
      const names = new Set(used.map(({ target }) => target.slice(place.length + 1)))
      assert.deepEqual([...names].sort(), door.split(' ').sort())
    })
  }

  test('a manifest has the name of its folder', () => {
    const named = inFeatures.filter((file) => basename(file) === 'feature.ts')
    const others = named.filter((file) => {
      const name = basename(dirname(file)).replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
      return !new RegExp(`^export (?:const|function) ${name}\\b`, 'm').test(texts.get(file) ?? '')
    })
    assert.deepEqual(others, [])
  })

  test('every feature with routes, state, jobs or quotas has a manifest, which the program lists', () => {
    const taking = inFeatures.filter((file) =>
      ['routes', 'state', 'jobs', 'quotas'].includes(role(file)),
    )
    const listed = texts.get('program/features.ts') ?? ''
    const missing = [...new Set(taking.map(placeOf))].filter(
      (name) =>
        !existsSync(join(source, `${name}/feature.ts`)) ||
        !listed.includes(`'#${name}/feature.ts'`),
    )
    assert.deepEqual(missing, [])
  })

  test('a manifest lists all routes, states, jobs and quotas of its folder', () => {
    const left = inFeatures.filter((file) => {
      if (!['routes', 'state', 'jobs', 'quotas'].includes(role(file))) return false
      const manifest = `${placeOf(file)}/feature.ts`
      return !imports.some((each) => each.file === manifest && each.target === file)
    })
    assert.deepEqual(left, [])
  })
})

describe('the client', () => {
  /** Each folder, and each file beside them, may use those below it. */
  const order = `
    main sw spectator
    start
    shell
    keys
    search
    settings
    notices views
    actions
    compose
    messages
    calls
    commands
    app-context router
    app
    lists
    narrow
    state
    ui
    api`
    .trim()
    .split(/\s+/)
  /** The folder of the client's file, or its name beside them; undefined outside the client. */
  const floorOf = (path: string) => /^client\/([^/.]+)/.exec(path)?.[1]
  const inClient = files.filter((file) => floorOf(file) !== undefined)
  const inside = [...imports, ...lazyImports].filter(
    ({ file, target }) => floorOf(file) !== undefined && floorOf(target) !== undefined,
  )

  test('its folders import only from those below them, later and for types as well', () => {
    const upwards = inside.filter(({ file, target, values }) => {
      // Types of what all share: `App` declares it, and building blocks draw it.
      if (!values && ['app', 'ui'].includes(floorOf(file) ?? '')) return false
      return order.indexOf(floorOf(target) ?? '') < order.indexOf(floorOf(file) ?? '')
    })
    assert.deepEqual(list(upwards), [])
  })

  test('each of its folders is in the order', () => {
    assert.deepEqual([...new Set(inClient.map(floorOf))].sort(), [...order].sort())
  })
})

describe('roles', () => {
  test('values are imported from routes through actions to queries, never the other way', () => {
    const order = ['routes', 'actions', 'queries']
    const backwards = imports.filter(({ file, target, values }) => {
      const from = order.indexOf(role(file))
      const to = order.indexOf(role(target))
      return values && from >= 0 && to >= 0 && to < from
    })
    assert.deepEqual(list(backwards), [])
  })

  test('only the HTTP layer, routes, parameters and pages depend on HTTP', () => {
    const outsiders = imports.filter(
      ({ file, target, values }) =>
        values &&
        /^(platform\/http\/|hono\b|@hono\/)/.test(target) &&
        !/^platform\/(http|pages|openapi)\//.test(file) &&
        !file.startsWith('program/') &&
        !['routes', 'pages', 'params', 'views'].includes(role(file)),
    )
    assert.deepEqual(list(outsiders), [])
  })

  test('only what cannot do without makes requests and replies of the platform', () => {
    const heavy = having(
      /\bc\.(body|header|html|json|redirect|text)\(|\bnew (Headers|Request|Response)\(|instanceof (Headers|Request|Response)\b/,
      files.filter((file) => !/^(client|shared)\/|\bclient\//.test(file)),
    )
    assert.deepEqual(heavy.sort(), [
      // A parser of multipart bodies, and what a library of OpenID Connect takes.
      'features/foundation/identity-providers/oidc.actions.ts',
      'platform/http/light/reply.ts',
      'platform/http/light/request.ts',
      'platform/multipart.ts',
    ])
  })

  test('only queries contain SQL', () => {
    const sql = having(
      /(?<!\\)\.db\b|\bprepared(Sql|Insert)?(<[^>]*>)?\(|\bsql`|\bcached\(/,
      inFeatures.filter((file) => role(file) !== 'queries'),
    )
    assert.deepEqual(sql, [])
  })

  test('only actions and events emit', () => {
    const emitting = having(
      /\.emit\(|\bemitPersonal\(/,
      inFeatures.filter((file) => !['actions', 'events'].includes(role(file))),
    )
    assert.deepEqual(emitting, [])
  })

  test('only actions, queries and events change rows', () => {
    const writing = having(
      /\btx\b/,
      inFeatures.filter(
        (file) =>
          !['routes', 'pages', 'jobs', 'actions', 'queries', 'events', 'feature'].includes(
            role(file),
          ),
      ),
    )
    assert.deepEqual(writing, [])
  })

  test('a file without a role is pure: it takes neither the store nor the server', () => {
    const roles =
      'routes params actions queries events json shapes state pages views jobs rules quotas'
    const known = [...roles.split(' '), 'access', 'mails', 'texts', 'feature']
    const impure = imports.filter(
      ({ file, target, names }) =>
        featureOf(file) !== undefined &&
        !known.includes(role(file)) &&
        target.startsWith('platform/') &&
        /\b(Read|Tx|Store|Caller|Context)\b/.test(names),
    )
    assert.deepEqual(list(impure), [])
  })
})

describe('authority', () => {
  test('a route that writes uses no account read before the write', () => {
    const routes = inFeatures.filter((file) => role(file) === 'routes')
    const endpoints = routes.flatMap((file) =>
      (texts.get(file) ?? '').split(/(?=\w*[eE]ndpoint\(\{)/).map((text) => ({ file, text })),
    )
    const kept =
      /\brun(: (async )?)?\(\{[^{}]*\buser\b|\{[^{}]*\buser\b[^{}]*\} = caller\b|= caller\.user\b/
    const keeping = endpoints.filter(({ text }) => text.includes('.write(') && kept.test(text))
    assert.deepEqual(
      keeping.map(({ file }) => file),
      [],
    )
  })

  test('only authentication and the fixture create callers', () => {
    const making = having(/\bcreateCaller\(|\bnoCredential\(/, files)
    assert.deepEqual(making.sort(), [
      'platform/http/authenticate.ts',
      'platform/http/caller.ts',
      'program/fixture/messages.ts',
      'program/fixture/team/send.ts',
    ])
  })
})

test('every folder of the platform and every shelf says in a README on less than a page what holds there', () => {
  for (const floor of ['platform', 'features']) {
    const folders = readdirSync(join(source, floor), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    )
    for (const { name } of folders) {
      const path = join(source, floor, name, 'README.md')
      assert.ok(existsSync(path), `${path} is missing`)
      assert.ok(readFileSync(path, 'utf8').split('\n').length <= 26, `${path} is too long`)
    }
  }
})

test('what server and client both run imports nothing but itself, and knows neither browser nor Node', () => {
  const shared = files.filter((file) => file.startsWith('shared/'))
  const outside = imports.filter(
    ({ file, target }) => file.startsWith('shared/') && !target.startsWith('shared/'),
  )
  assert.deepEqual(list(outside), [])
  assert.deepEqual(having(/\b(document|window|process|Buffer)\b\./, shared), [])
})

test('features know nothing of the bytes of shared replies', () => {
  const outsiders = imports.filter(
    ({ file, target }) =>
      /^platform\/shared-replies\/(bytes|crc)\.ts$/.test(target) && featureOf(file) !== undefined,
  )
  assert.deepEqual(list(outsiders), [])
})

test('the store depends on no HTTP, jobs or files, but on the names of emoji', () => {
  const others = imports.filter(
    ({ file, target, values }) =>
      values &&
      file.startsWith('platform/store/') &&
      /^platform\/(?!store\/|emoji-data\/)/.test(target),
  )
  assert.deepEqual(list(others), [])
})

test('Markdown is pure: it imports neither the database nor any feature', () => {
  const impure = imports.filter(
    ({ file, target, values }) =>
      values &&
      file.startsWith('platform/markdown/') &&
      /^(platform|features|program)\//.test(target) &&
      !/^platform\/(markdown|emoji-data)\//.test(target),
  )
  assert.deepEqual(list(impure), [])
})

test('the environment is read only for the configuration and to find the cache folder', () => {
  assert.deepEqual(having(/process\.env/, files).sort(), [
    'platform/store/cache-folder.ts',
    'program/config.ts',
  ])
})

test('times come only from the clock', () => {
  const server = files.filter((file) => !file.startsWith('client/'))
  assert.deepEqual(having(/\bDate\.now\(|new Date\(\)/, server), ['platform/clock.ts'])
  const pure = files.filter((file) => /^client\/(state|lists|narrow)\//.test(file))
  assert.deepEqual(having(/\bDate\.now\(|new Date\(\)/, pure), ['client/state/clock.ts'])
})
