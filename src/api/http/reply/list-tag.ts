/** The entity tag of a list: a hash of its text, which differs for each page and time, and so is made for each reply. */
import xxhash, { type XXHashAPI } from 'xxhash-wasm'

let library: XXHashAPI | null = null

/** To be awaited once, before the first list. */
export async function prepareListTags(): Promise<void> {
  library ??= await xxhash()
}

/**
 * XXH64 of the text. It tells one state of a list from another, and proves nothing: who may write a row could find a text
 * with the same tag.
 * @param content whole, or in chunks
 */
export function listTag(content: string | readonly (string | Uint8Array)[]): string {
  if (library === null) throw new Error('Tags of lists are not prepared.')
  if (typeof content === 'string') return `"${library.h64ToString(content)}"`
  const digest = library.create64()
  for (const chunk of content) digest.update(chunk)
  return `"${digest.digest().toString(16).padStart(16, '0')}"`
}
