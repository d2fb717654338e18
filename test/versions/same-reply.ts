/** Compares a reply with that of a former version: members and, in lists that grow, rows may have been added since. */
import assert from 'node:assert/strict'

type Row = Record<string, unknown>

/** Signing in adds rows to them. */
const growing = /^\/api\/(audit|audit\/all|auth\/sessions|mails)(\?|$)/

/** They say when something was used last, and by whom. */
const passing: ReadonlySet<string> = new Set(['isCurrent', 'lastUsedAt'])

export function assertSameReply(path: string, actual: unknown, expected: unknown): void {
  if (growing.test(path) && Array.isArray(actual) && Array.isArray(expected)) {
    const rows = new Map(actual.map((row: Row) => [row['id'], row]))
    for (const row of expected) assertContains(path, rows.get(row.id), row)
  } else assertContains(path, actual, expected)
}

function assertContains(at: string, actual: unknown, expected: unknown): void {
  if (Array.isArray(expected) && at.endsWith('.permissions')) {
    // The built-in roles have the permissions of new features as well.
    assert.ok(Array.isArray(actual), `${at} is no list`)
    assert.deepEqual(
      expected.filter((each) => !actual.includes(each)),
      [],
      at,
    )
  } else if (Array.isArray(expected)) {
    assert.ok(Array.isArray(actual), `${at} is no list`)
    assert.equal(actual.length, expected.length, `${at}: the length`)
    for (const [index, each] of expected.entries()) assertContains(`${at}[${index}]`, actual[index], each)
  } else if (typeof expected === 'object' && expected !== null) {
    assert.ok(typeof actual === 'object' && actual !== null, `${at} is no object`)
    const members = new Map(Object.entries(actual))
    for (const [name, value] of Object.entries(expected))
      if (!passing.has(name)) assertContains(`${at}.${name}`, members.get(name), value)
  } else assert.equal(actual, expected, at)
}
