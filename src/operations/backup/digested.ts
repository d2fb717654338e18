/** JSON that tells by itself whether it is as it was written. */
import { createHash } from 'node:crypto'

/** With a digest of all the rest as its last member. */
export function digestedText(content: object): string {
  const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  return `${JSON.stringify({ ...content, sha256 }, null, 2)}\n`
}

/** @param read checks the shape @returns `null` when it is not as it was written @throws what `read` throws */
export function readDigested<T extends object>(text: string, read: (value: unknown) => T): T | null {
  const content = read(JSON.parse(text))
  return digestedText(content) === text ? content : null
}
