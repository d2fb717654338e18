/** Exceptions from a rule stand in a list, which holds nothing else. */
import assert from 'node:assert/strict'

/** @param mend what to do about one that is not listed */
export function assertListed(found: readonly string[], listed: readonly string[], mend: string): void {
  const added = found.filter((each) => !listed.includes(each)).map((each) => `${each}: ${mend}`)
  const gone = listed
    .filter((each) => !found.includes(each))
    .map((each) => `${each}: remove it from the list`)
  assert.equal([...added, ...gone].join('\n'), '')
  assert.equal(found.length, listed.length, 'one is there twice')
}
