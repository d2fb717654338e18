/** The ten thousand most common passwords, as digests: `build/common-passwords.js` writes the file. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFolder } from '../../database/version.ts'

const file = new URL('assets/passwords/common.bin', packageFolder)
/** The first bytes of a SHA-256. They suffice to tell the passwords apart. */
const digestBytes = 6

/** The sorted digests, 60 kB. The file is read when the first password is set. */
let digests: Buffer | null = null

/** @param caseFolded in lower case, as all passwords of the list are */
export function isCommonPassword(caseFolded: string): boolean {
  digests ??= readFileSync(file)
  const wanted = hash('sha256', caseFolded, 'buffer').subarray(0, digestBytes)
  let [low, high] = [0, digests.length / digestBytes]
  while (low < high) {
    const middle = (low + high) >>> 1
    const offset = middle * digestBytes
    const order = wanted.compare(digests, offset, offset + digestBytes)
    if (order === 0) return true
    if (order < 0) high = middle
    else low = middle + 1
  }
  return false
}
