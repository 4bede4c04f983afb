import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Icons of which one side is the way on, or back. */
const pointing =
  /\b(?:Arrow|Chevron|Chevrons|CornerDown|CornerUp|SquareArrow|MoveHorizontal)?(?:Left|Right)\b|\b(?:ExternalLink|Forward|LogIn|LogOut|Reply|Send|SendHorizontal|TextQuote|List|ListTree|Undo2?|Redo2?)\b/

test('icons that point are mirrored from right to left', () => {
  const client = new URL('../../../src/client/', import.meta.url)
  const files = readdirSync(client, { recursive: true, encoding: 'utf8' })
  let seen = 0
  for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
    const source = readFileSync(new URL(file, client), 'utf8')
    const [, imported = ''] = /import \{([^}]*)\} from 'lucide'/.exec(source) ?? []
    for (const name of imported.split(',').map((each) => each.trim())) {
      if (pointing.exec(name)?.[0] !== name) continue
      seen++
      assert.ok(source.includes(`pointing(${name})`), `${file}: ${name}`)
    }
  }
  assert.ok(seen > 10)
})
