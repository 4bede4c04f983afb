import assert from 'node:assert/strict'
import { test } from 'node:test'
import { faceOf } from '#client/ui/avatar.tsx'
import { faceStyles, faces } from '#shared/tokens.ts'

test('only what the server draws is replaced by initials', () => {
  assert.equal(faceOf('/user_avatars/10.png?version=1'), 10)
  assert.equal(faceOf('/user_avatars/25.png?version=3'), 1)
  assert.equal(faceOf(`/user_avatars/uploaded/${'a'.repeat(64)}.png?version=2`), undefined)
  assert.equal(faceOf('/avatar/10'), undefined)
  assert.equal(faceOf('https://example.com/user_avatars/1.png'), undefined)
})

test('every gradient has a class, and is dark enough for white letters', () => {
  const drawn = faces.map((_, userId) => faceOf(`/user_avatars/${userId}.png`))
  assert.deepEqual(drawn, [...faces.keys()])
  assert.equal(faceOf(`/user_avatars/${faces.length}.png`), 0)
  for (const face of drawn) assert.match(faceStyles, new RegExp(`\\.avatar-face-${face} `))
  for (const colour of faces.flat()) {
    assert.ok(1.05 / (luminance(colour) + 0.05) >= 4.5, colour)
  }
})

/** @source WCAG 2.1, "relative luminance" */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
