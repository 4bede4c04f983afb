import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTimeZone } from '#platform/time-zone-names.ts'
import { timeZoneNamed } from '#platform/time-zones.ts'

describe('a time zone has its name in the IANA database', () => {
  // biome-ignore format: a table reads best in columns
  const names: [string, boolean][] = [
    ['Europe/Berlin',    true],
    ['Europe/Kyiv',      true],
    ['Europe/Kiev',      true],
    ['US/Pacific',       true],
    ['Canada/Saskatchewan', true],
    ['America/Argentina/Buenos_Aires', true],
    ['America/Port-au-Prince', true],
    ['Etc/GMT+5',        true],
    ['UTC',              true],
    ['EST5EDT',          true],
    ['W-SU',             true],
    ['PST',              false],
    ['IST',              false],
    ['JST',              false],
    ['SystemV/PST8PDT',  false],
    ['US/Pacific-New',   false],
    ['Canada/East-Saskatchewan', false],
    ['europe/berlin',    false],
    ['EUROPE/BERLIN',    false],
    ['utc',              false],
    ['Factory',          false],
    ['localtime',        false],
    ['constructor',      false],
    ['+02:00',           false],
    ['Berlin',           false],
    ['/UTC',             false],
    ['',                 false],
  ]
  for (const [name, expected] of names) {
    test(`${name === '' ? 'nothing' : name}: ${expected}`, () => {
      assert.equal(isTimeZone(name), expected)
      if (expected) assert.notEqual(timeZoneNamed(name), undefined)
    })
  }
})
