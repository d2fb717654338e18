/**
 * Writes `assets/passwords/common.bin` from a list of passwords, the most common first, such as `src/passwords.json` of
 * the npm package `@zxcvbn-ts/language-common`. Call: `node build/common-passwords.js <file>`.
 */
import { hash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const count = 10_000
/** The bytes that are kept of each digest: enough that no other password has one of ten thousand digests by chance. */
const digestBytes = 6

const list = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
if (list.length < count) throw new Error(`The list has ${list.length} passwords.`)
const digests = list
  .filter((password, index) => index < count || hasEveryKind(password))
  .map((password) => hash('sha256', password.toLowerCase(), 'buffer').subarray(0, digestBytes))
const file = join(import.meta.dirname, '../assets/passwords/common.bin')
writeFileSync(file, Buffer.concat(digests.toSorted(Buffer.compare)))

/** Whether the password rule allows the password, if one letter is in upper case. This is so for few of the list. */
function hasEveryKind(password) {
  return (
    password.length >= 8 && /[a-z].*[a-z]/.test(password) && /\d/.test(password) && /[^a-z\d]/.test(password)
  )
}
